import { expect, test } from "vitest";
import { rateOf, rowsToCsv, speedUp } from "./table";
import type { Row } from "./types";

const gpu: Row = {
  batch: "1", whenMs: 0, workload: "matmul", size: 1000, side: "gpu", device: "a, \"b\"", software: true, skipped: null, nRuns: 5, medianMs: 2,
  spread: 0.1, transferMs: 4, firstMs: 9,
  verdict: { passed: true, nElements: 1e6, largest: 1e-6, at: [3, 4], actual: 1, expected: 1, allowed: 1e-4 },
};
const cpu: Row = { ...gpu, side: "cpu", medianMs: 20, verdict: null };
const js: Row = { ...gpu, side: "js", medianMs: null, skipped: "too long", verdict: null };

test("rates come from the work", () => {
  expect(rateOf(gpu, gpu.medianMs)).toBeCloseTo(1000);
  expect(rateOf(js, js.medianMs)).toBeNull();
  expect(rateOf({ ...gpu, workload: "unknown" }, 1)).toBeNull();
});

test("speed-ups compare within a batch", () => {
  expect(speedUp(gpu, [gpu, cpu], "cpu")).toBe(10);
  expect(speedUp(gpu, [gpu, { ...cpu, batch: "2" }], "cpu")).toBeNull();
  expect(speedUp(gpu, [gpu, js], "js")).toBeNull();
});

test("the export has a line for each row, skipped ones too", () => {
  const lines = rowsToCsv([gpu, cpu, js]).trim().split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain('"a, ""b"""');
  expect(lines[1]).toContain(",3 4,");
  expect(lines[2]).toContain("reference");
  expect(lines[3]).toContain("too long");
});
