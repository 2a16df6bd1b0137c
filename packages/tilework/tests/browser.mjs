// The package in headless Chromium with software WebGPU: on a plain page, in every mode, and through Vite. Run `npm run build` first.
//
// usage: node tests/browser.mjs [filter]
//
// CHROME   the browser; /usr/bin/chromium unless told
//
// Exits with 1 if a step fails, prints an error to the console or takes too long.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { BROWSER_ARGUMENTS } from "../../../tests/browser/arguments.mjs";
import { buildWithVite, makeApp, serveWithVite } from "./bundler.mjs";
import { serve } from "./serve.mjs";

const STEP_TIMEOUT_MS = 120_000;
const ARGUMENTS = [
  ...BROWSER_ARGUMENTS,
  "--js-flags=--expose-gc",
  // Not a secure context: a page without WebGPU, in its workers too.
  "--host-resolver-rules=MAP insecure.test 127.0.0.1",
];

const root = resolve(import.meta.dirname, "..");
const filter = process.argv[2] ?? "";
const IMPORT_MAP = { imports: { tilework: "/dist/index.js", "tilework/conformance": "/dist/conformance.js", "tilework/llm": "/dist/llm.js", "tilework/solve": "/dist/solve.js" } };

/** Every energy of meshes there is, from the list that the engine's own names are checked against. */
const MESH_ENERGIES = /MeshEnergyName = (.*);/.exec(readFileSync(join(root, "src/generated/graph_ops.ts"), "utf8"))[1].match(/[\w-]+/g);

/** What NumPy made, of which a page runs a sample. */
const GOLDEN_FOLDER = resolve(root, "../../testdata/numpy");
const GOLDENS = readdirSync(GOLDEN_FOLDER).filter((file) => file.endsWith(".json")).sort();

// A tiny language model with what llama.cpp makes of it; not part of the repository.
const STORIES = process.env.TILEWORK_TEST_DATA && join(process.env.TILEWORK_TEST_DATA, "stories260K");
const MODEL_FILE = "stories260K-f32.gguf";

// Scripts that stand in for the worker's.
const BROKEN_WORKERS = {
  "at once": "this is no script",
  "later": `onmessage = ({ data }) => {
    if (data.kind === "batch") throw new Error("broken on purpose");
    postMessage({ kind: "opened", info: { runsOn: "cpu" } });
  };`,
};

// The first JavaScript example of the README.
async function readmeExample() {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const example = /## Example\s+```js\n([\s\S]*?)```/.exec(readme)?.[1];
  if (!example) throw new Error("the README has no example");
  return example;
}

async function pages() {
  const map = `<script type="importmap">${JSON.stringify(IMPORT_MAP)}</script>`;
  const empty = `<!doctype html><meta charset="utf-8"><title>tilework</title>${map}`;
  const example = `${empty}<script type="module">${await readmeExample()}; window.isDone = true;</script>`;
  const plain = `<!doctype html><meta charset="utf-8"><title>tilework</title><script type="module">
    import { open } from "./dist/index.js";
    const tw = await open({ device: "cpu" });
    window.result = [...(await tw.array([1, 2, 3]).mul(2).toArray())];
  </script>`;
  return { "/": empty, "/example": example, "/plain": plain };
}

// Makes the software adapter look like hardware, in the page (workers are out of reach), so that "auto" takes it.
const disguise = () => {
  Object.defineProperty(GPUAdapterInfo.prototype, "architecture", { get: () => "disguised" });
  Object.defineProperty(GPUAdapterInfo.prototype, "isFallbackAdapter", { get: () => false });
};

// Opens `address`, lets `work` do something with the page and gives its result. Errors in the console are failures, unless expected.
async function onPage(browser, address, work, { prepare = async () => {}, expectsErrors = false } = {}) {
  const page = await browser.newPage();
  const errors = [];
  const lines = [];
  page.on("console", (message) => (message.type() === "error" ? errors : lines).push(message.text()));
  page.on("response", (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
  });
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  try {
    await prepare(page);
    await page.goto(address);
    const result = await work(page, lines);
    if (errors.length > 0 && !expectsErrors) throw new Error(`errors in the console: ${errors.join("\n")}`);
    return result;
  } catch (error) {
    error.message += errors.length > 0 ? `\n${errors.join("\n")}` : "";
    throw error;
  } finally {
    await page.close().catch(() => {});
  }
}

// Calls `name` of page.mjs with the package (or its conformance part) and an argument.
const call = (name, argument, from = "tilework") => (page) =>
  page.evaluate(
    async ([name, argument, from]) => {
      const { [name]: run } = await import("/tests/page.mjs");
      return run(await import(from), argument);
    },
    [name, argument, from],
  );

async function example(page, lines) {
  await page.waitForFunction(() => window.isDone);
  if (lines.length !== 4 || !lines[1].includes("Float32Array(5)")) throw new Error(`the example prints ${lines.join("\n")}`);
  return lines.join(" | ").replaceAll("\n", " ");
}

async function plain(page) {
  await page.waitForFunction(() => window.result);
  return page.evaluate(() => window.result);
}

async function bundled(page) {
  await page.waitForFunction(() => window.result ?? window.failure);
  const { result, failure } = await page.evaluate(() => ({ result: window.result, failure: window.failure }));
  if (failure) throw new Error(failure);
  return result;
}

function plainSteps(browser, origin) {
  const steps = {
    "plain page": () => onPage(browser, `${origin}/plain`, plain),
    "README example": () => onPage(browser, `${origin}/example`, example),
  };
  for (const device of ["gpu", "cpu", "auto"]) {
    for (const worker of [false, true]) {
      const where = worker ? "in a worker" : "in the page";
      steps[`cases on ${device} ${where}`] = () => onPage(browser, origin, call("runCases", { device, worker }));
    }
  }
  for (const worker of [false, true]) {
    const where = worker ? "in a worker" : "in the page";
    steps[`tuning ${where}`] = () => onPage(browser, origin, call("tune", { device: "gpu", worker }));
    steps[`lost device ${where}`] = () => onPage(browser, origin, call("loseDevice", { device: "gpu", worker }));
  }
  const insecure = origin.replace("127.0.0.1", "insecure.test");
  for (const worker of [false, true]) {
    const where = worker ? "in a worker" : "in the page";
    steps[`no WebGPU ${where}`] = () => onPage(browser, insecure, call("withoutGpu", { worker }));
  }
  steps["auto with a GPU"] = () =>
    onPage(browser, origin, call("autoWithGpu", { worker: false }), { prepare: (page) => page.addInitScript(disguise) });
  steps["a trap"] = () => onPage(browser, origin, call("trap"));
  steps["wrong module"] = () => onPage(browser, origin, call("wrongModule"));
  steps["end of a worker"] = () => onPage(browser, origin, call("endOfWorker"));
  for (const [fails, script] of Object.entries(BROKEN_WORKERS)) {
    const prepare = (page) => page.route("**/worker.js", (route) => route.fulfill({ contentType: "text/javascript", body: script }));
    steps[`worker that fails ${fails}`] = () =>
      onPage(browser, origin, call("brokenWorker", { fails }), { prepare, expectsErrors: true });
  }
  const squares = { "cpu, f64": { backend: "cpu", precision: "f64", tolerance: 1e-10 }, "gpu, f32": { backend: "gpu", precision: "f32", tolerance: 1e-5 }, "gpu, df64": { backend: "gpu", precision: "df64", tolerance: 1e-10 } };
  for (const [where, argument] of Object.entries(squares)) {
    steps[`least squares on ${where}`] = () => onPage(browser, origin, call("leastSquares", argument, "tilework/solve"));
  }
  steps["gradients of every operation in double-floats"] = () => onPage(browser, origin, call("everyGradient", undefined, "tilework/solve"));
  for (const energy of MESH_ENERGIES) {
    steps[`gradient of the energy ${energy} in double-floats`] = () => onPage(browser, origin, call("energyGradient", energy, "tilework/solve"));
  }
  for (const worker of [false, true]) {
    const where = worker ? "in a worker" : "in the page";
    steps[`goldens of NumPy on gpu ${where}`] = () => onPage(browser, origin, call("goldens", { device: "gpu", worker, files: GOLDENS }));
  }
  steps["messages to a worker"] = () => onPage(browser, origin, call("messages"));
  steps["the page stays responsive"] = () => onPage(browser, origin, call("staysResponsive"));
  for (const device of ["gpu", "cpu"]) {
    steps[`conformance on ${device}`] = () => onPage(browser, origin, call("conformance", device, "tilework/conformance"));
  }
  return steps;
}

async function modelSteps(browser, origin) {
  if (STORIES === undefined || !existsSync(join(STORIES, MODEL_FILE))) {
    console.log("SKIPPED language models: TILEWORK_TEST_DATA names no folder with stories260K/");
    return {};
  }
  const golden = JSON.parse(await readFile(join(STORIES, "golden_llamacpp.json"), "utf8"));
  const story = golden.outputs[MODEL_FILE].text.trim();
  const steps = {};
  for (const device of ["cpu", "gpu"]) {
    const argument = { device, url: `/stories/${MODEL_FILE}`, story };
    steps[`language model on ${device}`] = () => onPage(browser, origin, call("languageModel", argument, "tilework/llm"));
  }
  return steps;
}

function bundlerSteps(browser, folder) {
  const visit = async (server, wanted) => {
    const requested = [];
    const prepare = async (page) => page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    try {
      const result = await onPage(browser, server.origin, bundled, { prepare });
      if (!requested.some((path) => wanted.test(path))) throw new Error(`none of ${requested} matches ${wanted}`);
      return result;
    } finally {
      await server.close();
    }
  };
  return {
    "app built by Vite": async () => visit(await serve({ folders: { "/": await buildWithVite(folder) } }), /assets\/worker-/),
    // The package is pre-bundled there, which moves it away from its worker and module; Vite has to follow.
    "app on Vite's development server": async () => visit(await serveWithVite(folder), /\.vite\/deps\/tilework\.js/),
  };
}

async function runStep(name, step) {
  const start = performance.now();
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${STEP_TIMEOUT_MS} ms`)), STEP_TIMEOUT_MS);
  });
  try {
    const result = await Promise.race([step(), timeout]);
    const ms = Math.round(performance.now() - start);
    console.log(`ok      ${name} (${ms} ms): ${JSON.stringify(result).slice(0, 200)}`);
    return true;
  } catch (error) {
    console.log(`FAILED  ${name}: ${error.stack ?? error}`);
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function main() {
  const profile = await mkdtemp(join(tmpdir(), "tilework-browser-"));
  const app = await makeApp(root);
  const server = await serve({ pages: await pages(), folders: { "/dist/": join(root, "dist"), "/tests/": join(root, "tests"), "/goldens/": GOLDEN_FOLDER, ...(STORIES ? { "/stories/": STORIES } : {}) } });
  let browser;
  try {
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: process.env.CHROME || "/usr/bin/chromium",
      headless: true,
      args: ARGUMENTS,
    });
    const steps = { ...plainSteps(browser, server.origin), ...(await modelSteps(browser, server.origin)), ...bundlerSteps(browser, app) };
    for (const [name, step] of Object.entries(steps)) {
      if (name.includes(filter) && !(await runStep(name, step))) process.exitCode = 1;
    }
  } finally {
    await browser?.close().catch(() => {});
    server.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    await rm(app, { recursive: true, force: true });
  }
}

await main();
