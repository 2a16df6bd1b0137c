import { expect, test } from "vitest";
import { domainOf, linearTicks, logTicks, makeScale } from "./scale";

test("linear ticks are round and inside", () => {
  expect(linearTicks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(linearTicks(-1, 1, 4)).toEqual([-1, -0.5, 0, 0.5, 1]);
  expect(linearTicks(0, 0.3, 3)).toEqual([0, 0.1, 0.2, 0.3]);
  expect(linearTicks(5, 5, 3)).toEqual([5]);
});

test("log ticks are powers of ten, finer where there are few", () => {
  expect(logTicks(1, 100000)).toEqual([1, 10, 100, 1000, 10000, 100000]);
  expect(logTicks(3, 60)).toEqual([5, 10, 20, 50]);
  expect(logTicks(0.022, 4.4)).toEqual([0.05, 0.1, 0.2, 0.5, 1, 2]);
  expect(logTicks(0.02, 40)).toEqual([0.03, 0.1, 0.3, 1, 3, 10, 30]);
});

test("scales map ends to ends", () => {
  const scale = makeScale("log", [1, 100], [0, 200], 4);
  expect(scale.at(1)).toBeCloseTo(0);
  expect(scale.at(10)).toBeCloseTo(100);
  expect(scale.at(100)).toBeCloseTo(200);
  expect(makeScale("linear", [2, 2], [0, 10], 2).at(2)).toBe(0);
});

test("domains ignore what cannot be drawn and never collapse", () => {
  expect(domainOf("linear", [Number.NaN, Infinity])).toEqual([0, 1]);
  expect(domainOf("log", [0, -1])).toEqual([1, 10]);
  const [low, high] = domainOf("linear", [3, 3]);
  expect(low).toBeLessThan(3);
  expect(high).toBeGreaterThan(3);
});
