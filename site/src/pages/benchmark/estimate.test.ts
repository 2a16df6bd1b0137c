import { expect, test } from "vitest";
import { affordableRuns, estimateMs, nearestRun, nextProbe, tooLong, type Measured } from "./estimate";

function run(work: number, ms: number, size = 1): Measured {
  return { size, work, ms };
}

test("proportional, with caution when it goes up", () => {
  expect(estimateMs([run(10, 2)], 100)).toBeCloseTo(30);
  expect(estimateMs([run(100, 20)], 100)).toBe(20);
  expect(estimateMs([run(100, 20)], 50)).toBe(10);
});

test("the nearest smaller run decides", () => {
  const measured = [run(1, 1), run(100, 40), run(1e6, 9e9)];
  expect(nearestRun(measured, 200)?.work).toBe(100);
  expect(estimateMs(measured, 200)).toBeCloseTo(120);
});

test("nothing measured, nothing known", () => {
  expect(estimateMs([], 10)).toBeNaN();
  expect(nearestRun([], 10)).toBeUndefined();
});

test("runs that fit the limit", () => {
  expect(affordableRuns(5, 1, 1000)).toBe(5);
  expect(affordableRuns(5, 200, 1000)).toBe(1);
  expect(affordableRuns(9, 100, 1000)).toBe(4);
  expect(affordableRuns(5, 2000, 1000)).toBe(0);
  expect(affordableRuns(5, 0, 1000)).toBe(5);
});

test("probes double while they are cheap, and stop when the answer is known", () => {
  const cube = (size: number) => size ** 3;
  const waiting = [run(cube(128), 1, 128)];
  expect(nextProbe(waiting, 4096, cube, 20_000)).toBe(256);
  expect(nextProbe(waiting, 512, cube, 20_000)).toBeNull();
  const fast = [...waiting, run(cube(256), 1, 256), run(cube(512), 1, 512)];
  expect(nextProbe(fast, 4096, cube, 20_000)).toBeNull();
  const slow = [run(cube(1024), 1000, 1024)];
  expect(nextProbe(slow, 4096, cube, 20_000)).toBeNull();
  expect(nextProbe([], 4096, cube, 20_000)).toBeNull();
});

test("a refusal names size, estimate, its ground and the limit", () => {
  expect(tooLong("Plain JavaScript", 4096, 95_000, 20_000, 512)).toMatch(/4096 × 4096 .* 95 s .* 512 × 512; .* 20 s/);
});
