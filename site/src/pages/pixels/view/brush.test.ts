import type { PixelTensor } from "tilework/models";
import { expect, test } from "vitest";
import { boxBetween, boxOf, boxRuns, covered, strokeRuns } from "./brush";

const MATRIX: PixelTensor = { name: "w", shape: [4, 6], dtype: "F32", count: 24, bytes: 96, rows: 4, columns: 6, perLine: 6, perPixel: 1, editable: true, scale: 1, rects: [{ page: 0, x: 10, y: 20, width: 6, height: 2, line: 0 }, { page: 0, x: 20, y: 20, width: 6, height: 2, line: 2 }] };

test("a point covers a disc, and with no size the pixel it is in", () => {
  expect(strokeRuns({ x: 5.5, y: 5.5 }, { x: 5.5, y: 5.5 }, 0.5)).toEqual([{ y: 5, x: 5, width: 1 }]);
  expect(strokeRuns({ x: 5.1, y: 5.9 }, { x: 5.1, y: 5.9 }, 0)).toEqual([{ y: 5, x: 5, width: 1 }]);
  expect(strokeRuns({ x: 5.5, y: 5.5 }, { x: 5.5, y: 5.5 }, 1)).toEqual([{ y: 4, x: 5, width: 1 }, { y: 5, x: 4, width: 3 }, { y: 6, x: 5, width: 1 }]);
});

test("a stroke has no gaps", () => {
  const runs = strokeRuns({ x: 0.5, y: 0.5 }, { x: 30.5, y: 0.5 }, 0.5);
  expect(runs).toEqual([{ y: 0, x: 0, width: 31 }]);
});

test("pixels become weights, across the parts of a tensor", () => {
  const runs = boxRuns(boxBetween({ x: 14, y: 21 }, { x: 22, y: 18 }));
  expect(covered([MATRIX], 0, runs)).toEqual([
    { tensor: MATRIX, count: 10, spans: [{ start: 4, count: 2 }, { start: 10, count: 2 }, { start: 12, count: 3 }, { start: 18, count: 3 }] },
  ]);
  expect(covered([MATRIX], 1, runs)).toEqual([]);
  expect(covered([MATRIX], 0, [{ y: 20, x: 0, width: 9 }])).toEqual([]);
});

test("two halves share a pixel, and the last line of a folded vector is short", () => {
  const vector: PixelTensor = { name: "b", shape: [21], dtype: "F16", count: 21, bytes: 42, rows: 1, columns: 21, perLine: 8, perPixel: 2, editable: true, scale: 1, rects: [{ page: 0, x: 0, y: 0, width: 4, height: 3, line: 0 }] };
  expect(covered([vector], 0, [{ y: 1, x: 1, width: 1 }])[0]?.spans).toEqual([{ start: 10, count: 2 }]);
  expect(covered([vector], 0, [{ y: 2, x: 0, width: 4 }])[0]?.spans).toEqual([{ start: 16, count: 5 }]);
  expect(covered([vector], 0, [{ y: 2, x: 3, width: 1 }])).toEqual([]);
});

test("the box of some pixels", () => {
  expect(boxOf([{ y: 4, x: 5, width: 1 }, { y: 5, x: 4, width: 3 }])).toEqual({ x: 4, y: 4, width: 3, height: 2 });
});
