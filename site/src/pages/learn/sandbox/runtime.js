// Runs a lesson's host code inside the sandboxed frame (public/learn/run.html), which gets this file as text. Nothing of WebGPU is
// replaced: every call goes to the browser unchanged. It is only watched, so that an error can be shown at the line it came from.
//
// job: { host, shaders: { name: text }, calls: [input] }. Posts messages as listed in messages.ts, "done" last.

// A loop that prints must not drown the page it prints to. Problems count apart, so that none drowns in what was printed.
const MAX_MESSAGES = 400;
const MAX_PROBLEMS = 40;
const MAX_TEXT = 4000;

export async function start(job, post) {
  const address = URL.createObjectURL(new Blob([job.host], { type: "text/javascript" }));
  const lines = new Lines(address);
  let nMessages = 0;
  const tell = (message) => {
    nMessages += 1;
    if (nMessages < MAX_MESSAGES) post(message);
    else if (nMessages === MAX_MESSAGES) post({ kind: "log", level: "warn", text: "More was printed than is shown here." });
  };
  let nProblems = 0;
  const problem = (found) => {
    nProblems += 1;
    if (nProblems <= MAX_PROBLEMS) post({ kind: "problem", problem: found });
  };
  const fail = (error) => problem({ source: "script", file: "host.js", message: describe(error), ...lines.of(error?.stack) });
  watchConsole(tell);
  addEventListener("unhandledrejection", (event) => fail(event.reason));
  addEventListener("error", (event) => fail(event.error ?? event.message));
  const gpu = watchGpu(job.shaders, lines, problem);
  try {
    const run = hasGpu(problem) ? await load(job.host, address, problem) : null;
    for (const [index, input] of run === null ? [] : job.calls.entries()) {
      gpu.nSubmits = 0;
      try {
        const value = await run(input, { shaders: job.shaders, show: showing(tell) });
        await gpu.settled();
        post({ kind: "answer", index, value, nSubmits: gpu.nSubmits });
      } catch (error) {
        await gpu.settled();
        fail(error);
        break;
      } finally {
        gpu.close();
      }
    }
  } catch (error) {
    fail(error);
  }
  post({ kind: "done" });
}

/** A browser may offer WebGPU to the studio and not to a frame without an origin; then that is the message, not an error of the code. */
function hasGpu(problem) {
  if (navigator.gpu !== undefined) return true;
  problem({ source: "gpu", file: "", message: "This browser offers no WebGPU to the closed-off frame that lesson code runs in. Another browser may." });
  return false;
}

/** The exported function `run` of the host code; null, and a problem told, if there is none. */
async function load(host, address, problem) {
  try {
    const { run } = await import(address);
    if (typeof run === "function") return run;
    problem({ source: "script", file: "host.js", message: "host.js must export a function named run: export async function run(input, { shaders, show })" });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    problem({ source: "script", file: "host.js", message: describe(error), ...(await placeOfSyntaxError(host)) });
  }
  return null;
}

/** An import that cannot be read does not say where; a script element with the same text does, and runs nothing of it either. */
function placeOfSyntaxError(host) {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.type = "module";
    script.src = URL.createObjectURL(new Blob([host], { type: "text/javascript" }));
    const found = (event) => {
      event.stopImmediatePropagation();
      event.preventDefault();
      resolve({ line: event.lineno, column: event.colno });
    };
    addEventListener("error", found, { once: true, capture: true });
    script.addEventListener("load", () => resolve({}));
    document.head.append(script);
  });
}

/** Finds the line of the host code in a stack. */
class Lines {
  constructor(address) {
    this.pattern = new RegExp(`${address.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}:(\\d+):(\\d+)`);
  }

  of(stack) {
    const match = this.pattern.exec(String(stack ?? ""));
    return match === null ? {} : { line: Number(match[1]), column: Number(match[2]) };
  }

  /** Where the host code is at this moment. */
  now() {
    return this.of(new Error().stack);
  }
}

function describe(error) {
  return error instanceof Error || error instanceof DOMException ? `${error.name}: ${error.message}` : String(error);
}

function watchConsole(tell) {
  for (const level of ["log", "info", "warn", "error", "debug"]) {
    console[level] = (...values) => tell({ kind: "log", level, text: values.map(print).join(" ").slice(0, MAX_TEXT) });
  }
}

function print(value) {
  if (typeof value === "string") return value;
  // Single precision has about seven digits; what a sum in double precision adds behind them says nothing.
  if (typeof value === "number") return String(Number.isInteger(value) ? value : Number(value.toPrecision(7)));
  if (value instanceof Error) return describe(value);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const shown = Array.from(value.subarray(0, 64), (number) => (typeof number === "number" ? Number(number.toPrecision(7)) : number)).join(", ");
    return `${value.constructor.name}(${value.length}) [${shown}${value.length > 64 ? ", …" : ""}]`;
  }
  try {
    return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner)) ?? String(value);
  } catch {
    return String(value);
  }
}

/** What host code can show beside text. */
function showing(tell) {
  const list = (values) => Array.from(values ?? [], Number);
  return {
    text: (...values) => tell({ kind: "log", level: "log", text: values.map(print).join(" ").slice(0, MAX_TEXT) }),
    facts: (pairs, title = "") => tell({ kind: "show", item: { type: "facts", title: String(title), pairs: Object.entries(pairs).map(([name, value]) => [name, print(value)]) } }),
    table: (values, nRows, nCols, title = "") => tell({ kind: "show", item: { type: "table", title: String(title), values: list(values), nRows, nCols } }),
    bars: (values, labels, title = "") => tell({ kind: "show", item: { type: "bars", title: String(title), values: list(values), labels: Array.from(labels ?? [], String) } }),
    images: (images, width, height, title = "") =>
      tell({ kind: "show", item: { type: "images", title: String(title), width, height, images: Array.from(images, ({ pixels, caption = "", wrong = false }) => ({ pixels: list(pixels), caption: String(caption), wrong: Boolean(wrong) })) } }),
  };
}

// The calls that WebGPU validates, by the object they belong to. Their errors arrive later; the line has to be noted now.
const WATCHED = {
  GPUDevice: ["createBuffer", "createBindGroup", "createBindGroupLayout", "createPipelineLayout", "createComputePipeline", "createShaderModule"],
  GPUQueue: ["submit", "writeBuffer"],
  GPUCommandEncoder: ["finish"],
};

/** Listens to every device the host code opens. */
function watchGpu(shaders, lines, problem) {
  const pending = [];
  const devices = new Set();
  const deviceOf = new WeakMap();
  // While host code has an error scope open of its own, its errors are its business.
  const nScopes = new WeakMap();
  const watch = { nSubmits: 0, settled, close };
  if (typeof GPUAdapter === "undefined") return watch;
  // The browser's own, since those on the prototype will count.
  const { pushErrorScope, popErrorScope } = GPUDevice.prototype;

  wrap(GPUAdapter, "requestDevice", async (request, _, ...args) => {
    const device = await request(...args);
    devices.add(device);
    deviceOf.set(device, device);
    deviceOf.set(device.queue, device);
    device.addEventListener("uncapturederror", (event) => {
      event.preventDefault();
      problem({ source: "gpu", file: "host.js", message: event.error.message });
    });
    device.lost.then(({ reason, message }) => {
      if (reason !== "destroyed") problem({ source: "gpu", file: "host.js", message: `The device was lost: ${message}` });
    });
    return device;
  });
  wrap(GPUDevice, "createCommandEncoder", (create, device, ...args) => {
    const encoder = create(...args);
    deviceOf.set(encoder, device);
    return encoder;
  });
  wrap(GPUDevice, "pushErrorScope", (push, device, filter) => {
    nScopes.set(device, (nScopes.get(device) ?? 0) + 1);
    return push(filter);
  });
  wrap(GPUDevice, "popErrorScope", (pop, device) => {
    nScopes.set(device, Math.max((nScopes.get(device) ?? 0) - 1, 0));
    return pop();
  });
  for (const [owner, names] of Object.entries(WATCHED)) {
    for (const name of names) wrapValidated(self[owner], name);
  }
  return watch;

  function wrap(owner, name, body) {
    const original = owner.prototype[name];
    owner.prototype[name] = function (...args) {
      return body((...given) => original.apply(this, given), this, ...args);
    };
  }

  function wrapValidated(owner, name) {
    const original = owner.prototype[name];
    owner.prototype[name] = function (...args) {
      const device = deviceOf.get(this);
      if (name === "submit") watch.nSubmits += 1;
      if (device === undefined || (nScopes.get(device) ?? 0) > 0) return original.apply(this, args);
      const place = lines.now();
      pushErrorScope.call(device, "validation");
      try {
        const result = original.apply(this, args);
        if (name === "createShaderModule") readCompilation(result, args[0]?.code ?? "", place);
        return result;
      } finally {
        const isShader = name === "createShaderModule";
        pending.push(popErrorScope.call(device).then((error) => {
          // What is wrong with a shader comes by its compilation info, with lines.
          if (error !== null && !isShader) problem({ source: "gpu", file: "host.js", message: error.message, call: name, ...place });
        }, () => {}));
      }
    };
  }

  function readCompilation(module, code, place) {
    pending.push(module.getCompilationInfo().then(({ messages }) => {
      for (const { type, message, lineNum, linePos, length } of messages) problem({ source: "wgsl", severity: type, message, ...placeInShader(code, lineNum, linePos, length, place) });
    }, () => {}));
  }

  /** A line of the code that was compiled as a line of the tab it came from; host code may have joined several. */
  function placeInShader(code, line, column, length, place) {
    for (const [file, text] of Object.entries(shaders)) {
      const at = text === "" ? -1 : code.indexOf(text);
      if (at < 0) continue;
      const before = code.slice(0, at).split("\n").length - 1;
      if (line > before && line <= before + text.split("\n").length) return { file, line: line - before, column, length };
    }
    return { file: "host.js", ...place };
  }

  async function settled() {
    await Promise.all([...devices].map((device) => device.queue.onSubmittedWorkDone().catch(() => {})));
    while (pending.length > 0) await pending.shift();
  }

  function close() {
    for (const device of devices) device.destroy();
    devices.clear();
  }
}
