import { expect, test } from "vitest";
import { toCsv } from "./csv";

test("plain cells", () => {
  expect(toCsv([["a", "b"], [1.5, "x"]])).toBe("a,b\r\n1.5,x\r\n");
});

test("quotes, commas and lines are quoted", () => {
  expect(toCsv([['a "b"', "c,d", "e\nf"]])).toBe('"a ""b""","c,d","e\nf"\r\n');
});

test("nothing, and what is not a number, is empty", () => {
  expect(toCsv([[null, Number.NaN, Infinity]])).toBe(",,\r\n");
});

test("text cannot become a formula", () => {
  expect(toCsv([["=1+1", "-x", -2]])).toBe("'=1+1,'-x,-2\r\n");
});
