import { expect, test } from "vitest";
import { unravel, verify } from "./verify";

const exact = { absolute: 1e-6, relative: 0, why: "" };

test("finds the largest error and its place", () => {
  const expected = new Float32Array([1, 2, 3, 4, 5, 6]);
  const actual = new Float32Array([1, 2, 3, 4.5, 5.25, 6]);
  const verdict = verify(actual, expected, [2, 3], { ...exact, absolute: 1 });
  expect(verdict).toMatchObject({ passed: true, largest: 0.5, at: [1, 0], actual: 4.5, expected: 4, nElements: 6 });
});

test("the last element counts as much as the first", () => {
  const expected = new Float32Array(1000);
  const actual = new Float32Array(1000);
  actual[999] = 1e-3;
  expect(verify(actual, expected, [1000], exact)).toMatchObject({ passed: false, at: [999] });
});

test("what is not a number fails, unless it is due", () => {
  const nan = new Float32Array([1, Number.NaN]);
  expect(verify(nan, new Float32Array([1, 2]), [2], exact)).toMatchObject({ passed: false, at: [1] });
  expect(verify(nan, nan, [2], exact).passed).toBe(true);
  const infinite = new Float32Array([Infinity]);
  expect(verify(infinite, infinite, [1], exact).passed).toBe(true);
  expect(verify(new Float32Array([1]), infinite, [1], exact).passed).toBe(false);
});

test("each element has its own allowance", () => {
  const tolerance = { absolute: 0, relative: 1e-3, why: "" };
  const verdict = verify(new Float32Array([1000.5, 0.002]), new Float32Array([1000, 0.001]), [2], tolerance);
  expect(verdict).toMatchObject({ passed: false, at: [1] });
});

test("of a right result the largest error is shown", () => {
  const tolerance = { absolute: 0, relative: 1e-3, why: "" };
  const verdict = verify(new Float32Array([1000.5, 0.0010009]), new Float32Array([1000, 0.001]), [2], tolerance);
  expect(verdict).toMatchObject({ passed: true, largest: 0.5, at: [0] });
});

test("lengths must agree; nothing agrees with nothing", () => {
  expect(() => verify(new Float32Array(2), new Float32Array(3), [3], exact)).toThrow(RangeError);
  expect(verify(new Float32Array(0), new Float32Array(0), [0], exact).passed).toBe(true);
});

test("places in an array", () => {
  expect(unravel(7, [2, 3, 2])).toEqual([1, 0, 1]);
  expect(unravel(0, [4])).toEqual([0]);
});
