import type { PixelImage, PixelTileRequest } from "tilework/models";
import { expect, test, vi } from "vitest";
import { keyOf, TileCache, tilesOf, type Drawable } from "./tiles";

const SIDE = 256;
const at = (column: number, row = 0, level = 0): PixelTileRequest => ({ page: 0, level, column, row, colors: "heat" });
const IMAGE: PixelImage = { width: 1, height: 1, pixels: new Uint8ClampedArray(4) };

/** A source whose answers are given by hand. */
function setUp() {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const failures: ((thrown: Error) => void)[] = [];
  const closed = vi.fn();
  const onTile = vi.fn();
  const onProblem = vi.fn();
  const source = {
    tile: (request: PixelTileRequest) => {
      asked.push(keyOf(request));
      return new Promise<PixelImage>((resolve, reject) => {
        answers.push(() => resolve(IMAGE));
        failures.push(reject);
      });
    },
  };
  const cache = new TileCache<Drawable>(source, async () => ({ width: 1, height: 1, close: closed }), onTile, onProblem);
  const settle = () => new Promise((done) => setTimeout(done));
  const answerAll = async () => {
    for (const answer of answers.splice(0)) answer();
    await settle();
  };
  return { cache, asked, answers, failures, answerAll, closed, onTile, onProblem, settle };
}

test("two are asked for at a time, and what is no longer wanted never is", async () => {
  const { cache, asked, answerAll, onTile } = setUp();
  cache.want([at(0), at(1), at(2), at(3)]);
  expect(asked).toEqual([keyOf(at(0)), keyOf(at(1))]);
  cache.want([at(9)]);
  await answerAll();
  expect(asked.slice(2)).toEqual([keyOf(at(9))]);
  await answerAll();
  expect(onTile).toHaveBeenCalledTimes(3);
  expect(cache.isSettled).toBe(true);
  expect(cache.find(at(1))).toBeDefined();
  expect(cache.find(at(2))).toBeUndefined();
});

test("a touched tile is shown until its successor is here", async () => {
  const { cache, asked, answerAll, closed } = setUp();
  cache.want([at(0), at(1)]);
  await answerAll();
  cache.touch(0, { x: 300, y: 10, width: 5, height: 5 }, SIDE);
  expect(cache.find(at(1))).toBeDefined();
  expect(cache.isSettled).toBe(false);
  cache.want([at(0), at(1)]);
  expect(asked.slice(2)).toEqual([keyOf(at(1))]);
  await answerAll();
  expect(closed).toHaveBeenCalledTimes(1);
  expect(cache.isSettled).toBe(true);
});

test("what is touched on its way is asked for again", async () => {
  const { cache, asked, answerAll } = setUp();
  cache.want([at(0)]);
  cache.touch(0, { x: 0, y: 0, width: 1, height: 1 }, SIDE);
  await answerAll();
  expect(asked).toEqual([keyOf(at(0)), keyOf(at(0))]);
  await answerAll();
  expect(cache.isSettled).toBe(true);
});

test("a coarse tile is touched by all it covers, other pages are not", async () => {
  const { cache, answerAll } = setUp();
  cache.want([at(0, 0, 3)]);
  await answerAll();
  cache.touch(1, { x: 0, y: 0, width: 9, height: 9 }, SIDE);
  expect(cache.isSettled).toBe(true);
  cache.touch(0, { x: 2047, y: 2047, width: 1, height: 1 }, SIDE);
  expect(cache.isSettled).toBe(false);
});

test("a failure is told once, not repeated", async () => {
  const { cache, asked, failures, onProblem, settle } = setUp();
  cache.want([at(0)]);
  failures[0]?.(new Error("gone"));
  await settle();
  expect(onProblem).toHaveBeenCalledTimes(1);
  expect(asked).toHaveLength(1);
});

test("the tiles of a box", () => {
  expect(tilesOf({ x: 250, y: 0, width: 10, height: 10 }, 0, SIDE)).toEqual([{ column: 0, row: 0 }, { column: 1, row: 0 }]);
  expect(tilesOf({ x: 250, y: 0, width: 10, height: 10 }, 1, SIDE)).toEqual([{ column: 0, row: 0 }]);
  expect(tilesOf({ x: 0, y: 0, width: 0, height: 10 }, 0, SIDE)).toEqual([]);
});
