// The notebook page: every notebook of the gallery to its end, and what a reader does to cells.

import { readFile } from "node:fs/promises";
import { check, LONG_MS } from "../harness.mjs";

/** Runs all cells and waits for the last; gives the errors that are shown. */
async function runAll(page) {
  await page.getByRole("button", { name: "Run all" }).click();
  await page.waitForFunction(() => {
    const states = [...document.querySelectorAll(".nb-cell")].map((cell) => cell.dataset.state);
    return document.querySelector(".nb-cell .problem") !== null || states.every((state) => state === "done");
  }, undefined, { timeout: LONG_MS });
  return page.locator(".nb-cell .problem").allTextContents();
}

const cell = (page, number) => page.getByRole("region", { name: `Cell ${number}`, exact: true });
const editor = (page, number) => page.getByLabel(`Cell ${number}.js`, { exact: true });

/** A notebook with these cells only. */
async function withCells(open, codes, hash = "#/notebook/blank") {
  return open(hash, { storage: { "notebook:blank": JSON.stringify({ cells: codes }) } });
}

export const notebookTests = {
  "notebook: every notebook of the gallery runs to its end": async ({ open }) => {
    const page = await open("#/notebook");
    await page.locator(".nb-tile").first().waitFor();
    const links = await page.locator(".nb-tile").evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute("href")));
    check(links.length >= 10, `only ${links.length} notebooks`);
    for (const link of links) {
      const notebook = await open(link);
      const errors = await runAll(notebook);
      check(errors.length === 0, `${link}: ${errors.join(" | ")}`);
      const shown = await notebook.locator(".nb-output > .shown, .nb-output > .nb-picture, .nb-output > pre").count();
      check(shown > 0, `${link} shows nothing`);
      await notebook.close();
    }
    return `${links.length} notebooks`;
  },

  "notebook: values, names across cells, pictures and plots": async ({ open }) => {
    const page = await withCells(open, ["const { a, b: [c] } = { a: 2, b: [5] };\nlet d = await Promise.resolve(3), e = 4;", "a + c + d + e // all of them", "const x = tw.arange(30).reshape([5, 6])\nx", "plot([1, 2, 3]); scatter([1, 2], [3, 4]); image(x); histogram(x);"]);
    const errors = await runAll(page);
    check(errors.length === 0, errors.join());
    check((await cell(page, 2).locator("pre.nb-value").textContent()) === "14", "the sum is wrong");
    check((await cell(page, 3).locator("tbody td").count()) === 30, "not every element is shown");
    check((await cell(page, 3).locator(".shown-title").textContent()) === "int32 [5, 6]", "the title is wrong");
    check((await cell(page, 4).locator(".nb-plot").count()) === 3 && (await cell(page, 4).locator("canvas").count()) === 1, "plots are missing");
  },

  "notebook: mistakes are shown at their line": async ({ open }) => {
    const page = await withCells(open, ["const x = tw.ones([2, 3]);\n\nx.add(tw.ones([4]));", "1 +\n  2 3"]);
    const errors = await runAll(page);
    check(/shape error in line 3/.test(errors[0] ?? ""), errors.join());
    check((await cell(page, 2).getAttribute("data-state")) === "idle", "the cell after a mistake was run");
    await page.getByRole("button", { name: "Run cell 2" }).click();
    await cell(page, 2).locator(".problem").waitFor();
    check(/SyntaxError in line 2/.test(await cell(page, 2).locator(".problem").textContent()), await cell(page, 2).locator(".problem").textContent());
  },

  "notebook: an endless loop is stopped, and the next run starts anew": async ({ open }) => {
    const page = await withCells(open, ["while (true) {}", "6 * 7"]);
    await page.getByRole("button", { name: "Run cell 1" }).click();
    await page.waitForFunction(() => document.querySelector(".nb-cell")?.dataset.state === "running");
    await page.waitForTimeout(500);
    await page.getByRole("button", { name: "Stop" }).click();
    await cell(page, 1).getByText("Stopped", { exact: true }).waitFor();
    await editor(page, 2).focus();
    await page.keyboard.press("Control+Enter");
    await cell(page, 2).locator("pre.nb-value", { hasText: "42" }).waitFor();
  },

  "notebook: cells are added, moved, deleted, kept, exported, imported and reset": async ({ open }) => {
    const page = await open("#/notebook/blank");
    await page.getByRole("button", { name: "Add a cell", exact: true }).click();
    await editor(page, 2).fill("'second'");
    await page.getByRole("button", { name: "Move cell 2 up" }).click();
    await page.reload();
    check((await editor(page, 1).inputValue()) === "'second'", "the move was forgotten");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
    const saved = JSON.parse(await readFile(await file.path(), "utf8"));
    check(saved.cells.length === 2 && saved.cells[0] === "'second'", JSON.stringify(saved));
    await page.getByRole("button", { name: "Delete cell 1" }).click();
    check((await page.locator(".nb-cell").count()) === 1, "the cell is still there");
    await page.getByLabel("Notebook file").setInputFiles({ name: "some.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify({ cells: ["1", "2", "3"] })) });
    await editor(page, 3).waitFor();
    await page.getByLabel("Notebook file").setInputFiles({ name: "wrong.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    await page.getByText("wrong.json is no notebook").waitFor();
    await page.getByRole("button", { name: "Reset" }).click();
    check((await page.locator(".nb-cell").count()) === 1, "a reset leaves more than the notebook");
  },

  "notebook: the code reaches neither the studio nor the network": async ({ open, expected }) => {
    expected.push(/Content Security Policy/, /Failed to load resource/, /Refused to connect/);
    const page = await withCells(open, ["await fetch(\"https://example.com/\").then(() => \"answered\", () => \"refused\")", "[typeof document, typeof localStorage, location.origin, String(await indexedDBWorks())];\nasync function indexedDBWorks() { try { indexedDB.open(\"x\"); return true; } catch { return false; } }"]);
    await runAll(page);
    check((await cell(page, 1).locator("pre.nb-value").textContent()) === "refused", "a request was answered");
  },

  "notebook: the GPU gives the same": async ({ open }) => {
    const page = await open("#/notebook/regression", { storage: { "notebook-device": "gpu" } });
    const errors = await runAll(page);
    check(errors.length === 0, errors.join());
  },

  "notebook: nothing is wider than a phone": async ({ open }) => {
    const page = await open("#/notebook/basics", { viewport: { width: 360, height: 740 } });
    await runAll(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    check(width <= 360, `the page is ${width} pixels wide`);
  },
};
