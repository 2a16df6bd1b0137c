import { expect, test } from "vitest";
import { networkOf } from "./files";
import { forward } from "./network";
import { inkBox, massMiddle, prepare, SIDE } from "./prepare";
import { weightsFile } from "./testFiles.mjs";
import { DIGIT_STROKES, drawStrokes } from "./strokes";

const SIZE = 140;

test("no ink gives zeros", () => {
  expect(prepare(new Float32Array(SIZE * SIZE), SIZE).every((value) => value === 0)).toBe(true);
});

test("one dot of ink ends in the middle", () => {
  const ink = new Float32Array(SIZE * SIZE);
  ink[3 * SIZE + 5] = 1;
  expect(inkBox(ink, SIZE)).toEqual({ left: 5, top: 3, width: 1, height: 1 });
  const image = prepare(ink, SIZE);
  expect(Math.abs((massMiddle(image, SIDE)?.x ?? 0) - 14)).toBeLessThanOrEqual(0.5);
  expect(image.every(Number.isFinite)).toBe(true);
});

test("the longer side becomes 20 pixels, the shape stays", () => {
  const image = prepare(drawStrokes([[[0.1, 0.5], [0.9, 0.5]]], SIZE), SIZE);
  const box = inkBox(image, SIDE);
  expect(box?.width).toBe(20);
  expect(box?.height).toBeLessThan(4);
});

test("the middle of the mass is the middle of the image, wherever one draws", () => {
  for (const strokes of Object.values(DIGIT_STROKES)) {
    for (const shift of [-0.15, 0, 0.15]) {
      const moved = strokes.map((stroke) => stroke.map(([x, y]) => [x + shift, y] as const));
      const middle = massMiddle(prepare(drawStrokes(moved, SIZE), SIZE), SIDE);
      expect(Math.abs((middle?.x ?? 0) - 14)).toBeLessThanOrEqual(0.5001);
      expect(Math.abs((middle?.y ?? 0) - 14)).toBeLessThanOrEqual(0.5001);
    }
  }
});

test("the network reads drawn strokes", () => {
  const network = networkOf(weightsFile());
  const read = Object.entries(DIGIT_STROKES).map(([digit, strokes]) => [Number(digit), forward(network, prepare(drawStrokes(strokes, SIZE), SIZE), 1).digits[0]]);
  const wrong = read.filter(([digit, found]) => digit !== found);
  // Weights may be replaced by others that are as good on MNIST and differ on such drawings.
  expect(wrong.length, `read as ${JSON.stringify(wrong)}`).toBeLessThanOrEqual(1);
});
