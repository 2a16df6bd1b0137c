// The page's side of the browser tests: each function is called by browser.mjs with the package already imported.

import { CASES, refuses, rejects, same } from "./cases.mjs";

// Runs every case on a device of its own; returns how many.
export async function runCases(tilework, options) {
  const tw = await tilework.open(options);
  same(tw.info.worker, options.worker ?? false);
  same(tw.info.requested, options.device);
  for (const [name, run] of Object.entries(CASES)) {
    await run(tw, tilework).catch((error) => {
      throw new Error(`${name}: ${error.stack ?? error}`);
    });
  }
  const { name, runsOn, features } = tw.info;
  tw.dispose();
  return { name, runsOn, features, nCases: Object.keys(CASES).length };
}

// A lost device is told, and reopening repairs it.
export async function loseDevice(tilework, options) {
  const tw = await tilework.open(options);
  const x = tw.array([1, 2, 3]);
  const onGpu = x.mul(2);
  await tw.eval(onGpu);
  // What is on its way is read or refused, but never left open.
  const pending = [x.add(1).toArray(), tw.eval(x.add(2)), x.add(3).show()];
  const outcomes = pending.map((promise) => promise.then(() => "done", ({ code }) => code));
  await tw.simulateLoss();
  for (const outcome of await Promise.all(outcomes)) same(["done", "device_lost"].includes(outcome), true);
  const failures = [await rejects("device_lost", x.mul(3).toArray()), await rejects("device_lost", onGpu.toArray())];
  await rejects("device_lost", tw.eval(x.mul(4)));
  await tw.reopen();
  same([...(await x.mul(5).toArray())], [5, 10, 15]);
  await rejects("device_lost", onGpu.toArray());
  tw.dispose();
  return failures[0].message;
}

// Tuning names a kernel for every problem it had time for, and what it found is there when the device is opened again.
export async function tune(tilework, options) {
  localStorage.clear();
  const tw = await tilework.open(options);
  await rejects("argument", tw.tune({ seconds: 0 }));
  const seen = [];
  const tuned = await tw.tune({ seconds: 1, onProgress: (next) => seen.push(next) });
  same(seen.length >= tuned.length && tuned.length > 0, true);
  for (const { chosen, ms } of tuned) same(ms[chosen] <= Object.values(ms)[0], true);
  const kept = Object.entries(localStorage).filter(([key]) => key.includes(tw.info.name));
  same(kept.length, 1);
  tw.dispose();
  // A kept choice decides: the teaching kernel is never the default.
  localStorage.setItem(kept[0][0], "matmul  simple\nnonsense");
  const again = await tilework.open(options);
  const product = (tw) => tw.ones([256, 256]).matmul(tw.ones([256, 256]));
  const kernels = async (tw) => (await product(tw).kernels()).join("");
  const simple = await kernels(again);
  same(await product(again).sum().item(), 256 ** 3);
  await again.useTuned([]);
  same((await kernels(again)) === simple, false);
  again.dispose();
  localStorage.clear();
  return tuned.map(({ sizes, chosen }) => `${sizes.join("·")} ${chosen}`).join(", ");
}

// Without WebGPU: asking for it is refused in words, and the automatic choice computes on the CPU and says why.
export async function withoutGpu(tilework, { worker }) {
  const { message } = await rejects("no_device", tilework.open({ device: "gpu", worker }));
  if (!/WebGPU/.test(message) || !/Chrome/.test(message)) throw new Error(`this message helps nobody: ${message}`);
  const tw = await tilework.open({ device: "auto", worker });
  same([tw.info.runsOn, tw.info.backend], ["cpu", "cpu"]);
  if (!/WebGPU/.test(tw.info.note)) throw new Error(`the note is "${tw.info.note}"`);
  same(await tw.ones([4]).sum().item(), 4);
  return message;
}

// The automatic choice with a GPU, and without it once it is lost: the CPU takes over.
export async function autoWithGpu(tilework, { worker }) {
  const tw = await tilework.open({ device: "auto", worker });
  same([tw.info.runsOn, tw.info.backend, tw.info.note], ["auto", "webgpu", ""]);
  const x = tw.array([1, 2, 3]);
  same([...(await x.mul(2).toArray())], [2, 4, 6]);
  await tw.simulateLoss();
  const y = x.mul(3);
  await tw.eval(y);
  same([...(await y.toArray())], [3, 6, 9]);
  same([...(await y.toArray(new Float32Array(3)))], [3, 6, 9]);
  await tw.reopen();
  tw.dispose();
  return tw.info.name;
}

// A module that is none is refused, and the next attempt starts afresh.
export async function wrongModule(tilework) {
  const { message } = await rejects("io", tilework.open({ device: "cpu", wasm: "/plain" }));
  const stages = [];
  const tw = await tilework.open({ device: "cpu", onProgress: ({ stage }) => stages.push(stage) });
  same([...new Set(stages)], ["download", "compile", "device", "ready"]);
  tw.dispose();
  return message;
}

// A trap inside of the engine ends in the global object; what is awaited must not stay open.
export async function trap(tilework) {
  const tw = await tilework.open({ device: "cpu" });
  const reading = tw.ones([2]).toArray();
  const stop = (event) => event.preventDefault();
  addEventListener("error", stop);
  dispatchEvent(new ErrorEvent("error", { error: new WebAssembly.RuntimeError("unreachable"), cancelable: true }));
  removeEventListener("error", stop);
  return (await rejects("kernel", reading)).message;
}

// A device that is disposed of leaves no promise open.
export async function endOfWorker(tilework) {
  const tw = await tilework.open({ device: "cpu", worker: true });
  const x = tw.ones([1000, 1000]);
  const reading = x.matmul(x).toArray();
  tw.dispose();
  return (await rejects("disposed", reading)).message;
}

// A worker that fails is an error with a code, whenever it does.
export async function brokenWorker(tilework, { fails }) {
  const opening = tilework.open({ device: "cpu", worker: true });
  if (fails === "at once") return (await rejects("kernel", opening)).message;
  const tw = await opening;
  const { message } = await rejects("kernel", tw.ones([2]).toArray());
  refuses("kernel", () => tw.ones([2]));
  return message;
}

// What is queued in one turn goes out as one message, and arrays that nobody holds are freed in the worker too.
export async function messages(tilework) {
  const counts = { batches: 0, frees: 0 };
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.kind === "batch") counts.batches++;
    counts.frees += message.commands?.filter(({ kind }) => kind === "free").length ?? 0;
    return postMessage.call(this, message, ...rest);
  };
  const tw = await tilework.open({ device: "cpu", worker: true });
  const x = tw.ones([4]);
  for (let i = 0; i < 1000; i++) x.add(i);
  const reading = x.toArray();
  await Promise.resolve();
  same(counts, { batches: 1, frees: 0 });
  await reading;
  for (let i = 0; i < 100 && counts.frees < 900; i++) {
    globalThis.gc();
    await new Promise((done) => setTimeout(done, 20));
  }
  if (counts.frees < 900) throw new Error(`of 1000 arrays ${counts.frees} were freed`);
  same([...(await x.toArray())], [1, 1, 1, 1]);
  tw.dispose();
  return counts;
}

// Work in a worker leaves the page free: timers keep running while a large product is computed.
export async function staysResponsive(tilework) {
  const tw = await tilework.open({ device: "cpu", worker: true });
  let longestMs = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  }, 5);
  const x = tw.linspace(0, 1, 700 * 700).reshape([700, 700]);
  const start = performance.now();
  await tw.eval(x.matmul(x), x.exp().matmul(x));
  clearInterval(timer);
  const computingMs = performance.now() - start;
  tw.dispose();
  if (longestMs > computingMs / 2) throw new Error(`nothing happened for ${longestMs} of ${computingMs} ms`);
  return { computingMs, longestMs };
}

// A language model from an address: downloaded once, kept, told to stop, removed. `story` is how a text goes on by llama.cpp.
export async function languageModel({ inspect, LanguageModel, removeStoredModel, storedModels }, { device, url, story }) {
  await removeStoredModel(url);
  same((await inspect(url)).architecture, "llama");
  const stages = [];
  const open = () => LanguageModel.open(url, { device, onProgress: ({ stage }) => stages.at(-1) !== stage && stages.push(stage) });
  const model = await open();
  same([model.device.worker, model.device.runsOn], [true, device]);
  same(stages, ["engine", "head", "download", "weights", "ready"]);
  const answer = await model.completions.create({ prompt: "", max_tokens: 40, temperature: 0 });
  const text = answer.choices[0].text.trim();
  if (text.length < 20 || !story.startsWith(text)) throw new Error(`it tells ${text}`);
  let n = 0;
  for await (const _ of await model.completions.create({ prompt: "Once", stream: true, max_tokens: 400 })) if (++n === 4) break;
  const again = await model.completions.create({ prompt: "", max_tokens: 40, temperature: 0 });
  same(again.choices[0].text.trim(), text);
  same(await model.chat.completions.create({ messages: [] }).then(() => undefined, (error) => error.code), "argument");
  model.dispose();
  const [stored] = await storedModels();
  same([stored.url, stored.sizeBytes], [new URL(url, location.href).href, model.summary.fileBytes]);
  const kept = await open();
  kept.dispose();
  await removeStoredModel(url);
  same(await storedModels(), []);
  const controller = new AbortController();
  const aborted = LanguageModel.open(url, { device, signal: controller.signal, onProgress: () => controller.abort() });
  same((await aborted.then(() => undefined, (error) => error))?.name, "AbortError");
  return { text, promptMs: answer.timings.promptMs, writtenMs: answer.timings.writtenMs };
}

// Problems and compiled residuals in a worker: answers, steps, an abort within an iteration, and the same on both devices.
export async function leastSquares({ CompiledResiduals, Problem, V, Vec2 }, { backend, precision, tolerance }) {
  const near = (a, b, tolerance) => {
    if (!(Math.abs(a - b) <= tolerance)) throw new Error(`${a} is not ${b} but for ${tolerance}`);
  };
  const problem = new Problem();
  const [n, center, radius] = [200, problem.addParams(2, [0.1, 0.2]), problem.addParams(1, [1])];
  const [zeros, angles] = [new Uint32Array(n), Array.from({ length: n }, (_, i) => i / 40)];
  const data = [angles.map((angle) => 3 + 2.5 * Math.cos(angle)), angles.map((angle) => -1 + 2.5 * Math.sin(angle))];
  problem.addResiduals({ params: [[center, zeros], [radius, zeros]], data }, ([c, r], [x, y]) => c.distance(new Vec2(x, y)).sub(r));
  const seen = [];
  const summary = await problem.solve({ backend, precision, maxIterations: 60, functionTolerance: 1e-14, onIteration: ({ number }) => seen.push(number) });
  same([summary.runsOn, summary.counts.groups, seen.length], [backend, 1, summary.iterations.length]);
  [3, -1, 2.5].forEach((value, k) => near([...problem.values(center), ...problem.values(radius)][k], value, 10 * tolerance));
  const params = Float64Array.from({ length: 300 }, (_, i) => Math.sin(i));
  const compile = (backend, precision) => CompiledResiduals.compile(params, (p) => p.slice(1).map((x, i) => x.mul(p[i]).sin().add(V.W(i)).sqrt()), { backend, precision });
  const [here, reference] = [await compile(backend, precision), await compile("cpu", "f64")];
  same([here.device.runsOn, here.device.worker, (await here.counts()).groups], [backend, true, 1]);
  const [{ sum, gradient }, wanted] = [await here.evaluateSumWithGradient(), await reference.evaluateSumWithGradient()];
  near(sum / wanted.sum, 1, tolerance);
  const largest = Math.max(...wanted.gradient.map(Math.abs));
  const error = Math.max(...gradient.map((slope, i) => Math.abs(slope - wanted.gradient[i]))) / largest;
  near(error, 0, tolerance);
  const { dispatches } = await here.counts();
  same(dispatches > 0, backend === "gpu");
  for (const compiled of [here, reference]) compiled.dispose();
  // Endless, but for the signal.
  const controller = new AbortController();
  const endless = { functionTolerance: 0, gradientTolerance: 0, parameterTolerance: 0, maxIterations: 1e7, backend, precision, onIteration: ({ number }) => number === 3 && controller.abort() };
  const valley = new Problem();
  const x = valley.addParams(1, Array.from({ length: 2000 }, (_, i) => Math.cos(i)));
  valley.addResiduals({ instances: 1999 }, (i) => [V.param(x, i + 1).sub(V.param(x, i).square()).mul(10), V.sub(1, V.param(x, i))]);
  same((await valley.solve({ ...endless, signal: controller.signal }).then(() => undefined, (error) => error))?.name, "AbortError");
  return { iterations: summary.iterations.length - 1, gradientError: error };
}

// The gradient of every operation that recorded numbers have, on a GPU in double-floats, against the CPU's doubles.
export async function everyGradient({ CompiledResiduals, Scalar }) {
  const table = Object.getPrototypeOf(Scalar.prototype);
  const onBits = /^(bit|shift|and$|or$|xor$|not$|to[A-Z])/;
  const isOp = (name) => !["constructor", "apply"].includes(name) && !onBits.test(name);
  const names = Object.getOwnPropertyNames(table).filter(isOp);
  if (names.length < 55) throw new Error(`only ${names.length} operations`);
  // Where all functions are defined, and away from their kinks; acosh begins at 1.
  const [perOp, start] = [6, (name) => (name === "acosh" ? 1.4 : 0.15)];
  const values = names.flatMap((name) => Array.from({ length: 3 * perOp }, (_, i) => start(name) + 0.04 * i));
  const residuals = (p) =>
    names.flatMap((name, op) =>
      Array.from({ length: perOp }, (_, i) => {
        const [a, b, c] = [0, 1, 2].map((k) => p[3 * (perOp * op + i) + k]);
        return name === "select" ? a.lt(b).select(b.mul(b), c) : a[name](...[b, c].slice(0, a[name].length));
      }),
    );
  const gradientOn = async (backend, precision) => {
    const compiled = await CompiledResiduals.compile(values, residuals, { backend, precision });
    const gradient = await compiled.evaluateGradient();
    const { groups } = await compiled.counts();
    compiled.dispose();
    return { gradient, groups };
  };
  const [here, reference] = [await gradientOn("gpu", "df64"), await gradientOn("cpu", "f64")];
  same(here.groups, reference.groups);
  let [worst, worstName, nDifferentiable] = [0, "", 0];
  names.forEach((name, op) => {
    const range = [3 * perOp * op, 3 * perOp * (op + 1)];
    const [found, wanted] = [here, reference].map(({ gradient }) => gradient.slice(...range));
    const largest = Math.max(...wanted.map(Math.abs));
    const error = Math.max(...found.map((slope, i) => Math.abs(slope - wanted[i]))) / (largest || 1);
    nDifferentiable += largest > 0 ? 1 : 0;
    if (!(error < 1e-10)) throw new Error(`the gradient of ${name} is off by ${error}`);
    if (error > worst) [worst, worstName] = [error, name];
  });
  if (nDifferentiable < 40) throw new Error(`only ${nDifferentiable} operations have a slope`);
  return { operations: names.length, differentiable: nDifferentiable, worst, worstName };
}

// The gradient of an energy of meshes, on a GPU in double-floats, against the CPU's doubles; that of singles is told.
export async function energyGradient({ Problem }, energy) {
  // Pulled out of shape, so that no energy is at rest; the engine's own rotations stay none at all.
  const { positions, faces } = tetrahedron();
  const problem = new Problem();
  problem.addMesh(problem.addParams(3, positions), faces, { [energy]: 1 });
  const numberAt = (i) => (i < positions.length ? positions[i] * (1.1 + 0.2 * Math.sin(1.7 * i)) : (i - positions.length) % 4 === 0 ? 1 : 0);
  const gradientOn = async (backend, precision) => {
    const compiled = await problem.compile({ backend, precision });
    same(compiled.device.runsOn, backend);
    const gradient = await compiled.evaluateGradient(Float64Array.from({ length: compiled.nParams }, (_, i) => numberAt(i)));
    compiled.dispose();
    return gradient;
  };
  const reference = await gradientOn("cpu", "f64");
  const largest = Math.max(...reference.map(Math.abs));
  if (!(largest > 0)) throw new Error("a gradient of zeros tells nothing");
  const errorOf = async (precision) => Math.max(...(await gradientOn("gpu", precision)).map((slope, i) => Math.abs(slope - reference[i]))) / largest;
  const [df64, f32] = [await errorOf("df64"), await errorOf("f32")];
  if (!(df64 < 1e-10)) throw new Error(`the gradient is off by ${df64}`);
  return { df64, f32 };
}

/** Small on purpose: kernels of vertices grow with their neighbours, and a software adapter compiles those of double-floats slowly. */
function tetrahedron() {
  return { positions: [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1], faces: [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2] };
}

// A conformance run with a filter, and one that is ended early.
export async function conformance({ runConformance }, device) {
  const seen = [];
  const report = await runConformance({ device, filter: "softmax", onProgress: (progress) => seen.push(progress) });
  same(report.failed, 0);
  if (report.passed < 5 || seen.length < 5 || seen[0].total < 5) throw new Error(JSON.stringify(report));
  const controller = new AbortController();
  const run = runConformance({ device, signal: controller.signal, onProgress: () => controller.abort() });
  const reason = await run.then(() => undefined, (error) => error);
  same(reason?.name, "AbortError");
  return report;
}

const GOLDEN_EVERY = 10;

// Every tenth golden of NumPy; all of them run in Node.js, on the CPU.
export async function goldens({ open }, { device, worker, files }) {
  const { check, parse, title } = await import("./goldens.mjs");
  const tw = await open({ device, worker, ops: "numpy" });
  let nCases = 0;
  const wrong = [];
  for (const file of files) {
    const cases = parse(await (await fetch(`/goldens/${file}`)).text());
    for (const golden of cases.filter(({ gpu }, index) => index % GOLDEN_EVERY === 0 && gpu !== false)) {
      const problem = await check(tw, golden);
      if (problem !== undefined) wrong.push(`${file}: ${title(golden)}: ${problem}`);
      nCases += 1;
    }
  }
  tw.dispose();
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  return { cases: nCases };
}
