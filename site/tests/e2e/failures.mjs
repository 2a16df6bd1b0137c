// When things go wrong: no WebGPU, a lost device, files that do not arrive.

import { launch } from "../browser.mjs";
import { check, deleteWebGpu, engineReady, runTests, withoutWebGpu } from "../harness.mjs";

async function loseDevice(page) {
  await engineReady(page);
  await page.locator(".device-chip").click();
  await page.getByRole("button", { name: "Simulate a lost device" }).click();
  await page.getByText("The GPU was lost").waitFor();
}

export const failureTests = {
  "no WebGPU: the CPU takes over, with advice": ({ open, context }) =>
    withoutWebGpu(context, async () => {
      const page = await open("#/", { init: deleteWebGpu });
      check((await engineReady(page)) === "CPU", "the CPU did not take over");
      await page.getByText("the CPU has taken over").waitFor();
      await page.waitForFunction(() => performance.getEntriesByName("tilework:first-result").length === 1);
      await page.getByRole("button", { name: "How to get WebGPU" }).click();
      await page.getByText("chrome://flags/#enable-unsafe-webgpu", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await page.goto(page.url().replace(/#.*/, "#/?device=gpu"));
      await page.getByRole("button", { name: "Stop asking for the GPU" }).waitFor();
      check((await engineReady(page)) === "CPU", "asking for the GPU broke the page");
      return (await page.locator(".banner p").nth(1).textContent()) ?? "";
    }),

  "no adapter: a browser with WebGPU but no GPU": async ({ url }) => {
    const browser = await launch({ args: ["--no-sandbox"] });
    try {
      const tests = {
        "  on the CPU": async ({ open }) => {
          const page = await open("#/");
          check((await engineReady(page)) === "CPU", "the CPU did not take over");
          await page.getByText("the CPU has taken over").waitFor();
          return (await page.locator(".banner p").nth(1).textContent()) ?? "";
        },
      };
      check((await runTests(tests, { context: browser.context, url })) === 0, "see above");
    } finally {
      await browser.close();
    }
  },

  "device lost: one click goes on": async ({ open }) => {
    const page = await open("#/kernels?device=gpu");
    await page.locator(".kernel-pair .code").first().waitFor();
    await loseDevice(page);
    await page.getByRole("button", { name: "Reopen" }).click();
    check((await engineReady(page)) === "Software GPU", "the device did not come back");
    await page.locator("#expression").fill("cos(x)");
    await page.waitForFunction(() => document.querySelector(".kernel-pair .code")?.textContent?.includes("num_cos"));
  },

  "device lost: going on with the CPU": async ({ open }) => {
    const page = await open("#/?device=gpu");
    await loseDevice(page);
    await page.getByRole("button", { name: "Continue on the CPU" }).click();
    check((await engineReady(page)) === "CPU", "the CPU did not take over");
    await page.waitForFunction(() => document.querySelector("[data-testid=computed-on]")?.textContent === "CPU");
  },

  "engine missing: the error screen says what to do, and trying again works": async ({ open, context, expected }) => {
    expected.push(/Failed to load resource/);
    await context.route(/\.wasm$/, (route) => route.abort());
    const page = await open("#/kernels");
    await page.getByText("The engine did not start").waitFor();
    await page.getByText("A file did not arrive").waitFor();
    await page.getByRole("button", { name: "Copy report" }).waitFor();
    await context.unroute(/\.wasm$/);
    await page.getByRole("button", { name: "Try again" }).click();
    await engineReady(page);
    await page.locator(".kernel-pair .code").first().waitFor();
  },

  "page missing: only that page stops": async ({ open, context, expected }) => {
    expected.push(/Failed to load resource/, /dynamically imported module/, /error occurred/);
    await context.route(/assets\/Conformance.*\.js$/, (route) => route.abort());
    const page = await open("#/conformance");
    await page.getByText("This page stopped working").waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    const widest = await page.evaluate(() => Math.max(...[...document.querySelectorAll(".callout *")].map((element) => element.getBoundingClientRect().right)));
    check(widest <= 344, `the message reaches ${widest} px at 360`);
    await context.unroute(/assets\/Conformance.*\.js$/);
    await page.goto(page.url().replace(/#.*/, "#/about"));
    await page.getByRole("heading", { level: 1, name: "About" }).waitFor();
  },

  "diagnostics: the report is copied and holds the device": async ({ open, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await open("#/?device=gpu");
    await engineReady(page);
    await page.locator(".device-chip").click();
    await page.getByText("passed", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Copy report" }).click();
    await page.getByText("Copied").waitFor();
    const report = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    check(report.engine.device.software === true && report.engine.selfCheck.status === "done", "device or self-check is missing");
    check(report.browser.userAgent.includes("Chrome"), "the browser is missing");
    return `self-check worst error ${report.engine.selfCheck.result.worst}`;
  },
};
