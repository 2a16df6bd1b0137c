// Tilework against other libraries for arrays in the browser, in headless Chromium, as a Markdown table on standard output.
// Started by `cargo xtask bench --peers --browser`.
//
// usage: node xtask/peers/browser/run.mjs [--json] [--cpu | --gpu] [--rounds n] [--only libraries] [--work operation]
//
// --json      everything that was measured, instead of the table
// --cpu       only WebAssembly; --gpu: only WebGPU. Both unless told
// --rounds    rounds of each part, instead of the usual number
// --only      libraries, with commas between them: tilework, jax, onnx, tensorflow
// --work      matmul, softmax, layerNorm or chain
//
// CHROME      the browser; /usr/bin/chromium unless told
//
// It measures the built package in packages/tilework/dist. The peers are installed here, by this script, and nowhere else. A part
// is one page: every library is loaded, verified and warmed up in it; then each round gives every library one turn per work.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { BROWSER_ARGUMENTS } from "../../../tests/browser/arguments.mjs";
import { serve } from "../../../tests/browser/server.mjs";
import { installPeers } from "./install.mjs";
import { describeMachine, LIBRARIES, markdown, summarize } from "./report.mjs";

const TOTAL_TIMEOUT_MS = 10 * 60 * 1000;
const POLL_MS = 500;
const N_ROUNDS = { cpu: 7, gpu: 3 };

const here = import.meta.dirname;
const root = resolve(here, "../../..");
const dist = join(root, "packages/tilework/dist");
const chrome = process.env.CHROME || "/usr/bin/chromium";

function readOptions() {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      cpu: { type: "boolean", default: false },
      gpu: { type: "boolean", default: false },
      rounds: { type: "string" },
      only: { type: "string" },
      work: { type: "string" },
    },
  });
  const { rounds, only, work } = values;
  if (rounds !== undefined && !/^[1-9]\d?$/.test(rounds)) throw new Error("--rounds is a number from 1 to 99");
  const unknown = only?.split(",").find((name) => !Object.hasOwn(LIBRARIES, name));
  if (unknown !== undefined) throw new Error(`there is no library "${unknown}"; there are ${Object.keys(LIBRARIES).join(", ")}`);
  const parts = ["cpu", "gpu"].filter((part) => values[part] || values.cpu === values.gpu);
  const query = Object.fromEntries(Object.entries({ only, work }).filter(([, value]) => value !== undefined));
  return { json: values.json, parts, rounds, query };
}

/** Says what is missing before anything is downloaded or started. */
async function loadPlaywright() {
  if (!existsSync(chrome)) throw new Error(`there is no Chromium at ${chrome}; \`cargo xtask setup\` installs it, or CHROME names another`);
  if (!existsSync(join(dist, "index.js"))) throw new Error("packages/tilework/dist is not built; `cargo xtask site` builds it");
  try {
    return await import("playwright-core");
  } catch {
    throw new Error("the npm packages of the project are missing; `cargo xtask setup` installs them");
  }
}

async function readVersions() {
  const entries = Object.entries(LIBRARIES).filter(([, library]) => library.package);
  const version = async (name) => JSON.parse(await readFile(join(here, "node_modules", name, "package.json"), "utf8")).version;
  return Object.fromEntries(await Promise.all(entries.map(async ([name, library]) => [name, await version(library.package)])));
}

/** One page, from opening it to its report. */
async function measurePart(browser, origin, query) {
  const page = await browser.newPage();
  let broken;
  page.on("pageerror", (error) => { broken ??= `error in the page: ${error.stack ?? error}`; });
  page.on("crash", () => { broken ??= "the page crashed"; });
  await page.goto(`${origin}/peers/page/index.html?${new URLSearchParams(query)}`);
  let shown;
  for (;;) {
    const { report, progress } = await page.evaluate(() => ({ report: window.report, progress: window.progress }));
    if (report?.error || broken) throw new Error(`${query.part}: ${report?.error ?? broken}`);
    if (report) {
      await page.close();
      return report;
    }
    const stage = progress?.split(",")[0];
    if (stage !== shown) console.error(`    ${query.part}: ${stage}`);
    shown = stage;
    await sleep(POLL_MS);
  }
}

async function measure({ chromium: launcher }, { parts, rounds, query }) {
  const machine = describeMachine();
  const server = await serve({ peers: here, tilework: dist });
  const browser = await launcher.launch({ executablePath: chrome, headless: true, args: BROWSER_ARGUMENTS });
  try {
    const reports = [];
    for (const part of parts) {
      const report = await measurePart(browser, server.origin, { part, rounds: rounds ?? N_ROUNDS[part], ...query });
      reports.push({ ...report, results: report.results.map(summarize) });
    }
    return { machine, chromium: browser.version(), versions: await readVersions(), parts: reports };
  } finally {
    await browser.close();
    server.close();
  }
}

async function main() {
  const options = readOptions();
  const playwright = await loadPlaywright();
  installPeers();
  const measured = await measure(playwright, options);
  console.log(options.json ? JSON.stringify(measured, undefined, 2) : markdown(measured));
  const wrong = measured.parts.flatMap(({ failures }) => failures).find(({ library }) => library === "tilework");
  if (wrong) throw new Error(`Tilework, ${wrong.work ?? "opening"}: ${wrong.why}`);
}

// A page that computes without a pause answers nothing. Playwright ends the browser when this process exits.
const timeout = setTimeout(() => {
  console.error(`error: not done after ${TOTAL_TIMEOUT_MS / 60_000} minutes`);
  process.exit(1);
}, TOTAL_TIMEOUT_MS);

try {
  await main();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
} finally {
  clearTimeout(timeout);
}
