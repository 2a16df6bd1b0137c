import { expect, test } from "vitest";
import { passagesOf, search } from "./passages";

test("lines are passages, empty ones and repetitions are not", () => {
  expect(passagesOf(" one \n\n two\r\none\n")).toEqual(["one", "two"]);
  expect(passagesOf("")).toEqual([]);
});

test("long lines are cut between sentences and lose nothing", () => {
  const text = Array.from({ length: 9 }, (_, i) => `${i} ${"word ".repeat(40)}end.`).join(" ");
  const cut = passagesOf(text);
  expect(cut.length).toBeGreaterThan(3);
  expect(cut.every((piece) => piece.length <= 600 && piece.endsWith("end."))).toBe(true);
  expect(cut.join(" ")).toBe(text);
  expect(passagesOf("x".repeat(2000))).toEqual(["x".repeat(2000)]);
});

test("the nearest come first, and what has no vector not at all", () => {
  const unit = (...values: number[]) => Float32Array.from(values);
  const passages = [{ text: "far", vector: unit(0, 1) }, { text: "near", vector: unit(1, 0) }, { text: "unknown", vector: null }];
  expect(search(unit(1, 0), passages, 5).map((hit) => hit.text)).toEqual(["near", "far"]);
  expect(search(unit(1, 0), passages, 1)).toEqual([{ text: "near", similarity: 1 }]);
});
