import { expect, test } from "vitest";
import { compareNumbers, judgeAll, sampleNumbers, showNumber } from "./check";

test("equal, and close enough", () => {
  expect(compareNumbers([1, 2], [1, 2])).toBeNull();
  expect(compareNumbers(new Float32Array([0.1]), [0.1])).toBeNull();
  expect(compareNumbers([1e6 + 1], [1e6])).toBeNull();
  expect(compareNumbers([Infinity], [Infinity])).toBeNull();
  expect(compareNumbers([], [])).toBeNull();
});

test("the message says what was expected and what came", () => {
  expect(compareNumbers([1, 5, 3], [1, 2, 3])).toBe("at [1] expected 2, came 5");
  expect(compareNumbers([0, 0, 0, Number.NaN], [0, 0, 0, 0.25], { nCols: 2, what: "y" })).toBe("y: at [1, 1] expected 0.25, came NaN");
  expect(compareNumbers([0, 0], [1, 1])).toBe("at [0] expected 1, came 0 (2 of 2 are wrong)");
  expect(compareNumbers([1], [1, 2])).toBe("expected 2 numbers, came 1");
  expect(compareNumbers(undefined, [1])).toContain("nothing");
  expect(compareNumbers(["1"], [1])).toContain("other things than numbers");
});

test("numbers in messages are short and honest", () => {
  expect(showNumber(1 / 3)).toBe("0.33333");
  expect(showNumber(Number.NaN)).toBe("NaN");
  expect(showNumber(4294967295)).toBe("4294967295");
});

test("a case without an answer has failed", () => {
  const cases = [{ name: "a", input: 0, judge: () => null }, { name: "b", input: 0, judge: () => "expected 1, came 2" }, { name: "c", input: 0, judge: () => null }];
  const answers = new Map([[0, { value: 0, nSubmits: 1 }], [1, { value: 0, nSubmits: 1 }]]);
  expect(judgeAll(cases, answers).map((result) => result.passed)).toEqual([true, false, false]);
  expect(judgeAll(cases, answers)[1]?.message).toBe("expected 1, came 2");
});

test("sample numbers repeat, differ and stay in range", () => {
  const numbers = sampleNumbers(1000);
  expect(sampleNumbers(1000)).toEqual(numbers);
  expect(sampleNumbers(4, 2)).not.toEqual(sampleNumbers(4, 3));
  expect(new Set(numbers).size).toBeGreaterThan(990);
  expect(Math.max(...numbers)).toBeLessThanOrEqual(1);
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(-1);
  expect(Math.abs(numbers.reduce((sum, x) => sum + x, 0) / 1000)).toBeLessThan(0.1);
});
