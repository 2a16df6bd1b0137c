// The kernels page: sources, and expressions that become kernels.

import { check, engineReady } from "../harness.mjs";

export const kernelTests = {
  "kernels: every source has text and a contract": async ({ open }) => {
    const page = await open("#/kernels?view=sources");
    const entries = page.locator(".sources-list li button");
    await entries.first().waitFor();
    const n = await entries.count();
    check(n >= 17, `only ${n} kernels`);
    for (let i = 0; i < n; i++) {
      const name = await entries.nth(i).textContent();
      await entries.nth(i).click();
      await page.locator(".source h2", { hasText: name }).first().waitFor();
      check((await page.locator(".source .code-line").count()) > 3, `${name} is empty`);
      check((await page.locator(".contract").textContent()).length > 20, `${name} has no contract`);
    }
    await page.getByLabel("Filter kernels").fill("softmax");
    const found = await entries.count();
    check(found > 0 && found < n, `the filter leaves ${found} of ${n}`);
    return `${n} kernels`;
  },

  "kernels: an expression becomes a kernel, a derivative and curves": async ({ open }) => {
    for (const device of ["cpu", "gpu"]) {
      const page = await open(`#/kernels?device=${device}`);
      const code = page.locator(".kernel-pair .code");
      await code.nth(1).waitFor();
      check(/num_sin/.test(await code.nth(0).textContent()) && /num_cos/.test(await code.nth(1).textContent()), "not the kernels of sin and its derivative");
      check((await page.locator(".chart-line").count()) === 2, "two curves are due");
      await page.getByRole("button", { name: "gelu(x)" }).click();
      await page.waitForFunction(() => document.querySelector(".kernel-pair .code")?.textContent?.includes("num_gelu"));
      await page.locator("#expression").fill("x*y + y^3");
      await page.locator(".variables .choice-option", { hasText: "y" }).click();
      await page.getByText("∂f/∂y").waitFor();
    }
  },

  "kernels: a mistake is shown with its place": async ({ open }) => {
    const page = await open("#/kernels");
    await page.locator(".kernel-pair .code").first().waitFor();
    const input = page.locator("#expression");
    await input.fill("sin(2*x) * expp(x)");
    await page.getByText("Character 12: There is no function named expp; did you mean exp?").waitFor();
    check((await input.getAttribute("aria-invalid")) === "true", "the field does not say so");
    for (const text of ["", "((((", "x +", "😀", "x".repeat(3000)]) {
      await input.fill(text);
      await page.locator(".expression-error").waitFor();
    }
    await input.fill("x^2");
    await page.locator(".expression-error").waitFor({ state: "detached" });
  },

  "kernels: time per pass, or why not": async ({ open }) => {
    const page = await open("#/kernels?device=gpu");
    await engineReady(page);
    await page.getByRole("button", { name: "Measure" }).click();
    const outcome = page.locator("[aria-label='Passes on the GPU'] tbody tr, .card:has-text('GPU time per pass') [role=status]").first();
    await outcome.waitFor();
    return (await outcome.textContent()) ?? "";
  },
};
