import type { PixelTensor } from "tilework/models";
import { expect, test } from "vitest";
import { Cells, partsOf } from "./cells";

const MATRIX: PixelTensor = { name: "w", shape: [4, 6], dtype: "F32", count: 24, bytes: 96, rows: 4, columns: 6, perLine: 6, perPixel: 1, editable: true, scale: 1, rects: [{ page: 0, x: 0, y: 0, width: 6, height: 2, line: 0 }, { page: 0, x: 8, y: 0, width: 6, height: 2, line: 2 }] };
const HALVES: PixelTensor = { name: "b", shape: [21], dtype: "F16", count: 21, bytes: 42, rows: 1, columns: 21, perLine: 8, perPixel: 2, editable: true, scale: 1, rects: [{ page: 0, x: 0, y: 4, width: 4, height: 3, line: 0 }] };

/** Answers with the number of each weight. */
function setUp() {
  const asked: string[] = [];
  const source = {
    info: { tensors: [MATRIX, HALVES] },
    stretch: async (name: string, { start, count, lines, step }: { start: number; count: number; lines: number; step: number }) => {
      asked.push(name);
      return Float32Array.from({ length: lines * count }, (_, i) => start + Math.floor(i / count) * step + (i % count));
    },
  };
  let nTold = 0;
  const cells = new Cells(source, () => (nTold += 1));
  const settle = () => new Promise((done) => setTimeout(done));
  return { cells, asked, settle, told: () => nTold };
}

test("every pixel has its weights, in all parts", async () => {
  const { cells, settle } = setUp();
  cells.want(0, { x: 0, y: 0, width: 14, height: 8 });
  await settle();
  expect([...(cells.at(0, 3, 1) ?? [])]).toEqual([9]);
  expect([...(cells.at(0, 9, 0) ?? [])]).toEqual([13]);
  expect(cells.at(0, 7, 0)).toBeUndefined();
  expect([...(cells.at(0, 1, 5) ?? [])]).toEqual([10, 11]);
  expect([...(cells.at(0, 2, 6) ?? [])]).toEqual([20]);
  expect(cells.at(0, 3, 6)).toBeUndefined();
  expect(cells.at(1, 3, 1)).toBeUndefined();
});

test("a part in sight is a part of the lines", () => {
  const [part] = partsOf([MATRIX], 0, { x: 9.5, y: 1, width: 2, height: 1 });
  expect(part).toMatchObject({ start: 19, count: 3, line: 3, pixel: 1 });
  const [folded] = partsOf([HALVES], 0, { x: 2, y: 5, width: 1, height: 9 });
  expect(folded).toMatchObject({ start: 12, count: 2, line: 1, box: { height: 2 } });
});

test("short ways ask for nothing, changes do", async () => {
  const { cells, asked, settle, told } = setUp();
  cells.want(0, { x: 0, y: 0, width: 4, height: 2 });
  await settle();
  const n = asked.length;
  cells.want(0, { x: 1, y: 0, width: 4, height: 2 });
  expect(asked).toHaveLength(n);
  cells.touch();
  await settle();
  expect(asked).toHaveLength(2 * n);
  expect(told()).toBe(2);
});
