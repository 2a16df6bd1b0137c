import { expect, test } from "vitest";
import { parseDone } from "./progress";

test("done lessons from text", () => {
  expect(parseDone("3,1,3")).toEqual([1, 3]);
  expect(parseDone(null)).toEqual([]);
  expect(parseDone(",x,0,-1,2.5,7")).toEqual([7]);
});
