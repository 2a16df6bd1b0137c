import { expect, test } from "vitest";
import type { Problem } from "./messages";
import { byLine, shorten, withoutEchoes } from "./problems";

function problem(fields: Partial<Problem>): Problem {
  return { source: "gpu", severity: "error", message: "m", file: "host.js", line: 1, column: 1, ...fields };
}

test("echoes of an invalid shader go", () => {
  const shader = problem({ source: "wgsl", file: "a.wgsl", message: "unresolved value 'z'", line: 4 });
  const pipeline = problem({ message: "[Invalid ShaderModule (unlabeled)] is invalid due to a previous error.", line: 12 });
  const submit = problem({ message: "[Invalid CommandBuffer] is invalid.", line: 30 });
  expect(withoutEchoes([shader, pipeline, submit])).toEqual([shader]);
});

test("an invalid object with no earlier error is worth saying", () => {
  const alone = problem({ message: "[Buffer] is invalid: destroyed" });
  expect(withoutEchoes([alone])).toEqual([alone]);
});

test("a warning is no cause", () => {
  const warning = problem({ source: "wgsl", severity: "warning", file: "a.wgsl" });
  const pipeline = problem({ message: "[Invalid BindGroup] is invalid.", line: 9 });
  expect(withoutEchoes([warning, pipeline])).toEqual([warning, pipeline]);
});

test("the same words at the same place are said once", () => {
  expect(withoutEchoes([problem({}), problem({}), problem({ line: 2 })])).toHaveLength(2);
});

test("where a call was made is not repeated", () => {
  expect(shorten("Binding size (0) is zero.\n - While validating entries[0]\n - While calling [Device].CreateBindGroup().")).toBe("Binding size (0) is zero.");
});

test("problems by line of one file", () => {
  const lines = byLine([problem({ file: "a.wgsl", line: 3 }), problem({ file: "a.wgsl", line: 3, message: "n" }), problem({ file: "b.wgsl", line: 3 }), problem({ file: "a.wgsl", line: null })], "a.wgsl");
  expect([...lines.keys()]).toEqual([3]);
  expect(lines.get(3)).toHaveLength(2);
});
