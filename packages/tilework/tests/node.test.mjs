// The package in Node.js, on the CPU. Run `npm run build` first.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as tilework from "../dist/index.js";
import { NdArray, TileworkError } from "../dist/index.js";
import { Operations } from "../dist/generated/ops.js";
import { load } from "../dist/load.js";
import { CASES, rejects } from "./cases.mjs";

const WASM = new URL("../dist/wasm/tilework_bg.wasm", import.meta.url);
let tw;
beforeAll(async () => {
  tw = await tilework.open({ device: "cpu" });
});
afterAll(() => tw.dispose());

describe("arrays", () => {
  for (const [name, run] of Object.entries(CASES)) test(name, () => run(tw, tilework));
});

describe("opening", () => {
  test("without WebGPU, auto computes on the CPU and says why, gpu is refused", async () => {
    const auto = await tilework.open();
    expect(auto.info).toMatchObject({ requested: "auto", runsOn: "cpu", backend: "cpu", kind: "cpu", worker: false });
    expect(auto.info.note).toMatch(/WebGPU.*Chrome/);
    expect(await auto.ones([3]).sum().item()).toBe(3);
    auto.dispose();
    const refusal = await rejects("no_device", tilework.open({ device: "gpu" }));
    expect(refusal).toBeInstanceOf(TileworkError);
    expect(refusal.message).toMatch(/Firefox.*https.*flags/);
    expect(tw.info.note).toBe("");
  });

  test("the core operations alone are a module of their own", async () => {
    const core = await tilework.open({ device: "cpu", ops: "core" });
    const kept = new Float32Array(4);
    await core.array([1, 2]).mul(3).toArray(kept.subarray(1, 3));
    expect([...kept]).toEqual([0, 3, 6, 0]);
    expect(await core.ones([3, 2]).matmul(core.ones([2, 4])).sum().item()).toBe(24);
    const missing = await rejects("argument", Promise.resolve().then(() => core.ones([3]).argmax().item()));
    expect(missing.message).toMatch(/ops: "all"/);
    expect(await tw.ones([3]).argmax().item()).toBe(0);
    core.dispose();
  });

  test("what cannot be opened is refused", async () => {
    await rejects("argument", tilework.open({ device: "abacus" }));
    await rejects("argument", tilework.open({ ops: "some" }));
    await rejects("unsupported", tilework.open({ device: "cpu", worker: true }));
  });
});

describe("loading", () => {
  const compile = (source, onProgress) => load(source, async () => {}, onProgress);
  const server = createServer(async (request, response) => {
    if (request.url === "/missing.wasm") return response.writeHead(404).end();
    const isTyped = request.url === "/typed.wasm";
    const body = request.url === "/broken.wasm" ? Buffer.from("no module") : await readFile(WASM);
    const type = isTyped ? "application/wasm" : "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-length": body.length }).end(body);
  });
  let origin;
  beforeAll(async () => {
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    origin = `http://127.0.0.1:${server.address().port}`;
  });
  afterAll(() => server.close());

  test.each(["typed", "untyped"])("from a server, %s", async (name) => {
    const stages = [];
    const module = await compile(`${origin}/${name}.wasm`, (progress) => stages.push(progress));
    expect(module).toBeInstanceOf(WebAssembly.Module);
    const size = (await readFile(WASM)).length;
    expect(stages[0]).toEqual({ stage: "download", loadedBytes: 0, totalBytes: size });
    expect(stages.at(-1)).toEqual({ stage: "compile", loadedBytes: size, totalBytes: size });
  });

  test("from bytes, from a file and compiled already", async () => {
    const module = await compile(await readFile(WASM));
    expect(await compile(module)).toBe(module);
    expect(await compile(WASM)).toBeInstanceOf(WebAssembly.Module);
  });

  test("failures have the code io and name the cause", async () => {
    expect((await rejects("io", compile(`${origin}/missing.wasm`))).message).toMatch(/404/);
    await rejects("io", compile(`${origin}/broken.wasm`));
    await rejects("io", compile(new Uint8Array([1, 2, 3])));
    await rejects("io", compile("http://127.0.0.1:1/nowhere.wasm"));
    await rejects("io", compile("not an address"));
    await rejects("io", compile(new URL("file:///nowhere.wasm")));
    await rejects("io", load(WASM, async (module) => new WebAssembly.Instance(module, {})));
  });
});

describe("generated methods", () => {
  // Arguments of those that take more than numbers.
  const special = {
    attention: (x) => x.reshape([1, 1, 2, 2]).attention(x.reshape([1, 1, 2, 2]), x.reshape([1, 1, 2, 2]), undefined, undefined, { mask: "causal" }),
    bincount: () => tw.arange(4).bincount({ nBins: 3 }),
    groupNorm: (x) => x.reshape([1, 2, 2]).groupNorm(undefined, undefined, { nGroups: 2 }),
    layerNorm: (x) => x.layerNorm(tw.ones([2]), tw.zeros([2]), { epsilon: 1e-6 }),
    neighborhoodAttention: (x) => {
      const image = x.reshape([1, 1, 2, 2, 1]);
      return image.neighborhoodAttention(image, image, { window: 1 });
    },
    rmsNorm: (x) => x.rmsNorm(tw.ones([2])),
    rope: (x) => x.rope(tw.arange(2), tw.call("rope_frequencies", [], { n_dims: 2 }), { pairing: "half" }),
    scan: (x) => x.scan({ combine: "sum", axis: 0, reach: "exclusive" }),
    searchsorted: (x) => tw.arange(4).cast("float32").searchsorted(x, { side: "right" }),
    sort: (x) => x.sort({ axis: -1, order: "descending" }),
    topK: (x) => x.topK({ k: 1, axis: 0 }),
    argReduce: (x) => x.argReduce({ extreme: "max" }),
    cholesky: () => tw.array([[4, 2], [2, 3]]).cholesky(),
    triangularSolve: (x) => tw.array([[4, 0], [2, 3]]).triangularSolve(x, { side: "lower", form: "transposed" }),
    luPacked: (x) => x.luPacked(),
    qrPacked: (x) => x.qrPacked({ mode: "complete" }),
    svdPacked: (x) => x.svdPacked({ vectors: "full" }),
    eighPacked: (x) => x.eighPacked({ vectors: "reduced" }),
    eigPacked: (x) => x.eigPacked({ vectors: "none" }),
    concat: (x) => x.concat([x], { axis: 0 }),
    conv: (x) => x.reshape([1, 1, 2, 2]).conv(x.reshape([1, 1, 2, 2]), { stride: 2, padding: [1, 0], groups: 1 }),
    convTranspose: (x) => x.reshape([1, 1, 4]).convTranspose(x.reshape([1, 2, 2]), { stride: 2, outputPadding: [1] }),
    gather: (x) => x.gather(tw.arange(2), { axis: 0 }),
    matmul: (x) => x.matmul(x),
    maxUnpool: (x) => x.reshape([1, 1, 4]).maxUnpool(tw.arange(4).reshape([1, 1, 4]), { sizes: 4, kernel: 1 }),
    pool: (x) => x.reshape([1, 1, 2, 2]).pool({ kind: "mean", kernel: [2, 1], stride: 1, padding: 1 }),
    randomBits: () => tw.arange(4).cast("uint32").randomBits({ n: 5 }),
    randomGamma: (x) => tw.arange(4).cast("uint32").randomGamma(x),
    randomBinomialCounts: (x) => tw.arange(4).cast("uint32").randomBinomialCounts(x.cast("int32"), x.mul(0).add(0.5)),
    randomPoissonCounts: (x) => tw.arange(4).cast("uint32").randomPoissonCounts(x),
    reduce: (x) => x.reduce({ combine: "sum", axes: [0], keepAxes: true }),
    scatter: (x) => x.scatter(tw.arange(1), x.reshape([4]).slice(0, 0, 2).reshape([1, 2]), { axis: 0 }),
    scatterAdd: (x) => x.scatterAdd(tw.arange(2), { axis: 0, nAxis: 5 }),
    softmax: (x) => x.softmax({ axis: 0, output: "logarithm" }),
  };
  const names = Object.getOwnPropertyNames(Operations.prototype).filter((name) => name !== "constructor");

  test("there is one for every operation", () => expect(names.length).toBeGreaterThan(70));

  test.each(names)("%s", async (name) => {
    const x = tw.array([[0.5, 0.25], [0.75, 1]]);
    const arity = Operations.prototype[name].length;
    const result = special[name] ? special[name](x) : x[name](...[0.5, 2].slice(0, arity));
    expect(result).toBeInstanceOf(NdArray);
    expect((await result.toArray()).length).toBe(result.size);
  });
});

describe("reading into an array that is kept", () => {
  test("writes every element, wherever the array begins", async () => {
    const kept = new Float32Array(6).fill(9);
    const middle = kept.subarray(1, 5);
    expect(await tw.array([[1, 2], [3, 4]]).mul(2).toArray(middle)).toBe(middle);
    expect([...kept]).toEqual([9, 2, 4, 6, 8, 9]);
    expect([...(await tw.array([1, 0, 3]).greater(0).toArray(new Uint8Array(3)))]).toEqual([1, 0, 1]);
    expect((await tw.zeros(0).toArray(new Float32Array(0))).length).toBe(0);
  });

  test("another type or size is a typed error, and nothing is written", async () => {
    const x = tw.array([1, 2]);
    const target = new Float32Array(3);
    await expect(x.toArray(new Float64Array(2))).rejects.toMatchObject({ code: "dtype" });
    await expect(x.toArray(target)).rejects.toMatchObject({ code: "shape" });
    expect([...target]).toEqual([0, 0, 0]);
  });
});

describe("composed operations", () => {
  const numbers = async (array) => [...(await array.toArray())];

  test("running results, positions and counts", async () => {
    const x = tw.array([3, 1, 2, 4]);
    expect(await numbers(x.cumsum({ axis: 0 }))).toEqual([3, 4, 6, 10]);
    expect(await numbers(x.cumprod({ axis: 0 }))).toEqual([3, 3, 6, 24]);
    expect(await numbers(x.cummax({ axis: 0 }))).toEqual([3, 3, 3, 4]);
    expect(await numbers(x.cummin({ axis: 0 }))).toEqual([3, 1, 1, 1]);
    expect(await numbers(x.argsort({ axis: 0 }))).toEqual([1, 2, 0, 3]);
    expect(await numbers(x.argsort({ axis: 0, order: "descending" }))).toEqual([3, 0, 2, 1]);
    expect(await numbers(x.histogram({ nBins: 2, low: 0, high: 4 }))).toEqual([1, 3]);
    expect([await x.dot(x).item(), await x.vdot(x).item()]).toEqual([30, 30]);
  });

  test("NumPy's forms of what there was before", async () => {
    const x = tw.array([[3, 1, 2], [4, 0, 5]]);
    expect(await numbers(tw.arange(2, 8, 3))).toEqual([2, 5]);
    expect(await numbers(tw.arange({ stop: 1, step: 0.25 }))).toEqual([0, 0.25, 0.5, 0.75]);
    expect(tw.arange(3, { dtype: "int64" }).dtype).toBe("int64");
    expect(tw.linspace(0, 1).size).toBe(50);
    expect(await numbers(tw.linspace(0, 1, 4, { endpoint: false }))).toEqual([0, 0.25, 0.5, 0.75]);
    expect(tw.zeros(3, { dtype: "uint8" }).dtype).toBe("uint8");
    expect(await numbers(tw.eye(2, { m: 3, k: 1, dtype: "int32" }))).toEqual([0, 1, 0, 0, 0, 1]);
    expect(x.argmax({ axis: 1, keepAxes: true }).shape).toEqual([2, 1]);
    expect(await numbers(x.argsort())).toEqual([1, 2, 0, 1, 0, 2]);
    expect(await numbers(x.take(tw.array([0, 5], { dtype: "int32" })))).toEqual([3, 5]);
    expect(await numbers(x.cumsum())).toEqual([3, 4, 6, 10, 10, 15]);
    expect(x.sum({ axis: [0, 1] }).shape).toEqual([]);
    expect(await x.var({ correction: 1 }).item()).toBeCloseTo(3.5, 5);
    expect(x.reshape([3, -1]).shape).toEqual([3, 2]);
    expect(x.expandDims([0, 3]).shape).toEqual([1, 2, 3, 1]);
    expect(x.transpose([1, 0]).shape).toEqual([3, 2]);
    const { counts, edges } = x.histogram({ bins: 5 });
    expect([await numbers(counts), await numbers(edges)]).toEqual([[1, 1, 1, 1, 2], [0, 1, 2, 3, 4, 5]]);
    expect(tw.concat([x, x]).shape).toEqual([4, 3]);
    expect(tw.stack([x, x]).shape).toEqual([2, 2, 3]);
  });

  test("types", () => {
    expect(tw.resultType("int8", "uint8")).toBe("int16");
    expect(tw.resultType(tw.arange(2), "float16", "complex64")).toBe("complex64");
    expect([tw.canCast("int32", "float64"), tw.canCast("float32", "int32")]).toEqual([true, false]);
    expect(tw.finfo("float32")).toMatchObject({ bits: 32, eps: 2 ** -23, smallestNormal: 2 ** -126 });
    expect(tw.finfo("float64").max).toBe(Number.MAX_VALUE);
    expect(tw.iinfo("int8")).toEqual({ dtype: "int8", bits: 8, min: -128, max: 127 });
    expect(tw.iinfo("uint64").max).toBe(2n ** 64n - 1n);
    expect([tw.isdtype("int16", "integral"), tw.isdtype("bool", "numeric"), tw.isdtype(tw.zeros(1), ["bool", "float32"])]).toEqual([true, false, true]);
    expect(() => tw.finfo("int8")).toThrow(/no type of floats/);
    expect(() => tw.resultType("float99")).toThrow(/no type/);
  });

  test("convolutions and windows", async () => {
    const image = tw.arange(16).cast("float32").reshape([1, 1, 4, 4]);
    expect(await numbers(image.maxPool({ kernel: [2, 2] }))).toEqual([5, 7, 13, 15]);
    expect(await numbers(image.meanPool({ kernel: [2, 2] }))).toEqual([2.5, 4.5, 10.5, 12.5]);
    expect(await numbers(image.conv2d(tw.ones([1, 1, 3, 3]), tw.ones([1])))).toEqual([46, 55, 82, 91]);
    expect(await numbers(image.reshape([1, 1, 16]).conv1d(tw.ones([1, 1, 2]), undefined, { stride: [8] }))).toEqual([1, 17]);
  });

  test("Fourier transforms are complex and come back", async () => {
    const x = tw.random(1).normal([4, 6]);
    const back = x.rfftn().irfftn({ n: 6 });
    expect(await back.sub(x).abs().max().item()).toBeLessThan(1e-6);
    const complex = tw.random(2).normal([4, 6, 2]).asComplex();
    expect([complex.dtype, complex.shape]).toEqual(["complex64", [4, 6]]);
    expect(await complex.fftn().ifftn().sub(complex).abs().max().item()).toBeLessThan(1e-6);
    const spectrum = tw.array([1, 0, 0, 0]).rfft();
    expect([spectrum.dtype, spectrum.shape]).toEqual(["complex64", [3]]);
    expect(await numbers(spectrum)).toEqual([1, 0, 1, 0, 1, 0]);
    expect(await numbers(tw.array([1, 2]).fft({ n: 4, axis: 0, norm: "forward" }).real())).toEqual([0.75, 0.25, -0.25, 0.25]);
    expect(await numbers(tw.complex(tw.array([0, 3]), tw.array([1, 4])).conj().asPairs())).toEqual([0, -1, 3, -4]);
    expect(await numbers(tw.array([[1, 0], [0, 0]]).fft2().imag())).toEqual([0, 0, 0, 0]);
    expect(await tw.array(new Float32Array([0, 2]), { dtype: "complex64" }).angle({ deg: true }).item()).toBeCloseTo(90, 4);
    const frequencies = tw.fftfreq(4);
    expect(await numbers(frequencies)).toEqual([0, 0.25, -0.5, -0.25]);
    expect(await numbers(frequencies.fftshift())).toEqual([-0.5, -0.25, 0, 0.25]);
    expect(await numbers(frequencies.fftshift().ifftshift())).toEqual([0, 0.25, -0.5, -0.25]);
    expect(await numbers(tw.rfftfreq(4, { spacing: 0.5 }))).toEqual([0, 0.5, 1]);
  });

  test("random arrays repeat with their seed, and differ from draw to draw", async () => {
    const draw = async (random) => [await numbers(random.uniform([4])), await numbers(random.integers([5], { low: -3, high: 3 }))];
    expect(await draw(tw.random(7))).toEqual(await draw(tw.random(7)));
    const random = tw.random(7);
    expect(await numbers(random.normal([4]))).not.toEqual(await numbers(random.normal([4])));
    expect((await random.bits([3]).toArray()).constructor).toBe(Uint32Array);
    expect(await random.bernoulli([64], { p: 1 }).sum().item()).toBe(64);
    expect(await random.exponential([1000], { scale: 2 }).mean().item()).toBeCloseTo(2, 0);
    expect(random.choice(tw.arange(9), [4]).shape).toEqual([4]);
    expect(() => tw.random(-1)).toThrow(/seed/);
  });

  test("there is nothing to tune on a CPU", async () => {
    await rejects("unsupported", tw.tune());
    await rejects("argument", tw.tune({ seconds: -1 }));
  });
});
