import { expect, test } from "vitest";
import { parseNumbers } from "./numbers";

test("numbers with any separator", () => {
  expect(parseNumbers(" 1, -2.5\t3e2;4 ", 8)).toEqual({ ok: true, numbers: [1, -2.5, 300, 4] });
});

test("what is wrong is said", () => {
  expect(parseNumbers("1 two", 8)).toEqual({ ok: false, message: "“two” is not a number" });
  expect(parseNumbers(" ", 8)).toMatchObject({ ok: false });
  expect(parseNumbers("1 2 3", 2)).toEqual({ ok: false, message: "at most 2 numbers fit here" });
  expect(parseNumbers("Infinity", 2)).toMatchObject({ ok: false });
});
