import { expect, test } from "vitest";
import { between, clamped, fitting, inSight, levelFor, MAX_SCALE, panned, toPage, topLevel, toView, zoomed } from "./camera";

const VIEW = { width: 800, height: 600 };
const PAGE = { width: 4096, height: 4096 };

test("a page fits with a margin, and a single pixel is not blown up without end", () => {
  const camera = fitting({ x: 0, y: 0, ...PAGE }, VIEW);
  expect(camera).toMatchObject({ x: 2048, y: 2048 });
  expect(camera.scale * 4096).toBeCloseTo(576);
  expect(fitting({ x: 7, y: 9, width: 1, height: 1 }, VIEW)).toEqual({ x: 7.5, y: 9.5, scale: MAX_SCALE });
});

test("the screen and the page go back and forth", () => {
  const camera = { x: 100, y: 50, scale: 4 };
  const place = toPage(camera, VIEW, { x: 123, y: 456 });
  const back = toView(camera, VIEW, place);
  expect([back.x, back.y]).toEqual([expect.closeTo(123, 9), expect.closeTo(456, 9)]);
  expect(toPage(panned(camera, 40, -20), VIEW, { x: 163, y: 436 })).toEqual({ x: expect.closeTo(place.x, 9), y: expect.closeTo(place.y, 9) });
});

test("a zoom keeps what is under the pointer, on all of its way", () => {
  const camera = { x: 100, y: 50, scale: 4 };
  const at = { x: 700, y: 20 };
  const place = toPage(camera, VIEW, at);
  const near = zoomed(camera, VIEW, at, 8, 0.01);
  for (const share of [0, 0.3, 0.8, 1]) {
    const now = toPage(between(camera, near, share), VIEW, at);
    expect([now.x, now.y]).toEqual([expect.closeTo(place.x, 6), expect.closeTo(place.y, 6)]);
  }
  expect(between(camera, near, 0.5).scale).toBeCloseTo(4 * Math.sqrt(8));
  expect(zoomed(camera, VIEW, at, 1e9, 0.01).scale).toBe(MAX_SCALE);
  expect(between(camera, panned(camera, 80, 0), 0.5).x).toBeCloseTo(90);
});

test("the view cannot be lost beside the page", () => {
  expect(clamped({ x: -900, y: 9000, scale: 1 }, PAGE, VIEW)).toEqual({ x: 0, y: 4096, scale: 1 });
  expect(clamped({ x: 0, y: 0, scale: 1e-9 }, PAGE, VIEW).scale).toBeCloseTo(576 / 4096 / 2);
  expect(inSight({ x: 0, y: 4096, scale: 1 }, VIEW, PAGE)).toEqual({ x: 0, y: 3796, width: 400, height: 300 });
});

test("levels are as fine as the screen, and the last is one tile", () => {
  expect(levelFor(1, 1, 5)).toBe(0);
  expect(levelFor(40, 1, 5)).toBe(0);
  expect(levelFor(0.5, 1, 5)).toBe(1);
  expect(levelFor(0.5, 2, 5)).toBe(0);
  expect(levelFor(0.001, 1, 5)).toBe(5);
  expect(topLevel(PAGE, 256)).toBe(4);
  expect(topLevel({ width: 200, height: 40 }, 256)).toBe(0);
  expect(topLevel({ width: 257, height: 40 }, 256)).toBe(1);
});
