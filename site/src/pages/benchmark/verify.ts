// Compares every element of a result with the reference.
import type { Verdict } from "./types";
import type { Tolerance } from "./workloads/workload";

export function verify(actual: Float32Array, expected: Float32Array, shape: readonly number[], tolerance: Tolerance): Verdict {
  if (actual.length !== expected.length) throw new RangeError(`${actual.length} elements where ${expected.length} were expected`);
  let worst = { at: 0, error: -1, excess: -1 };
  for (let i = 0; i < actual.length; i++) {
    const error = difference(actual[i]!, expected[i]!);
    // The share of its own allowance decides, so that a small value's error is not hidden by a large one's.
    const excess = error / allowedAt(expected[i]!, tolerance);
    if (Number.isNaN(excess)) return verdictAt(i, false, actual, expected, shape, tolerance);
    if (excess > worst.excess) worst = { at: i, error, excess };
  }
  return verdictAt(worst.at, worst.excess <= 1, actual, expected, shape, tolerance);
}

function difference(actual: number, expected: number): number {
  // Equal infinities, and a NaN where one is due, agree.
  if (Object.is(actual, expected) || (Number.isNaN(actual) && Number.isNaN(expected))) return 0;
  return Math.abs(actual - expected);
}

function allowedAt(expected: number, { absolute, relative }: Tolerance): number {
  return Number.isFinite(expected) ? absolute + relative * Math.abs(expected) : absolute;
}

function verdictAt(at: number, passed: boolean, actual: Float32Array, expected: Float32Array, shape: readonly number[], tolerance: Tolerance): Verdict {
  const isEmpty = actual.length === 0;
  const [a, e] = isEmpty ? [0, 0] : [actual[at]!, expected[at]!];
  return {
    passed: passed || isEmpty,
    nElements: actual.length,
    largest: difference(a, e),
    at: unravel(at, shape),
    actual: a,
    expected: e,
    allowed: allowedAt(e, tolerance),
  };
}

/** The place of a flat position in an array of this shape. */
export function unravel(position: number, shape: readonly number[]): number[] {
  let rest = position;
  return shape
    .map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1))
    .map((stride) => {
      const index = Math.floor(rest / stride);
      rest -= index * stride;
      return index;
    });
}
