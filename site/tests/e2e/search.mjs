// The search page, with the real model from target/models (`cargo xtask setup` puts it there) chosen as files.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { check, LONG_MS } from "../harness.mjs";

const target = process.env.TILEWORK_TARGET ?? resolve(import.meta.dirname, "../../../target");
const MODEL = join(process.env.TILEWORK_MODELS ?? join(target, "models"), "all-MiniLM-L6-v2");
const FILES = ["config.json", "model.safetensors", "tokenizer.json", "sentence_bert_config.json"].map((name) => join(MODEL, name));

const firstHit = (page) => page.locator(".hits li").first().locator(".hit-text");

export const searchTests = {
  "search: a question finds the line that means the same": async ({ open }) => {
    check(existsSync(FILES[1]), `${FILES[1]} is missing; \`cargo xtask setup\` gets it`);
    const page = await open("#/search");
    await page.locator("input[type=file]").setInputFiles(FILES);
    await page.getByText(/ready on/).waitFor({ timeout: LONG_MS });
    await page.locator(".hits li").first().waitFor({ timeout: LONG_MS });
    check(/password/.test(await firstHit(page).textContent()), "the question of the sample finds something else");
    await page.getByRole("searchbox", { name: "Question" }).fill("my pet is afraid of lightning");
    await page.waitForFunction(() => /thunderstorm/.test(document.querySelector(".hits .hit-text")?.textContent ?? ""), undefined, { timeout: LONG_MS });
    await page.getByLabel("Text to search in").fill("Ein Hund bellt.\nRain is expected tomorrow.");
    await page.waitForFunction(() => document.querySelectorAll(".hits li").length === 2, undefined, { timeout: LONG_MS });
    await page.getByRole("searchbox", { name: "Question" }).fill("weather forecast");
    await page.waitForFunction(() => /Rain/.test(document.querySelector(".hits .hit-text")?.textContent ?? ""), undefined, { timeout: LONG_MS });
  },

  "search: files that are no model are refused with a reason": async ({ open }) => {
    const page = await open("#/search", { viewport: { width: 360, height: 740 } });
    const file = (name, text) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });
    await page.locator("input[type=file]").setInputFiles([file("config.json", "{}")]);
    await page.getByText(/Not among the chosen files: model\.safetensors, tokenizer\.json/).waitFor();
    await page.locator("input[type=file]").setInputFiles([file("config.json", "{}"), file("model.safetensors", "no"), file("tokenizer.json", "{}")]);
    await page.getByText(/config/).last().waitFor();
    await page.getByText("The model could not be used").waitFor();
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the screen");
  },
};
