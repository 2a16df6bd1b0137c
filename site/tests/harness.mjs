// The little that the end-to-end tests need: names, checks, pages whose console is watched.

import { setTimeout as sleep } from "node:timers/promises";

export const LONG_MS = 90_000;

/** Fails the running test. */
export function check(condition, message) {
  if (!condition) throw new Error(message);
}

class Skipped extends Error {}

/** Ends the running test without a verdict; the reason is printed. */
export function skip(reason) {
  throw new Skipped(reason);
}

/** Runs named tests one after the other on pages of `context`; gives the number of failures. */
export async function runTests(tests, { context, url, sent, only }) {
  let nFailed = 0;
  for (const [name, body] of Object.entries(tests)) {
    if (only !== undefined && !name.includes(only)) continue;
    const startMs = Date.now();
    const opened = [];
    const consoleErrors = [];
    // What the test provokes; nothing else may be in the console.
    const expected = [];
    const open = (hash = "#/", options = {}) => openPage({ context, url, opened, consoleErrors }, hash, options);
    try {
      const note = await body({ open, sent, context, url, expected });
      const unexpected = consoleErrors.filter((text) => !expected.some((pattern) => pattern.test(text)));
      check(unexpected.length === 0, `errors in the console: ${unexpected.join(" | ")}`);
      console.log(`ok    ${name} (${Date.now() - startMs} ms)${note === undefined ? "" : `: ${note}`}`);
    } catch (error) {
      if (error instanceof Skipped) {
        console.log(`SKIPPED, NOT TESTED: ${name}: ${error.message}`);
        continue;
      }
      nFailed += 1;
      console.log(`FAIL  ${name} (${Date.now() - startMs} ms)\n      ${String(error.stack ?? error).replaceAll("\n", "\n      ")}`);
    }
    for (const page of opened) await page.close().catch(() => {});
  }
  return nFailed;
}

// Options: init (a function run before the page's scripts), storage (what localStorage holds, by name), viewport.
async function openPage({ context, url, opened, consoleErrors }, hash, { init, storage = {}, viewport } = {}) {
  const page = await context.newPage();
  opened.push(page);
  page.setDefaultTimeout(20_000);
  page.on("console", (message) => {
    if (message.type() === "error") consoleErrors.push(message.text());
  });
  page.on("pageerror", (error) => consoleErrors.push(String(error)));
  // Only once per page: what a test does to the storage must survive its reloads.
  await page.addInitScript((values) => {
    // Frames of the page have no storage of their own to prepare, or none at all.
    if (self !== top || sessionStorage.getItem("test:prepared") === "1") return;
    sessionStorage.setItem("test:prepared", "1");
    localStorage.clear();
    for (const [name, value] of Object.entries(values)) localStorage.setItem(`tilework:${name}`, value);
  }, storage);
  if (init !== undefined) await page.addInitScript(init);
  if (viewport !== undefined) await page.setViewportSize(viewport);
  await page.goto(url + hash);
  return page;
}

/** Waits until the engine is open; gives what the chip says. */
export async function engineReady(page) {
  const chip = page.locator(".device-chip b");
  await page.waitForFunction(() => ["CPU", "GPU", "Software GPU"].includes(document.querySelector(".device-chip b")?.textContent ?? ""));
  return chip.textContent();
}

export async function press(page, ...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await sleep(30);
  }
}

/** Scripts of workers; what starts them is part of the page. */
const WORKERS = /(?<!start_)worker-[^/]*\.js$/;

/** Runs `body` in a browser that has no WebGPU, neither for pages opened with `init: deleteWebGpu` nor for their workers. */
export async function withoutWebGpu(context, body) {
  // Workers have a navigator of their own, which an init script does not reach.
  await context.route(WORKERS, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `delete WorkerNavigator.prototype.gpu;\n${await response.text()}` });
  });
  try {
    return await body();
  } finally {
    await context.unroute(WORKERS);
  }
}

/** For `open`: the page's own navigator loses WebGPU. */
export function deleteWebGpu() {
  delete Navigator.prototype.gpu;
}

/** Runs `body`; gives how long the longest task of the page computed meanwhile, which a busy machine does not stretch. */
export async function longestTaskMs(page, body) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel", "disabled-by-default-devtools.timeline"] } });
  await body();
  const complete = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.end");
  await complete;
  const pages = new Set(events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = events.filter(({ name, pid, tid, tdur }) => name.endsWith("RunTask") && tdur !== undefined && pages.has(`${pid} ${tid}`));
  check(tasks.length > 0, "no task was traced");
  return Math.max(...tasks.map(({ tdur }) => tdur)) / 1000;
}
