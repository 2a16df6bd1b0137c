// Runs the conformance cases in headless Chromium, on WebGPU (SwiftShader) and on the CPU. Started by `cargo xtask browser`.
//
// usage: node tests/browser/run.mjs [--no-case-passes] [filter]
//
// CHROME            the browser; /usr/bin/chromium unless told
// TILEWORK_TARGET   cargo's target folder; target/ unless told
//
// Exits with 1 on a failed case, an error in the console or the page, a missing adapter, a slow first result or a timeout.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";
import { BROWSER_ARGUMENTS } from "./arguments.mjs";
import { serve } from "./server.mjs";

const TOTAL_TIMEOUT_MS = 30 * 60 * 1000;
const PROGRESS_EVERY_MS = 5000;
// From the start of navigation to a verified number on WebGPU, browser already running.
const FIRST_RESULT_BUDGET_MS = 500;
// Browsers that share the cases on WebGPU: compiling kernels keeps one core busy in each, and takes most of the time.
const N_GPU_BROWSERS = 2;
// A busy machine is not a slow page: over the budget, the visit is repeated and the best one counts.
const MAX_MEASURED_VISITS = 3;

const words = process.argv.slice(2);
const noCasePasses = words.includes("--no-case-passes");
const filter = words.find((word) => !word.startsWith("--")) ?? "";
const root = resolve(import.meta.dirname, "../..");
const target = resolve(root, process.env.TILEWORK_TARGET ?? "target");

// Everything that went wrong, in the order of appearance.
const problems = [];
// What the page last said.
let latest = "nothing yet";

// Opens the harness with `query` and waits for its report; undefined if there is none, and then a problem says why.
async function visit(browser, origin, query) {
  const label = new URLSearchParams(query).toString();
  const page = await browser.newPage();
  let broken;
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console error (${label}): ${message.text()}`);
  });
  // An uncaught error may leave a promise unsettled for ever; waiting on would only cost time.
  page.on("pageerror", (error) => { broken ??= `page error (${label}): ${error.stack ?? error}`; });
  page.on("crash", () => { broken ??= `the page crashed (${label})`; });
  try {
    await page.goto(`${origin}/tests/browser/harness.html?${label}`, { waitUntil: "commit" });
    const report = await waitForReport(page, label, () => broken);
    if (broken) problems.push(broken);
    if (report?.error) problems.push(`${label}: ${report.error}`);
    return report?.error ? undefined : report;
  } catch (error) {
    problems.push(broken ?? `${label}: ${error.message}`);
    return undefined;
  } finally {
    await page.close().catch(() => {});
  }
}

async function waitForReport(page, label, broken) {
  let shownMs = Date.now();
  while (!broken()) {
    const { report, progress } = await page.evaluate(() => ({ report: window.report, progress: window.progress }));
    if (report) return report;
    latest = `${label}: ${progress}`;
    if (Date.now() - shownMs > PROGRESS_EVERY_MS) {
      console.log(`  ${latest}`);
      shownMs = Date.now();
    }
    await sleep(50);
  }
  return undefined;
}

// The first visit warms the browser, as any earlier page would have; the best of the following is held to the budget.
async function measureFirstResult(browser, origin) {
  const timesMs = [];
  while (timesMs.length < 1 + MAX_MEASURED_VISITS) {
    const report = await visit(browser, origin, { device: "gpu", first: "1" });
    if (!report) return;
    timesMs.push(report.firstResultMs);
    if (timesMs.length > 1 && report.firstResultMs <= FIRST_RESULT_BUDGET_MS) break;
  }
  const [firstMs, ...againMs] = timesMs.map((time) => Math.round(time));
  console.log(
    `page to first result on gpu: ${firstMs} ms on the first visit, ${againMs.join(", ")} ms again (budget ${FIRST_RESULT_BUDGET_MS} ms)`,
  );
  if (Math.min(...againMs) > FIRST_RESULT_BUDGET_MS) problems.push("the first result comes too late");
}

// All parts of the cases, each in a browser of its own, as one report.
async function runConformance(browsers, origin, device) {
  const parts = browsers.map((browser, part) => visit(browser, origin, { device, filter, part, parts: browsers.length }));
  const reports = await Promise.all(parts);
  if (reports.includes(undefined)) return console.log(`chromium ${device}: no result`);
  const report = reports.reduce(joined);
  // For `cargo xtask numerics`; a filtered run would leave holes in its table.
  if (filter === "") {
    const named = { ...report, device: `Chromium, ${report.name}` };
    await writeFile(join(target, `browser-report-${device}.json`), JSON.stringify(named));
  }
  const { name, nArrayTests, passed, failed, skipped, failures = [] } = report;
  console.log(`chromium ${device} (${name}): ${nArrayTests} array tests; ${passed} cases passed, ${failed} failed, ${skipped} skipped`);
  for (const failure of failures) console.log(`  FAILED ${failure.case}\n    ${failure.message.replaceAll("\n", "\n    ")}`);
  if (failed > 0 || failures.length > 0) problems.push(`${failed} cases failed on ${device}`);
  const mayBeEmpty = noCasePasses && filter !== "";
  if (passed + failed + skipped === 0 && !mayBeEmpty) problems.push(`no case on ${device} has "${filter}" in its name`);
}

// Numbers of cases add up, lists are joined; what else a report says is that of the first.
function joined(a, b) {
  const counts = ["passed", "failed", "skipped"].map((name) => [name, a[name] + b[name]]);
  const lists = Object.keys(b).filter((name) => Array.isArray(b[name])).map((name) => [name, [...(a[name] ?? []), ...b[name]]]);
  return { ...a, ...Object.fromEntries([...counts, ...lists]) };
}

async function openBrowser(profiles) {
  const profile = await mkdtemp(join(tmpdir(), "tilework-browser-"));
  profiles.push(profile);
  return chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROME || "/usr/bin/chromium",
    headless: true,
    args: BROWSER_ARGUMENTS,
  });
}

async function runWithoutGpu(browser, origin) {
  const report = await visit(browser, origin, { device: "gpu", nogpu: "1" });
  if (report) console.log(`chromium without WebGPU: "auto" computes on the CPU, "gpu" is refused: ${report.message}`);
}

function printProblems() {
  for (const problem of problems) console.error(`PROBLEM ${problem}`);
}

async function main() {
  const server = await serve({ tests: join(root, "tests"), target });
  // A page that computes without a pause answers nothing, not even a request to close: the only way out is to leave.
  // Playwright ends the browser when this process exits.
  const timeout = setTimeout(() => {
    problems.push(`not done after ${TOTAL_TIMEOUT_MS / 60000} minutes; the page was at ${latest}`);
    printProblems();
    process.exit(1);
  }, TOTAL_TIMEOUT_MS);
  const [profiles, browsers] = [[], []];
  try {
    browsers.push(await openBrowser(profiles));
    await measureFirstResult(browsers[0], server.origin);
    while (browsers.length < N_GPU_BROWSERS) browsers.push(await openBrowser(profiles));
    // Each in a process of its own: most of a WebGPU case is the adapter's work, elsewhere.
    await Promise.all([runConformance(browsers, server.origin, "gpu"), runConformance([browsers[0]], server.origin, "cpu")]);
    await runWithoutGpu(browsers[0], server.origin);
  } catch (error) {
    problems.push(error.stack ?? String(error));
  } finally {
    await Promise.all(browsers.map((browser) => browser.close().catch(() => {})));
    clearTimeout(timeout);
    server.close();
    await Promise.all(profiles.map((profile) => rm(profile, { recursive: true, force: true, maxRetries: 5 })));
  }
  printProblems();
  process.exitCode = problems.length > 0 ? 1 : 0;
}

await main();
