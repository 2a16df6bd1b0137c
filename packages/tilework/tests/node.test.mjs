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
    fft: (x) => x.fft({ axis: -1 }),
    gather: (x) => x.gather(tw.arange(2), { axis: 0 }),
    irfft: (x) => x.irfft({ axis: 0, n: 2, norm: "ortho" }),
    matmul: (x) => x.matmul(x),
    maxUnpool: (x) => x.reshape([1, 1, 4]).maxUnpool(tw.arange(4).reshape([1, 1, 4]), { sizes: 4, kernel: 1 }),
    pool: (x) => x.reshape([1, 1, 2, 2]).pool({ kind: "mean", kernel: [2, 1], stride: 1, padding: 1 }),
    randomBits: () => tw.arange(4).cast("uint32").randomBits({ n: 5 }),
    randomGamma: (x) => tw.arange(4).cast("uint32").randomGamma(x),
    reduce: (x) => x.reduce({ combine: "sum", axes: [0], keepAxes: true }),
    rfft: (x) => x.rfft({ axis: 1 }),
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
