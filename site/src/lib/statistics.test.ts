import { expect, test } from "vitest";
import { median, quantile, relativeSpread } from "./statistics";

test("the median of odd and even counts", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([7])).toBe(7);
  expect(median([])).toBeNaN();
});

test("the median ignores one outlier and leaves its argument alone", () => {
  const values = [10, 11, 9, 5000, 10];
  expect(median(values)).toBe(10);
  expect(values).toEqual([10, 11, 9, 5000, 10]);
});

test("quantiles interpolate and stay inside", () => {
  expect(quantile([0, 10], 0.25)).toBe(2.5);
  expect(quantile([0, 10], 2)).toBe(10);
  expect(quantile([0, 10], -1)).toBe(0);
});

test("spread is relative", () => {
  expect(relativeSpread([10, 10, 10])).toBe(0);
  expect(relativeSpread([8, 9, 10, 11, 12])).toBeCloseTo(0.1);
  expect(relativeSpread([0, 0])).toBe(0);
});
