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
  "device-lost": { hash: "#/?device=gpu", ready: loseDevice, viewportOnly: true },
  "engine-failed": { hash: "#/", before: (page) => page.route(/\.wasm$/, (route) => route.abort()), ready: (page) => page.getByText("The engine did not start").waitFor(), viewportOnly: true },
  "engine-loading": { hash: "#/", before: (page) => page.route(/\.wasm$/, () => {}), ready: (page) => page.waitForSelector(".demo-loading"), viewportOnly: true },
  "benchmark-empty": { hash: "#/benchmark", ready: clearHistory },
  "benchmark-running": { hash: "#/benchmark?n=128,4096", ready: startBenchmark, viewportOnly: true },
  shortcuts: { hash: "#/", ready: (page) => page.keyboard.press("?"), viewportOnly: true },
  "no-gpu": { hash: "#/", ready: (page) => page.getByText("the CPU has taken over").waitFor(), viewportOnly: true, keepNotice: true },
  "kernels-error": { hash: "#/kernels?e=" + encodeURIComponent("sin(2*x) * expp(-x^2)"), ready: (page) => page.waitForSelector(".expression-error") },
};

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
      const page = await context.newPage();
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
      await page.close();
    }
    console.log(name);
  }
} finally {
  await close();
  server.close();
}
