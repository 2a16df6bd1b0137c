// The conformance page: green on both devices; cancel; no such case.

import { check, LONG_MS } from "../harness.mjs";

async function run(page, device, filter) {
  await page.locator(".choice-option", { hasText: new RegExp(`^${device}$`) }).click();
  await page.getByLabel("Only cases that contain").fill(filter);
  await page.getByRole("button", { name: "Run", exact: true }).click();
}

async function counts(page) {
  await page.locator(".totals").waitFor({ timeout: LONG_MS });
  const [passed, failed, skipped] = (await page.locator(".totals dd").allTextContents()).map((text) => Number(text.replaceAll(",", "")));
  return { passed, failed, skipped };
}

async function failures(page) {
  return (await page.locator(".failures li").allTextContents()).join("; ");
}

export const conformanceTests = {
  "conformance: all cases on the CPU": async ({ open }) => {
    const page = await open("#/conformance");
    await run(page, "CPU", "");
    const { passed, failed, skipped } = await counts(page);
    check(failed === 0, `${failed} failed: ${await failures(page)}`);
    check(passed > 200, `only ${passed} cases`);
    check((await page.locator("[aria-label='Accuracy of scalar functions'] tbody tr").count()) > 30, "the table of errors is short");
    return `${passed} passed, ${failed} failed, ${skipped} skipped`;
  },

  // Not all: one case of reduce alone takes a minute on a software adapter. tests/browser runs them all.
  "conformance: softmax, products and some functions on the GPU": async ({ open }) => {
    const notes = [];
    for (const filter of ["softmax", "matmul: fours", "scalar s"]) {
      const page = await open("#/conformance");
      await run(page, "GPU", filter);
      const { passed, failed, skipped } = await counts(page);
      check(failed === 0, `${failed} failed: ${await failures(page)}`);
      check(passed >= 10, `only ${passed} cases of ${filter}`);
      notes.push(`${filter} ${passed} passed, ${skipped} skipped`);
      await page.close();
    }
    return notes.join("; ");
  },

  "conformance: failures come with shapes and values, and can be copied": async ({ open, context }) => {
    const report = { device: "test", passed: 3, failed: 1, skipped: 0, failures: [{ case: "softmax: row of one [4, 1]", message: "at [2, 0]: 0.5 instead of 1" }], scalar_errors: [] };
    const script = `onmessage = () => postMessage(${JSON.stringify({ kind: "report", report })});`;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await context.route(/conformance_worker.*\.js$/, (route) => route.fulfill({ contentType: "text/javascript", body: script }));
    try {
      const page = await open("#/conformance");
      await run(page, "GPU", "");
      await page.getByText("1 failed", { exact: true }).waitFor();
      await page.getByText("at [2, 0]: 0.5 instead of 1").waitFor();
      await page.getByRole("button", { name: "Copy report" }).click();
      await page.getByText("Copied").waitFor();
      const text = await page.evaluate(() => navigator.clipboard.readText());
      check(text.includes("FAILED softmax: row of one [4, 1]"), `the report is: ${text}`);
    } finally {
      await context.unroute(/conformance_worker.*\.js$/);
    }
  },

  "conformance: cancel, and no such case": async ({ open }) => {
    const page = await open("#/conformance");
    await run(page, "GPU", "");
    await page.getByText(/\d+ \/ \d+/).waitFor({ timeout: LONG_MS });
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled after").waitFor();
    await run(page, "CPU", "nothing is named like this");
    await page.getByText("no such case").waitFor();
  },

  // Minutes on a software adapter in one case: the page names it, counts, and lets go of it at once. The last test, since the
  // browser's one GPU process stays busy with it.
  "conformance: a long case is named and timed, and can be cancelled": async ({ open }) => {
    const page = await open("#/conformance");
    await page.getByText("software adapter", { exact: true }).waitFor();
    await run(page, "GPU", "more rows than workgroups");
    await page.locator(".run-name code", { hasText: "more rows than workgroups" }).waitFor({ timeout: LONG_MS });
    await page.getByText("the software adapter needs long for this one").waitFor();
    const shown = await page.locator(".run-name").textContent();
    check(/for 0:\d\d$/.test(shown), `the page shows: ${shown}`);
    const startMs = Date.now();
    await page.getByRole("button", { name: "Cancel" }).click();
    const words = page.getByText("Cancelled after");
    await words.waitFor();
    const cancelMs = Date.now() - startMs;
    check(cancelMs < 5000, `cancelling took ${cancelMs} ms`);
    const said = await words.textContent();
    // The GPU is still at it; neither this page nor a new one may notice.
    await run(page, "CPU", "softmax");
    const { failed } = await counts(page);
    check(failed === 0, "the CPU cannot be tested meanwhile");
    const next = await open("#/conformance");
    await next.getByRole("button", { name: "Run", exact: true }).waitFor({ timeout: LONG_MS });
    return `${said} Cancelled within ${cancelMs} ms`;
  },
};
