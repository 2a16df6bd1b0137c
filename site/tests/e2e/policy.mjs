// The content security policy of the build: what the page promises, the browser enforces.

import { resolve } from "node:path";
import { check, engineReady, LONG_MS } from "../harness.mjs";
import { serve } from "../serve.mjs";

/** Run in the page: tries to reach `target` in every way a script has; gives the directives that refused. */
async function attempts(target) {
  const refused = [];
  addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
  const outcome = await fetch(target).then(() => "answered", () => "refused");
  navigator.sendBeacon(target, "x");
  const image = new Image();
  image.src = `${target}picture.png`;
  const script = document.createElement("script");
  script.src = `${target}script.js`;
  const inline = document.createElement("script");
  inline.textContent = "window.injected = true";
  const frame = document.createElement("iframe");
  frame.src = target;
  document.body.append(script, inline, frame);
  // In a task of the page's own: the debugger's, which this runs in, is exempt.
  const evaluated = await new Promise((done) => setTimeout(() => {
    try {
      done(new Function("return true")());
    } catch {
      done(false);
    }
  }));
  await new Promise((done) => setTimeout(done, 500));
  for (const element of [script, inline, frame]) element.remove();
  return { outcome, evaluated, injected: window.injected === true, refused: [...new Set(refused)].sort() };
}

export const policyTests = {
  "policy: the page cannot reach another host, nor run a foreign script": async ({ open, expected }) => {
    // The refused frame holds an error page, where the harness finds no storage.
    expected.push(/Content Security Policy/, /Failed to load resource/, /sessionStorage/);
    const other = await serve(resolve(import.meta.dirname, "../../dist"));
    try {
      const page = await open("#/");
      await engineReady(page);
      const { outcome, evaluated, injected, refused } = await page.evaluate(attempts, other.url);
      check(outcome === "refused", "a fetch to another host was answered");
      check(!evaluated, "text was evaluated");
      check(!injected, "an inline script was run");
      check(other.sent.length === 0, `the other host was asked ${other.sent.length} times`);
      for (const directive of ["connect-src", "frame-src", "img-src", "script-src-elem"]) check(refused.includes(directive), `${directive} refused nothing; only ${refused.join(", ")} did`);
      return `refused by ${refused.join(", ")}`;
    } finally {
      other.close();
    }
  },

  // The harness fails a test with any error in the console, so a violation by the studio itself shows here.
  "policy: every page works under it, with nothing in the console": async ({ open, url }) => {
    const page = await open("#/?device=gpu");
    const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
    check(!/unsafe-inline|'unsafe-eval'|blob:|\*|https?:/.test(policy), `the policy is: ${policy}`);
    await page.evaluate(() => {
      window.violations = [];
      addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.effectiveDirective} ${event.blockedURI}`));
    });
    await page.waitForFunction(() => performance.getEntriesByName("tilework:first-result").length > 0);
    await page.goto(`${url}#/kernels?device=gpu`);
    await page.locator(".chart-line").nth(1).waitFor();
    await page.goto(`${url}#/about?doc=numerics`);
    await page.locator(".prose h1").waitFor();
    await page.goto(`${url}#/benchmark?op=sum&n=64`);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText(/^Done\. /).waitFor({ timeout: LONG_MS });
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
    check((await file.failure()) === null, "the download failed");
    await page.goto(`${url}#/conformance?filter=softmax`);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll(".totals").length === 2, undefined, { timeout: LONG_MS });
    const violations = await page.evaluate(() => window.violations);
    check(violations.length === 0, `violations: ${violations.join("; ")}`);
    return policy;
  },
};
