import { expect, test } from "vitest";
import { readEdits, writeEdits } from "./edits";

const FILES = [{ name: "a.wgsl", starter: "A", solution: "S" }, { name: "host.js", starter: "H", solution: "H" }];

test("only edited files are remembered, and come back", () => {
  const words = writeEdits({ "a.wgsl": "mine", "host.js": "H" }, FILES);
  expect(words).toBe('{"a.wgsl":"mine"}');
  expect(readEdits(words, FILES)).toEqual({ "a.wgsl": "mine", "host.js": "H" });
});

test("the starting text is nothing to remember", () => {
  expect(writeEdits({ "a.wgsl": "A", "host.js": "H" }, FILES)).toBeNull();
});

test("what cannot be read counts as nothing", () => {
  for (const words of [null, "", "{", "3", "null", "[]", '{"a.wgsl":5}']) expect(readEdits(words, FILES)).toEqual({ "a.wgsl": "A", "host.js": "H" });
});

test("an emptied file stays empty", () => {
  expect(readEdits(writeEdits({ "a.wgsl": "", "host.js": "H" }, FILES), FILES)["a.wgsl"]).toBe("");
});
