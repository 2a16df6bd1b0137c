import { expect, test } from "vitest";
import { affordableRuns, estimateMs, tooLong } from "./estimate";

test("proportional, with caution when it goes up", () => {
  expect(estimateMs([{ work: 10, ms: 2 }], 100)).toBeCloseTo(30);
  expect(estimateMs([{ work: 100, ms: 20 }], 100)).toBe(20);
  expect(estimateMs([{ work: 100, ms: 20 }], 50)).toBe(10);
});

test("the nearest smaller run decides", () => {
  const measured = [{ work: 1, ms: 1 }, { work: 100, ms: 40 }, { work: 1e6, ms: 9e9 }];
  expect(estimateMs(measured, 200)).toBeCloseTo(120);
});

test("nothing measured, nothing known", () => {
  expect(estimateMs([], 10)).toBeNaN();
});

test("runs that fit the limit", () => {
  expect(affordableRuns(5, 1, 1000)).toBe(5);
  expect(affordableRuns(5, 200, 1000)).toBe(1);
  expect(affordableRuns(9, 100, 1000)).toBe(4);
  expect(affordableRuns(5, 2000, 1000)).toBe(0);
  expect(affordableRuns(5, 0, 1000)).toBe(5);
});

test("a refusal names size, estimate and limit", () => {
  expect(tooLong("Plain JavaScript", 4096, 95_000, 20_000)).toMatch(/4096 × 4096 .* 95 s .* 20 s/);
});
