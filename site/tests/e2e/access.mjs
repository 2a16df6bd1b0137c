// Access: small screens, keyboard, themes, names and contrast, on every page.

import { check, engineReady, press } from "../harness.mjs";

const HASHES = ["#/", "#/benchmark", "#/conformance", "#/kernels", "#/kernels?view=sources", "#/about", "#/about?doc=numerics", "#/nowhere"];
const MIN_CONTRAST = 4.5;

/** Run in the page: everything about names and structure that is wrong. */
function findings() {
  const problems = [];
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true });
  const nameOf = (element) => {
    const labelled = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
    const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(" ");
    return (element.getAttribute("aria-label") ?? (labelled.trim() || labels.trim() || element.textContent || element.getAttribute("title") || "")).trim();
  };
  const headings = [...document.querySelectorAll("h1")].filter(isVisible);
  if (headings.length !== 1) problems.push(`${headings.length} headings of level 1`);
  for (const control of document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=img], [role=region], dialog")) {
    if ((isVisible(control) || control.matches("input")) && nameOf(control) === "") problems.push(`no name: ${control.outerHTML.slice(0, 90)}`);
  }
  for (const image of document.querySelectorAll("img:not([alt])")) problems.push(`no alt: ${image.outerHTML.slice(0, 90)}`);
  for (const svg of document.querySelectorAll("svg:not([aria-hidden]):not([role])")) problems.push(`an unnamed picture: ${svg.outerHTML.slice(0, 60)}`);
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  if (new Set(ids).size !== ids.length) problems.push("an id twice");
  if (document.documentElement.lang !== "en") problems.push("no language");
  return problems;
}

/** Run in the page: contrast of each text color on each surface of the design system. */
function contrasts() {
  const style = getComputedStyle(document.documentElement);
  // The build shortens #ffffff to #fff.
  const parse = (name) => {
    const hex = style.getPropertyValue(name).trim().slice(1);
    return hex.match(hex.length === 3 ? /./g : /../g).map((part) => parseInt(hex.length === 3 ? part + part : part, 16) / 255);
  };
  const luminance = (name) => {
    const [r, g, b] = parse(name).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const surfaces = ["--bg", "--surface", "--sunken"];
  const pairs = ["--text", "--muted", "--accent"].flatMap((text) => surfaces.map((surface) => [text, surface]));
  const soft = ["good", "warn", "bad", "accent"].map((tone) => [`--${tone}`, `--${tone}-soft`]);
  const code = ["keyword", "type", "number", "comment", "attribute", "call"].map((look) => [`--code-${look}`, "--surface"]);
  return [...pairs, ...soft, ...code, ["--on-accent", "--accent"]].map(([text, surface]) => {
    const [high, low] = [luminance(text), luminance(surface)].sort((a, b) => b - a);
    return { pair: `${text} on ${surface}`, ratio: (high + 0.05) / (low + 0.05) };
  });
}

export const accessTests = {
  "access: 360 px wide, no page scrolls sideways": async ({ open }) => {
    const page = await open("#/", { viewport: { width: 360, height: 740 } });
    for (const hash of HASHES) {
      await page.goto(page.url().replace(/#.*/, hash));
      await engineReady(page);
      await page.locator("h1").first().waitFor();
      await page.waitForTimeout(250);
      const width = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth));
      check(width <= 360, `${hash} is ${width} px wide`);
    }
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "About" }).click();
    await page.getByRole("heading", { level: 1, name: "About" }).waitFor();
  },

  "access: names, headings, language and titles on every page": async ({ open }) => {
    const page = await open("#/");
    const titles = new Set();
    for (const hash of HASHES) {
      await page.goto(page.url().replace(/#.*/, hash));
      await page.locator("h1").first().waitFor();
      await engineReady(page);
      await page.waitForTimeout(200);
      const problems = await page.evaluate(findings);
      check(problems.length === 0, `${hash}: ${problems.join("; ")}`);
      titles.add(await page.title());
    }
    check(titles.size >= 6, `titles: ${[...titles].join(", ")}`);
  },

  "access: contrast of all text colors, light and dark": async ({ open }) => {
    const page = await open("#/about");
    let worst = { ratio: Infinity, pair: "" };
    for (const theme of ["light", "dark"]) {
      await page.evaluate((value) => { document.documentElement.dataset.theme = value; }, theme);
      for (const { pair, ratio } of await page.evaluate(contrasts)) {
        check(ratio >= MIN_CONTRAST, `${theme}: ${pair} has ${ratio.toFixed(2)}`);
        if (ratio < worst.ratio) worst = { ratio, pair: `${theme} ${pair}` };
      }
    }
    return `lowest ${worst.ratio.toFixed(2)} (${worst.pair})`;
  },

  "access: themes follow the system, and a choice is remembered": async ({ open }) => {
    const page = await open("#/");
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: "light" });
    const light = await background();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await background();
    check(light !== dark, "the theme does not follow the system");
    await page.getByRole("button", { name: "Use the light theme" }).click();
    check((await background()) === light, "the choice has no effect");
    await page.reload();
    await page.getByRole("button", { name: "Use the dark theme" }).waitFor();
    check((await background()) === light, "the choice was forgotten");
  },

  "access: keyboard alone reaches everything": async ({ open }) => {
    const page = await open("#/");
    await engineReady(page);
    await press(page, "Tab");
    check((await page.evaluate(() => document.activeElement?.className)) === "skip-link", "the first stop is not the skip link");
    await press(page, "Enter");
    check((await page.evaluate(() => document.activeElement?.id)) === "main", "the skip link does not skip");
    for (const [key, title] of [["b", "Benchmark"], ["c", "Conformance"], ["k", "Kernels"], ["a", "About"]]) {
      await press(page, "g", key);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
    }
    await press(page, "?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await press(page, "Escape");
    await press(page, "d");
    await page.getByRole("dialog", { name: "Device" }).waitFor();
    await press(page, "Escape");
    await press(page, "g", "k");
    await page.getByRole("heading", { level: 1, name: "Kernels" }).waitFor();
    await press(page, "/");
    check((await page.evaluate(() => document.activeElement?.id)) === "expression", "the slash does not reach the expression");
    await page.keyboard.type("gb?");
    check(page.url().includes("kernels"), "typing in a field triggered a shortcut");
  },
};
