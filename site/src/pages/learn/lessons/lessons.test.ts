import { expect, test } from "vitest";
import { kernelFiles } from "../../kernels/sources";
import { LESSONS } from "./index";

test.each(LESSONS.map((entry, i) => [`${i + 1}. ${entry.title}`, entry.lesson] as const))("%s has what a lesson needs", (_, lesson) => {
  const names = lesson.files.map((file) => file.name);
  expect(names).toContain("host.js");
  expect(names.filter((name) => name.endsWith(".wgsl")).length).toBeGreaterThan(0);
  // The exercise asks for a change, and says where: some file differs, the others are the same text.
  expect(lesson.files.some((file) => file.starter !== file.solution)).toBe(true);
  for (const { name, starter, solution } of lesson.files) {
    if (!name.endsWith(".wgsl")) continue;
    for (const text of [starter, solution]) {
      expect(text.startsWith("// ")).toBe(true);
      expect(text).toContain("@compute");
    }
  }
  expect(lesson.experiments.length).toBeGreaterThan(1);
});

test("links to the engine's kernels lead somewhere, and to one file each", () => {
  const ids = kernelFiles().map((file) => file.id);
  for (const { lesson } of LESSONS) {
    for (const { file } of lesson.kernels) expect(ids.filter((id) => id === file)).toHaveLength(1);
  }
});

test("cases of the exercises can be sent to the frame, and refuse an answer that is none", async () => {
  for (const { lesson } of LESSONS.slice(0, 6)) {
    const cases = await lesson.exercise.cases();
    expect(cases.length).toBeGreaterThanOrEqual(4);
    expect(new Set(cases.map((one) => one.name)).size).toBe(cases.length);
    for (const { input, judge } of cases) {
      expect(() => structuredClone(input)).not.toThrow();
      for (const answer of [undefined, null, "42", {}, []]) expect(judge(answer, { nSubmits: 1 })).toMatch(/expected .*came /);
    }
  }
});
