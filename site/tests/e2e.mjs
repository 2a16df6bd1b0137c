// The studio in headless Chromium, end to end, on a software GPU and on the CPU.
//
// usage: node site/tests/e2e.mjs [part of a test's name]
//
// Serves site/dist (npm run build) under a sub-path. CHROME names the browser; /usr/bin/chromium unless told.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { launch } from "./browser.mjs";
import { accessTests } from "./e2e/access.mjs";
import { benchmarkTests } from "./e2e/benchmark.mjs";
import { chatTests } from "./e2e/chat.mjs";
import { conformanceTests } from "./e2e/conformance.mjs";
import { digitTests } from "./e2e/digits.mjs";
import { failureTests } from "./e2e/failures.mjs";
import { kernelTests } from "./e2e/kernels.mjs";
import { learnTests } from "./e2e/learn.mjs";
import { loadTests } from "./e2e/load.mjs";
import { notebookTests } from "./e2e/notebook.mjs";
import { optimizeTests } from "./e2e/optimize.mjs";
import { pixelTests } from "./e2e/pixels.mjs";
import { policyTests } from "./e2e/policy.mjs";
import { searchTests } from "./e2e/search.mjs";
import { runTests } from "./harness.mjs";
import { serve } from "./serve.mjs";

const TOTAL_TIMEOUT_MS = 1_200_000;

const dist = resolve(import.meta.dirname, "../dist");
if (!existsSync(dist)) {
  console.error("there is no site/dist; run npm run build first");
  process.exit(2);
}

const timeout = setTimeout(() => {
  console.error(`not done after ${TOTAL_TIMEOUT_MS / 1000} s`);
  process.exit(1);
}, TOTAL_TIMEOUT_MS);

// Loading comes first: it measures a first visit.
const TESTS = { ...loadTests, ...policyTests, ...failureTests, ...accessTests, ...kernelTests, ...learnTests, ...notebookTests, ...chatTests, ...digitTests, ...searchTests, ...pixelTests, ...optimizeTests, ...benchmarkTests, ...conformanceTests };

const startMs = Date.now();
const server = await serve(dist);
const { context, close } = await launch();
let nFailed = 1;
try {
  nFailed = await runTests(TESTS, { context, url: server.url, sent: server.sent, only: process.argv[2] });
} finally {
  clearTimeout(timeout);
  await close();
  server.close();
}
console.log(`${nFailed === 0 ? "all passed" : `${nFailed} failed`} in ${Math.round((Date.now() - startMs) / 1000)} s`);
process.exitCode = nFailed === 0 ? 0 : 1;
