import { expect, test } from "vitest";
import { indentAfter } from "./indent";

test("a line starts where the last one did", () => {
  expect(indentAfter("a\n    b")).toBe("    ");
  expect(indentAfter("a")).toBe("");
  expect(indentAfter("")).toBe("");
});

test("one step more after a bracket, as deep as the text", () => {
  expect(indentAfter("fn main() {\n    let x = 1;\n    if x > 0 {")).toBe("        ");
  expect(indentAfter("function f() {\n  g({")).toBe("    ");
});
