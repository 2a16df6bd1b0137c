// Compares every element of a result with the reference. What is shown is the largest error; of a wrong result, the error that
// exceeds its own allowance most, since a small value's may be hidden by a large one's.
import type { Verdict } from "./types";
import type { Tolerance } from "./workloads/workload";

export function verify(actual: Float32Array, expected: Float32Array, shape: readonly number[], tolerance: Tolerance): Verdict {
  if (actual.length !== expected.length) throw new RangeError(`${actual.length} elements where ${expected.length} were expected`);
  let largest = { at: 0, error: -1 };
  let worst = { at: 0, excess: -1 };
  for (let i = 0; i < actual.length; i++) {
    const error = difference(actual[i]!, expected[i]!);
    const excess = error / allowedAt(expected[i]!, tolerance);
    if (Number.isNaN(excess)) return verdictAt(i, false, actual, expected, shape, tolerance);
    if (error > largest.error) largest = { at: i, error };
    if (excess > worst.excess) worst = { at: i, excess };
  }
  const passed = worst.excess <= 1;
  return verdictAt(passed ? largest.at : worst.at, passed, actual, expected, shape, tolerance);
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
