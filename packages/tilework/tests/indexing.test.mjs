// Indices as the engine reads them.

import { expect, test } from "vitest";
import { ellipsis, newAxis, slice } from "../dist/index.js";
import { hasMask, indexText } from "../dist/indexing.js";

const rows = { dtype: "int32" };
const mask = { dtype: "bool" };

test.each([
  [[1, slice(0, null, 2), newAxis, ellipsis], "1, 0::2, None, ..."],
  [[slice(3), slice(1, -1), slice(null, null, -1)], ":3, 1:-1, ::-1"],
  [["::2, ..., None", -1], "::2, ..., None, -1"],
  [[" 1 : , null"], "1:, None"],
  [[], ""],
])("%j", (index, text) => expect(indexText(index)).toEqual({ text, arrays: [] }));

test("arrays are numbered as inputs", () => {
  expect(indexText([rows, slice(null), mask])).toEqual({ text: "@1, :, @2", arrays: [rows, mask] });
  expect([hasMask([rows]), hasMask([0, mask])]).toEqual([false, true]);
});

test.each([["1:2:3:4"], ["a"], [""], [0.5], [{ start: 0.5, stop: null, step: null }], [undefined]])("%j is refused", (entry) => {
  expect(() => indexText([entry])).toThrow(/at: /);
});
