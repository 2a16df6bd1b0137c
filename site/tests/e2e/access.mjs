// Access: small screens, keyboard, themes, names and contrast, on every page.

import { check, engineReady, LONG_MS, press } from "../harness.mjs";

const HASHES = ["#/", "#/learn", "#/learn/3", "#/chat", "#/pixels", "#/pixels?view=paint", "#/pixels?view=compare", "#/optimize", "#/optimize?view=sketch", "#/benchmark", "#/conformance", "#/kernels", "#/kernels?view=sources", "#/about", "#/about?doc=numerics", "#/nowhere"];
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

/** Run in the page: what has the focus, and what is wrong with how it shows. */
function focused() {
  const element = document.activeElement;
  if (element === null || element === document.body || element.id === "main") return { name: "", problem: "" };
  const name = (element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent ?? "").trim().slice(0, 40) || element.outerHTML.slice(0, 60);
  // A hidden radio button or checkbox shows its focus on the label's face beside it, a field without a border on the box around it.
  const { opacity, outlineStyle } = getComputedStyle(element);
  const face = opacity === "0" ? element.nextElementSibling : element.matches("textarea") && outlineStyle === "none" ? element.parentElement : element;
  const style = getComputedStyle(face);
  const box = face.getBoundingClientRect();
  if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) return { name, problem: "no visible focus" };
  if (box.width === 0 || box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth) return { name, problem: "out of sight" };
  const x = Math.min(Math.max((box.left + box.right) / 2, 1), innerWidth - 1);
  const top = document.elementFromPoint(x, Math.min(Math.max((box.top + box.bottom) / 2, 1), innerHeight - 1));
  const covered = top !== null && !face.contains(top) && !top.contains(face) && !element.contains(top) && top !== element;
  return { name, problem: covered ? `covered by ${top.className || top.tagName}` : "" };
}

/** Tabs through the page until the focus leaves it or starts over; gives how many stops there were. */
export async function walk(page, key, where) {
  const seen = [];
  await page.evaluate(() => { document.activeElement?.blur(); scrollTo(0, 0); });
  // No element is a stop twice, so there are no more stops than elements, however many kernels a page lists.
  const mostStops = await page.evaluate(() => document.querySelectorAll("*").length);
  for (let i = 0; i < mostStops; i++) {
    await page.keyboard.press(key);
    const { name, problem } = await page.evaluate(focused);
    check(problem === "", `${where}, ${key}, stop ${i + 1} “${name}”: ${problem}`);
    const isAgain = await page.evaluate(() => {
      const element = document.activeElement;
      const again = element === document.body || element.dataset.walked === "1";
      if (element !== document.body) element.dataset.walked = "1";
      return again;
    });
    if (isAgain) {
      await page.evaluate(() => { for (const element of document.querySelectorAll("[data-walked]")) delete element.dataset.walked; });
      return seen.length;
    }
    seen.push(name);
  }
  throw new Error(`${where}: no end after ${mostStops} stops; the last were ${seen.slice(-4).join(", ")}`);
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

  "access: Tab walks every page there and back, always in sight": async ({ open }) => {
    const notes = [];
    for (const viewport of [{ width: 1440, height: 900 }, { width: 360, height: 740 }]) {
      const page = await open("#/", { viewport, storage: { "no-gpu-dismissed": "0" } });
      for (const hash of HASHES) {
        await page.goto(page.url().replace(/#.*/, hash));
        // The walk starts at the top only on a page that nothing had the focus on.
        await page.reload();
        await engineReady(page);
        await page.locator("h1").first().waitFor();
        await page.waitForTimeout(400);
        const there = await walk(page, "Tab", `${hash} at ${viewport.width} px`);
        const back = await walk(page, "Shift+Tab", `${hash} at ${viewport.width} px`);
        check(there >= 8 && there === back, `${hash}: ${there} stops there, ${back} back`);
        notes.push(there);
      }
      await page.close();
    }
    return `stops: ${notes.join(", ")}`;
  },

  "access: dialogs keep the focus and give it back": async ({ open }) => {
    const page = await open("#/");
    await engineReady(page);
    await page.getByText("the CPU has taken over").waitFor();
    const openers = [[".device-chip", "Device"], ["button[aria-label='Keyboard shortcuts']", "Keyboard shortcuts"], [".callout-actions .button >> nth=0", "How to get WebGPU"]];
    for (const [selector, title] of openers) {
      await page.locator(selector).focus();
      await press(page, "Enter");
      const dialog = page.getByRole("dialog", { name: title });
      await dialog.waitFor();
      for (let i = 0; i < 14; i++) {
        await press(page, "Tab");
        check(await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest("dialog[open]") !== null), `${title}: the focus left the dialog`);
      }
      await press(page, "Escape");
      await dialog.waitFor({ state: "hidden" });
      check(await page.locator(selector).evaluate((element) => element === document.activeElement), `${title}: the focus did not come back`);
    }
  },

  "access: the focus survives run, cancel, dismissing and forgetting": async ({ open }) => {
    const active = (page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent || document.activeElement?.tagName);
    const home = await open("#/");
    await home.getByRole("button", { name: "Do not show again" }).focus();
    await press(home, "Enter");
    check((await active(home)) === "main", `after dismissing: ${await active(home)}`);
    const bench = await open("#/benchmark?op=sum&n=64");
    await bench.locator("#run").focus();
    await press(bench, "Enter");
    check((await active(bench)) === "run" && (await bench.locator("#run").textContent()) === "Cancel", "the focus is not on Cancel");
    await bench.getByText(/^Done\. /).waitFor({ timeout: LONG_MS });
    check((await active(bench)) === "run", "the focus left when the run ended");
    await bench.getByRole("button", { name: "Clear" }).focus();
    await press(bench, "Enter");
    check((await active(bench)) === "Keep", `after Clear: ${await active(bench)}`);
    await press(bench, "Shift+Tab", "Enter");
    check((await active(bench)) === "run", `after Forget: ${await active(bench)}`);
    const conformance = await open("#/conformance?filter=softmax");
    await conformance.locator("#case-filter").focus();
    await press(conformance, "Enter");
    await conformance.getByRole("button", { name: "Cancel" }).focus();
    await press(conformance, "Enter");
    await conformance.getByText(/^Cancelled/).first().waitFor();
    check((await active(conformance)) === "Run", `after Cancel: ${await active(conformance)}`);
  },

  "access: single-key shortcuts can be switched off": async ({ open }) => {
    const page = await open("#/");
    await engineReady(page);
    await press(page, "?");
    await page.getByLabel("Use these keys").uncheck();
    await press(page, "Escape", "g", "b");
    await page.waitForTimeout(200);
    check(!page.url().includes("benchmark"), "a key still opens a page");
  },

  "access: keyboard alone reaches everything": async ({ open }) => {
    const page = await open("#/");
    await engineReady(page);
    await press(page, "Tab");
    check((await page.evaluate(() => document.activeElement?.className)) === "skip-link", "the first stop is not the skip link");
    await press(page, "Enter");
    check((await page.evaluate(() => document.activeElement?.id)) === "main", "the skip link does not skip");
    for (const [key, title] of [["l", "Learn"], ["t", "Chat"], ["p", "Pixels"], ["o", "Optimize"], ["b", "Benchmark"], ["c", "Conformance"], ["k", "Kernels"], ["a", "About"]]) {
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
