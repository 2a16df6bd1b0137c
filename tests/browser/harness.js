// The page side of the browser tests: runs what the address asks for and leaves the outcome in `window.report`.
//
// ?device=gpu|cpu    the device to open
// &filter=text       conformance cases with this in their name
// &part=0&parts=2    only those of this part of so many
// &first=1           only the first result, no conformance cases
// &nogpu=1           pretend that this browser has no WebGPU and test what users then see
//
// `window.report` is always set in the end, with `error` in it if something was thrown. `window.progress` says how far it is.
// Imports are dynamic, so that a module which does not load is reported like any other failure.

const parameters = new URLSearchParams(location.search);
const device = parameters.get("device") ?? "auto";

window.progress = "loading";

async function run() {
  if (parameters.has("nogpu")) Object.defineProperty(navigator, "gpu", { value: undefined });
  const { default: init, Engine } = await import("/target/web/tilework.js");
  await init();
  if (parameters.has("nogpu")) return withoutGpu(Engine);

  const engine = await Engine.open(device);
  await verifyFirstResult(engine);
  // Counted from the start of navigation: what a visitor waits for.
  const firstResultMs = performance.now();
  const name = deviceName(engine);
  if (parameters.has("first")) return { name, firstResultMs };

  const { testArrays, testLostDevice } = await import("./arrays.js");
  window.progress = "arrays";
  const nArrayTests = await testArrays(engine);
  if (device === "gpu") await testLostDevice(Engine);
  await verifyUnknownDevice(Engine);

  const onProgress = (done, total, name) => {
    window.progress = `${done}/${total} ${name}`;
  };
  // The cases are in a module of their own, so that visitors need not download them.
  const cases = await import("/target/web/conformance/tilework.js");
  await cases.default();
  const tested = await cases.Engine.open(device);
  const [part, nParts] = ["part", "parts"].map((name) => Number(parameters.get(name) ?? (name === "parts" ? 1 : 0)));
  const conformance = JSON.parse(await tested.conformance(parameters.get("filter") ?? "", onProgress, part, nParts));
  return { name, firstResultMs, nArrayTests, ...conformance };
}

async function verifyUnknownDevice(Engine) {
  const refusal = await Engine.open("abacus").then(() => undefined, (error) => error);
  if (refusal?.code !== "argument") throw new Error(`an unknown device must be refused with code "argument", not ${refusal}`);
}

// One small multiplication; wrong numbers are an error like any other.
async function verifyFirstResult(engine) {
  const left = engine.array(new Float32Array([1, 2, 3]), [3], "float32");
  const right = engine.array(new Float32Array([4, 5, 0.5]), [3], "float32");
  const product = await engine.call("mul", [left, right], {}).toArray();
  const expected = [4, 10, 1.5];
  if (!(product instanceof Float32Array)) throw new Error("toArray must give a Float32Array");
  if (product.length !== 3 || expected.some((value, index) => value !== product[index])) {
    throw new Error(`[1, 2, 3] * [4, 5, 0.5] must be [${expected}], not [${product}]`);
  }
}

// A report must say what it was made on, also where the browser hides the adapter's name.
function deviceName(engine) {
  const { name, backend, software } = JSON.parse(engine.info());
  if (!name || !backend || typeof software !== "boolean") throw new Error(`the device is not described: ${engine.info()}`);
  return name;
}

// Without WebGPU: asking for it is refused in words, and the automatic choice computes on the CPU.
async function withoutGpu(Engine) {
  const refusal = await Engine.open("gpu").then(() => undefined, (error) => error);
  if (refusal === undefined) throw new Error('Engine.open("gpu") must reject without WebGPU');
  if (!(refusal instanceof Error)) throw new Error(`Engine.open("gpu") must reject with an Error, not ${typeof refusal}`);
  const { message, code } = refusal;
  if (code !== "no_device") throw new Error(`the code without WebGPU is "${code}"`);
  const isReadable = message.length >= 20 && /gpu/i.test(message) && !/\[object|unreachable|undefined|panicked/.test(message);
  if (!isReadable) throw new Error(`this message helps nobody: "${message}"`);

  const engine = await Engine.open("auto");
  const info = JSON.parse(engine.info());
  if (!/cpu/i.test(`${info.backend} ${info.name}`)) throw new Error(`"auto" must choose the CPU, not ${engine.info()}`);
  await verifyFirstResult(engine);
  return { message };
}

// Errors of a kind that cannot be shown otherwise still get a line.
const describe = (error) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

run().then(
  (report) => { window.report = report; },
  (error) => { window.report = { error: describe(error) }; },
);
