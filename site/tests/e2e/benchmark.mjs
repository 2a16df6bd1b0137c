// The benchmark page: measured, verified, exported, cancelled; the page stays responsive meanwhile.

import { readFile } from "node:fs/promises";
import { check, LONG_MS } from "../harness.mjs";

const MAX_TASK_MS = 50;
const MAX_MEASURED_RUNS = 3;
const WORKLOADS = ["matmul", "chain", "sum", "softmax", "fft"];

function watchLongTasks() {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.longTasks.push({ startMs: entry.startTime, ms: entry.duration });
  }).observe({ type: "longtask", buffered: true });
}

async function runAll(page) {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText(/^Done\. /).waitFor({ timeout: LONG_MS });
}

async function measureTasks(open, sizes) {
  const longest = [];
  const notes = [];
  while (longest.length < MAX_MEASURED_RUNS && !longest.some((ms) => ms <= MAX_TASK_MS)) {
    const page = await open(`#/benchmark?op=matmul&n=${sizes}`, { init: watchLongTasks });
    // The engine's own start is not part of the run.
    await page.waitForTimeout(2500);
    const startMs = await page.evaluate(() => performance.now());
    await runAll(page);
    const tasks = await page.evaluate((from) => window.longTasks.filter((task) => task.startMs >= from), startMs);
    longest.push(Math.max(0, ...tasks.map((task) => task.ms)));
    notes.push((await page.locator("tr[data-skipped]").count()) === 0 ? "" : `, ${await page.locator("tr[data-skipped]").count()} rows skipped`);
    await page.close();
  }
  check(Math.min(...longest) <= MAX_TASK_MS, `the page was blocked for ${longest.join(", ")} ms`);
  return `longest task ${longest.map((ms, i) => (ms === 0 ? `under ${MAX_TASK_MS}` : ms) + notes[i]).join(", ")} ms`;
}

export const benchmarkTests = {
  "benchmark: 128 and 256 on GPU, CPU and plain JavaScript, verified": async ({ open }) => {
    const page = await open("#/benchmark?op=matmul&n=128,256");
    await page.getByText("No measurement yet").waitFor();
    await runAll(page);
    for (const side of ["gpu", "cpu", "js"]) check((await page.locator(`tr[data-side=${side}][data-size]`).count()) === 2, `not two rows of ${side}`);
    check((await page.getByText("all 65,536").count()) === 2 && (await page.getByText("all 16,384").count()) === 2, "not every result is verified");
    check((await page.locator(".chart-dot").count()) === 6, "the chart has not six points");
    return (await page.getByText(/^Done\. /).textContent()) ?? "";
  },

  // A busy machine is not a busy page: over the budget, the run is repeated and the best one counts.
  ...Object.fromEntries(["128,256", "512,1024"].map((sizes) => [`benchmark: the page is never blocked for long while ${sizes} run`, ({ open }) => measureTasks(open, sizes)])),

  "benchmark: the other workloads": async ({ open }) => {
    for (const workload of WORKLOADS.slice(1)) {
      const page = await open(`#/benchmark?op=${workload}&n=128`);
      await runAll(page);
      check((await page.getByText("wrong").count()) === 0, `${workload} is wrong`);
      check((await page.locator(".badge-good").count()) === 2, `${workload}: not both sides verified`);
      await page.close();
    }
  },

  "benchmark: exports and history": async ({ open }) => {
    const page = await open("#/benchmark?op=sum&n=64");
    await runAll(page);
    const [csv] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
    const lines = (await readFile(await csv.path(), "utf8")).trim().split("\r\n");
    check(lines.length === 4 && lines[0].startsWith("when,workload,n,side"), `the CSV has ${lines.length} lines`);
    const [json] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "JSON" }).click()]);
    check(JSON.parse(await readFile(await json.path(), "utf8")).length === 3, "the JSON has not three rows");
    await page.reload();
    await page.locator("tr[data-side=gpu]").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("button", { name: "Forget" }).click();
    await page.getByText("Nothing measured yet").waitFor();
    await page.reload();
    await page.getByText("Nothing measured yet").waitFor();
  },

  "benchmark: too long is skipped openly": async ({ open }) => {
    const page = await open("#/benchmark?op=matmul&n=4096");
    await page.getByLabel("Longest run").selectOption("1000");
    await runAll(page);
    const reason = await page.locator("tr[data-side=cpu][data-skipped] .skipped").textContent();
    check(/would take about .*estimated from a measured run at .*the limit is 1(\.0+)? s/.test(reason), `the reason is: ${reason}`);
    check((await page.locator("tr[data-skipped]").count()) === 3, "not all three sides are skipped");
    check((await page.locator(".badge-good").count()) === 0, "something is called verified");
    return reason;
  },

  "benchmark: a wrong result is called wrong, a lost device is said": async ({ open, context }) => {
    const verdict = { passed: false, nElements: 16384, largest: 0.5, at: [3, 7], actual: 1.5, expected: 1, allowed: 1e-5 };
    const row = { batch: "1-128", whenMs: 1, workload: "matmul", size: 128, side: "gpu", device: "test", software: false, skipped: null, nRuns: 1, medianMs: 1, spread: 0, transferMs: 1, firstMs: 1, verdict };
    const reports = [[{ kind: "row", row }, { kind: "done" }], [{ kind: "failed", code: "device_lost", message: "the device was lost" }]];
    for (const [i, messages] of reports.entries()) {
      const script = `onmessage = () => { for (const message of ${JSON.stringify(messages)}) postMessage(message); };`;
      await context.route(/bench\.worker.*\.js$/, (route) => route.fulfill({ contentType: "text/javascript", body: script }));
      const page = await open("#/benchmark?op=matmul&n=128");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText(i === 0 ? "1 of 1 results are wrong" : "The benchmark’s GPU was lost").waitFor();
      if (i === 0) await page.getByText("5.0e-1 at [3, 7]").waitFor();
      else await page.getByRole("button", { name: "Run again" }).waitFor();
      await context.unroute(/bench\.worker.*\.js$/);
    }
  },

  "benchmark: cancel": async ({ open }) => {
    const page = await open("#/benchmark?op=matmul&n=512,1024");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText(/at 512 × 512/).waitFor({ timeout: LONG_MS });
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled.").waitFor();
    const n = await page.locator("tr[data-side]").count();
    await page.waitForTimeout(1500);
    check((await page.locator("tr[data-side]").count()) === n, "it still runs");
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  },
};
