// A language model in the browser: Tilework against wllama (llama.cpp as WebAssembly), in headless Chromium on the CPU, one thread
// each, as a Markdown table on standard output. Started by `cargo xtask bench --peers --browser`.
//
// usage: node xtask/peers/browser/llm.mjs MODEL.gguf [--rounds n]
//
// CHROME      the browser; /usr/bin/chromium unless told
//
// Each round gives both a turn in the same page: a prompt that they have not seen, read at once, then tokens written greedily.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { BROWSER_ARGUMENTS } from "../../../tests/browser/arguments.mjs";
import { serve } from "../../../tests/browser/server.mjs";
import { installPeers } from "./install.mjs";
import { describeMachine } from "./report.mjs";

const TIMEOUT_MS = 15 * 60 * 1000;
const here = import.meta.dirname;
const root = resolve(here, "../../..");

const { positionals, values } = parseArgs({ allowPositionals: true, options: { rounds: { type: "string", default: "3" } } });
const [model] = positionals;
if (model === undefined) {
  console.error("error: which model? `cargo xtask setup` fetches one into target/models/smollm2/");
  process.exit(2);
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function table({ name, rounds, version }, machine) {
  const row = (what, key) => {
    const [own, other] = ["tilework", "wllama"].map((library) => median(rounds.map((round) => round[library][key])));
    const ratio = median(rounds.map((round) => round.tilework[key] / round.wllama[key]));
    return `| ${what} | ${own.toFixed(1)} | ${other.toFixed(1)} | ${ratio.toFixed(2)}× |`;
  };
  const { promptTokens, writtenTokens } = rounds[0].tilework;
  return [
    `${name}, wllama ${version}, ${machine.cpu}, load ${machine.load.toFixed(1)} at the start; medians of ${rounds.length} rounds.`,
    "",
    "| tokens per second | Tilework | wllama | ratio |",
    "|---|---|---|---|",
    row(`prompt of ${promptTokens} tokens`, "promptPerSecond"),
    row(`${writtenTokens} tokens written`, "writtenPerSecond"),
  ].join("\n");
}

const machine = describeMachine();
installPeers();
const server = await serve({ peers: here, tilework: join(root, "packages/tilework/dist"), models: dirname(resolve(model)) });
const profile = await mkdtemp(join(tmpdir(), "tilework-llm-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROME || "/usr/bin/chromium",
  headless: true,
  args: BROWSER_ARGUMENTS,
});
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  page.on("console", (message) => message.type() === "info" && console.error(`    ${message.text()}`));
  await page.goto(`${server.origin}/peers/page/llm.html`);
  const url = `/models/${basename(model)}`;
  const measured = await page.evaluate(([url, n]) => window.measure(url, n), [url, Number(values.rounds)]);
  console.log(table(measured, machine));
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
} finally {
  await browser.close();
  server.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
}
