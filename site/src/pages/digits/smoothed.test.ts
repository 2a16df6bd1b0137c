import { expect, test } from "vitest";
import { smoothed } from "./smoothed";

test("few losses stay as they are", () => {
  expect(smoothed([3, 2, 1], 10)).toEqual([{ x: 1, y: 3 }, { x: 2, y: 2 }, { x: 3, y: 1 }]);
  expect(smoothed([], 10)).toEqual([]);
});

test("many become means of neighbors, the last of what is left", () => {
  expect(smoothed([4, 2, 8, 6, 1], 3)).toEqual([{ x: 1.5, y: 3 }, { x: 3.5, y: 7 }, { x: 5, y: 1 }]);
});
