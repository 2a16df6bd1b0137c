import { expect, test } from "vitest";
import { argmax, dense, forward, softmaxRows } from "./network";

test("weights are [outputs, inputs]", () => {
  expect([...dense([1, 10], [1, 2, 3, 4, 5, 6], [0, 0, 100], 1, 2, 3)]).toEqual([21, 43, 165]);
});

test("softmax adds up to one, also far from zero", () => {
  expect([...softmaxRows([1e4, 1e4, -1e4, 5], 2)].map((value) => Number(value.toFixed(6)))).toEqual([0.5, 0.5, 0, 1]);
});

test("of equals the first is the largest", () => {
  expect(argmax([1, 3, 3, 2])).toBe(1);
  expect(argmax([7])).toBe(0);
});

test("an empty image gives what the biases say", () => {
  const b2 = Float32Array.from({ length: 10 }, (_, i) => (i === 4 ? 2 : 0));
  const { digits, probabilities } = forward({ w1: new Float32Array(128 * 784), b1: new Float32Array(128), w2: new Float32Array(1280), b2 }, new Float32Array(784), 1);
  expect(digits).toEqual([4]);
  expect(probabilities.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1);
});
