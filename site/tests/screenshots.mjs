// A picture of every page, wide and narrow, light and dark.
//
// usage: node site/tests/screenshots.mjs <folder> [page]

import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { launch } from "./browser.mjs";
import { serve } from "./serve.mjs";

const [folder, only] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node site/tests/screenshots.mjs <folder> [page]");
  process.exit(2);
}

const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 740 } };
const LONG_MS = 120_000;

// What each picture shows, and how the page gets there.
const SHOTS = {
  home: { hash: "#/?device=gpu", ready: (page) => page.waitForFunction(() => performance.getEntriesByName("tilework:first-result").length > 0) },
  benchmark: { hash: "#/benchmark?n=64,128,256", ready: runBenchmark },
  conformance: { hash: "#/conformance?filter=scalar s", ready: runConformance },
  "kernels-expression": { hash: "#/kernels", ready: (page) => page.waitForSelector(".kernel-pair .code") },
  "kernels-sources": { hash: "#/kernels?view=sources", ready: (page) => page.waitForSelector(".source .code") },
  about: { hash: "#/about", ready: async () => {} },
  document: { hash: "#/about?doc=architecture", ready: (page) => page.waitForSelector(".prose h1") },
  "device-panel": { hash: "#/", ready: openPanel, viewportOnly: true },
  "device-panel-gpu": { hash: "#/?device=gpu", ready: openPanel, viewportOnly: true },
  "device-panel-tuned": { hash: "#/?device=gpu", ready: tuneKernels, viewportOnly: true },
  "benchmark-fourier": { hash: "#/benchmark?op=fft&n=64,128", ready: runBenchmark },
  "device-lost": { hash: "#/?device=gpu", ready: loseDevice, viewportOnly: true },
  "engine-failed": { hash: "#/", before: (page) => page.route(/\.wasm$/, (route) => route.abort()), ready: (page) => page.getByText("The engine did not start").waitFor(), viewportOnly: true },
  "engine-loading": { hash: "#/", before: (page) => page.route(/\.wasm$/, () => {}), ready: (page) => page.waitForSelector(".demo-loading"), viewportOnly: true },
  "benchmark-empty": { hash: "#/benchmark", ready: clearHistory },
  "benchmark-running": { hash: "#/benchmark?n=128,4096", ready: startBenchmark, viewportOnly: true },
  "benchmark-wrong": { hash: "#/benchmark?n=128", before: answerWrongly, ready: (page) => page.getByRole("button", { name: "Run", exact: true }).click().then(() => page.getByText("results are wrong").waitFor()) },
  "benchmark-cancelled": { hash: "#/benchmark?n=128,4096", ready: cancelBenchmark, viewportOnly: true },
  "conformance-empty": { hash: "#/conformance", ready: (page) => page.getByText("software adapter", { exact: true }).waitFor(), viewportOnly: true },
  "conformance-failed": { hash: "#/conformance", before: failCases, ready: (page) => page.getByRole("button", { name: "Run", exact: true }).click().then(() => page.locator(".failures").first().waitFor()) },
  "conformance-running": { hash: "#/conformance?filter=more rows", ready: startLongCase, viewportOnly: true, alone: true },
  "conformance-cancelled": { hash: "#/conformance?filter=more rows", ready: (page) => startLongCase(page).then(() => page.getByRole("button", { name: "Cancel" }).click()), viewportOnly: true, alone: true },
  "page-failed": { hash: "#/conformance", before: (page) => page.route(/assets\/Conformance.*\.js$/, (route) => route.abort()), ready: (page) => page.getByText("This page stopped working").waitFor(), viewportOnly: true },
  learn: { hash: "#/learn", before: (page) => page.addInitScript(() => localStorage.setItem("tilework:learn-done", "1,2")), ready: (page) => page.waitForSelector(".lesson-list") },
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((number) => [`learn-${number}`, { hash: `#/learn/${number}`, ready: (page) => runLesson(page, number) }])),
  notebooks: { hash: "#/notebook", ready: (page) => page.waitForSelector(".nb-tile") },
  ...Object.fromEntries(["basics", "fft-filter"].map((id) => [`notebook-${id}`, { hash: `#/notebook/${id}`, ready: runNotebook }])),
  chat: { hash: "#/chat", ready: (page) => page.getByText("Drop a GGUF file here").waitFor() },
  "chat-read": { hash: "#/chat", before: keepConversation, ready: (page) => page.locator(".answer").waitFor() },
  "chat-answer": { hash: "#/chat?device=cpu", before: keepConversation, ready: answerStory, viewportOnly: true },
  digits: { hash: "#/digits", ready: drawDigit },
  "digits-train": { hash: "#/digits?view=train", ready: (page) => page.getByRole("button", { name: "Train", exact: true }).click().then(() => page.locator(".train-state", { hasText: "Done" }).waitFor({ timeout: LONG_MS })) },
  search: { hash: "#/search", ready: async () => {} },
  pixels: { hash: "#/pixels", ready: (page) => choosePixels(page, "fc1.weight") },
  "pixels-near": { hash: "#/pixels", ready: nearPixels, viewportOnly: true },
  "pixels-paint": { hash: "#/pixels?view=paint", ready: paintPixels },
  "pixels-compare": { hash: "#/pixels?view=paint", ready: comparePixels },
  "pixels-train": { hash: "#/pixels?view=train", ready: trainPixels },
  "pixels-refused": { hash: "#/pixels", ready: refusePixels, viewportOnly: true },
  "optimize-mesh": { hash: "#/optimize", ready: runMesh },
  "optimize-sketch": { hash: "#/optimize?view=sketch", ready: selectParts },
  "learn-mistake": { hash: "#/learn/2", ready: breakLesson },
  "learn-no-gpu": { hash: "#/learn/6", before: (page) => page.addInitScript(() => delete Navigator.prototype.gpu), ready: (page) => page.getByRole("button", { name: "Compute it with WebAssembly on the CPU instead" }).click().then(() => page.waitForSelector(".cpu-card .bars")) },
  "webgpu-help": { hash: "#/", ready: (page) => page.getByRole("button", { name: "How to get WebGPU" }).click(), viewportOnly: true, keepNotice: true },
  "not-found": { hash: "#/nowhere", ready: async () => {}, viewportOnly: true },
  shortcuts: { hash: "#/", ready: (page) => page.locator(".device-chip-detail:not(:empty)").waitFor({ state: "attached" }).then(() => page.keyboard.press("?")), viewportOnly: true },
  "no-gpu": { hash: "#/", ready: (page) => page.getByText("the CPU has taken over").waitFor(), viewportOnly: true, keepNotice: true },
  "kernels-error": { hash: "#/kernels?e=" + encodeURIComponent("sin(2*x) * expp(-x^2)"), ready: (page) => page.waitForSelector(".expression-error") },
};

async function runNotebook(page) {
  await page.getByRole("button", { name: "Run all" }).click();
  await page.waitForFunction(() => [...document.querySelectorAll(".nb-cell")].every((cell) => cell.dataset.state === "done"), undefined, { timeout: LONG_MS });
}

/** A conversation from before, with everything that an answer may hold. */
function keepConversation(page) {
  const content = "Use `fs`, and **close** what you open:\n\n1. Open it.\n2. Read it, see [the manual](https://nodejs.org/api/fs.html).\n   - line by line\n\n```js\nimport { open } from \"node:fs/promises\";\n\nconst file = await open(\"notes.txt\");\nfor await (const line of file.readLines()) console.log(line);\n```\n\n| way | memory |\n|---|--:|\n| lines | 16 KiB |\n| all at once | 2 GiB |\n\n> Measured, not guessed.";
  const speed = { promptTokens: 24, cachedTokens: 0, promptMs: 210, writtenTokens: 143, writtenMs: 4100, firstMs: 260 };
  const conversation = { id: "kept", system: "", createdMs: Date.now(), changedMs: Date.now(), messages: [{ id: "a", role: "user", content: "How do I read a large file in Node?" }, { id: "b", role: "assistant", content, ending: "stop", speed, model: "A model" }] };
  return page.addInitScript((text) => {
    localStorage.setItem("tilework:chat-1:kept", text);
    localStorage.setItem("tilework:chat-current", "kept");
    localStorage.setItem("tilework:chat-settings", JSON.stringify({ max_tokens: 60, temperature: 0 }));
  }, JSON.stringify(conversation));
}

/** An answer of the smallest model there is; nothing more than the conversation without it. */
async function answerStory(page) {
  const data = process.env.TILEWORK_TEST_DATA;
  if (data === undefined) return console.log("  no model: TILEWORK_TEST_DATA is not set");
  await page.locator("input[type=file]").setInputFiles(join(data, "stories260K/stories260K-q8_0.gguf"));
  await page.getByRole("button", { name: "Load", exact: true }).click();
  await page.getByLabel("Message", { exact: true }).fill("And a story?");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".message-speed").length === 2, undefined, { timeout: LONG_MS });
}

async function drawDigit(page) {
  await page.locator(".draw .badge", { hasText: "WebAssembly" }).waitFor();
  const box = await page.locator(".digit-pad").boundingBox();
  const points = [[0.3, 0.25], [0.5, 0.15], [0.68, 0.3], [0.45, 0.55], [0.3, 0.82], [0.5, 0.8], [0.75, 0.8]];
  for (const [i, [x, y]] of points.entries()) {
    await page.mouse.move(box.x + x * box.width, box.y + y * box.height, { steps: 8 });
    if (i === 0) await page.mouse.down();
  }
  await page.mouse.up();
  await page.getByText(/sure, in/).waitFor();
}

/** The picture once every tile in sight is there. */
async function settledPixels(page) {
  await page.waitForFunction(() => document.querySelector(".picture-canvas")?.picture?.state.isSettled, undefined, { timeout: LONG_MS });
  await page.waitForTimeout(300);
}

async function choosePixels(page, name) {
  await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
  await page.locator(".histogram").waitFor();
  await page.locator(".sheet canvas").waitFor();
  await page.locator(".chart-line").waitFor();
  await settledPixels(page);
}

async function nearPixels(page) {
  await choosePixels(page, "fc2.weight");
  await page.locator(".picture-canvas").evaluate((canvas) => canvas.scrollIntoView({ block: "center" }));
  const box = await page.locator(".picture-canvas").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let i = 0; i < 4; i++) await page.getByRole("button", { name: "Zoom in" }).click();
  await settledPixels(page);
  await page.mouse.move(box.x + box.width / 2 + 20, box.y + box.height / 2);
  await page.waitForTimeout(300);
}

async function paintPixels(page) {
  await page.locator(".minds-bars .chosen").waitFor();
  await page.getByRole("button", { name: "A sample of 3" }).click();
  await settledPixels(page);
  await page.locator(".picture-canvas").evaluate((canvas) => canvas.scrollIntoView({ block: "center" }));
  const box = await page.locator(".picture-canvas").boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.5);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.48, { steps: 20 });
  await page.mouse.up();
  await page.getByText(/weights painted/).waitFor();
  await settledPixels(page);
}

async function comparePixels(page) {
  await paintPixels(page);
  await page.getByRole("group", { name: "View" }).locator(".choice-option", { hasText: "Compare" }).click();
  await page.getByRole("button", { name: "As opened" }).click();
  await page.getByTestId("compared").waitFor();
  await page.locator(".histogram").waitFor();
  await settledPixels(page);
}

async function trainPixels(page) {
  await settledPixels(page);
  await page.getByRole("button", { name: "Train", exact: true }).click();
  await page.getByTestId("training").filter({ hasText: "Done" }).waitFor({ timeout: LONG_MS });
  await settledPixels(page);
}

async function refusePixels(page) {
  await settledPixels(page);
  await page.locator(".opener input[type=file]").setInputFiles({ name: "cat.png", mimeType: "image/png", buffer: Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64") });
  await page.locator(".callout-bad").waitFor();
}

/** A sphere on its way to being developable. */
async function runMesh(page) {
  await page.locator(".mesh-card .badge", { hasText: "ready" }).waitFor();
  await page.locator(".mesh-loading").waitFor({ state: "detached" });
  await page.locator("#mesh-run").click();
  await page.waitForFunction(() => Number(document.querySelector("[data-testid=iterations]").textContent) > 150, undefined, { timeout: LONG_MS });
  await page.locator("#mesh-run").click();
}

async function selectParts(page) {
  await page.getByText("all hold").waitFor();
  for (const name of ["L1", "L2"]) await page.getByRole("group", { name: "Parts" }).locator(".toggle-chip", { hasText: new RegExp(`^${name}$`) }).click();
}

/** A worker that answers with `messages`, whatever it is asked. */
function replaceWorker(page, pattern, messages) {
  const body = `onmessage = () => { for (const message of ${JSON.stringify(messages)}) postMessage(message); };`;
  return page.route(pattern, (route) => route.fulfill({ contentType: "text/javascript", body }));
}

function answerWrongly(page) {
  const base = { batch: "1-128", whenMs: Date.now(), workload: "matmul", size: 128, software: false, skipped: null, nRuns: 5, spread: 0.02, firstMs: 9 };
  const right = { passed: true, nElements: 16384, largest: 5.7e-6, at: [116, 43], actual: 1, expected: 1, allowed: 3e-5 };
  const wrong = { ...right, passed: false, largest: 0.5, at: [3, 7], actual: 1.5, expected: 1 };
  const rows = [
    { ...base, side: "cpu", device: "WebAssembly SIMD, one thread", medianMs: 2.6, transferMs: 3.1, verdict: null },
    { ...base, side: "gpu", device: "a GPU", medianMs: 0.4, transferMs: 1.2, verdict: wrong },
    { ...base, side: "js", device: "JavaScript, one thread", medianMs: 4.8, transferMs: null, verdict: right },
  ];
  return replaceWorker(page, /bench\.worker.*\.js$/, [...rows.map((row) => ({ kind: "row", row })), { kind: "done" }]);
}

function failCases(page) {
  const failures = [
    { case: "softmax: row of one [4, 1]", message: "at [2, 0]: 0.5 instead of 1\nallowed error 1.2e-7, largest 0.5, 1 of 4 elements" },
    { case: "matmul: batches broadcast [2, 1, 33, 17] x [5, 17, 65]", message: "at [1, 4, 32, 64]: NaN instead of -3.1837\nallowed error 4.1e-6, 12 of 21450 elements" },
  ];
  const scalar_errors = [{ op: "exp", worst_ulp: 1.02 }, { op: "sin", worst_ulp: 0.975 }];
  return replaceWorker(page, /conformance_worker.*\.js$/, [{ kind: "report", report: { device: "a GPU", passed: 406, failed: 2, skipped: 10, failures, scalar_errors } }]);
}

async function startLongCase(page) {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("needs long for this one").waitFor({ timeout: LONG_MS });
}

/** Every lesson with output and a verdict. */
async function runLesson(page, number) {
  await page.locator("#run:not([aria-disabled])").waitFor();
  if (number === 8) await page.getByRole("button", { name: "3", exact: true }).click();
  else await page.locator("#run").click();
  await page.getByText(/^Done in/).waitFor({ timeout: LONG_MS });
  await page.locator("#check").click();
  await page.locator(".exercise .callout").waitFor({ timeout: LONG_MS });
}

async function breakLesson(page) {
  const editor = page.locator(".editor textarea");
  await editor.fill((await editor.inputValue()).replace("a[0] + b[0]", "a[0] + bb[0]"));
  await page.locator("#run").click();
  await page.locator(".line-problem").waitFor({ timeout: LONG_MS });
}

async function cancelBenchmark(page) {
  await startBenchmark(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Cancelled.").waitFor();
}

async function runBenchmark(page) {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText(/^Done\. /).waitFor({ timeout: LONG_MS });
}

async function clearHistory(page) {
  await page.evaluate(() => localStorage.removeItem("tilework:benchmark-history-1"));
  await page.reload();
  await page.getByText("Nothing measured yet").waitFor();
}

async function startBenchmark(page) {
  await clearHistory(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator("tr[data-side=gpu]").first().waitFor({ timeout: LONG_MS });
}

async function runConformance(page) {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("Accuracy of scalar functions").waitFor({ timeout: LONG_MS });
  await page.waitForFunction(() => document.querySelectorAll(".totals").length === 2, undefined, { timeout: LONG_MS });
}

async function tuneKernels(page) {
  await openPanel(page);
  await page.getByRole("button", { name: "Find the fastest kernels" }).click();
  const table = page.getByRole("region", { name: "Kernels measured" });
  await table.waitFor({ timeout: LONG_MS });
  await table.scrollIntoViewIfNeeded();
}

async function openPanel(page) {
  await page.locator(".device-chip").click();
  await page.getByText("worst error").waitFor({ timeout: LONG_MS });
}

async function loseDevice(page) {
  await page.locator(".device-chip").click();
  await page.getByRole("button", { name: "Simulate a lost device" }).click();
  await page.getByText("The GPU was lost").waitFor();
}

await mkdir(resolve(folder), { recursive: true });
const server = await serve(resolve(import.meta.dirname, "../dist"));
const { context, close } = await launch();
try {
  for (const [name, shot] of Object.entries(SHOTS)) {
    if (only !== undefined && !name.startsWith(only)) continue;
    for (const [size, viewport] of Object.entries(SIZES)) {
      // Closing a page amid GPU work stops the whole browser until that is done.
      const own = shot.alone === true ? await launch() : null;
      const page = await (own?.context ?? context).newPage();
      await page.setViewportSize(viewport);
      await page.addInitScript((value) => localStorage.setItem("tilework:no-gpu-dismissed", value), shot.keepNotice ? "0" : "1");
      await shot.before?.(page);
      await page.goto(server.url + shot.hash);
      await shot.ready(page);
      for (const theme of ["light", "dark"]) {
        await page.evaluate((value) => { document.documentElement.dataset.theme = value; }, theme);
        await page.evaluate(() => scrollTo(0, 0));
        await page.waitForTimeout(300);
        await page.screenshot({ path: join(resolve(folder), `${name}-${size}-${theme}.png`), fullPage: shot.viewportOnly !== true });
      }
      if (own === null) await page.close();
      else await own.close();
    }
    console.log(name);
  }
} finally {
  await close();
  server.close();
}
