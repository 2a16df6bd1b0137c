// The chat page, with a real model of 260 thousand weights (stories260K of TILEWORK_TEST_DATA) chosen as a file. It knows children's
// stories and nothing else, so its words are not judged here, only what the page does with them.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { check, LONG_MS, longestTaskMs, press, skip } from "../harness.mjs";
import { walk } from "./access.mjs";

const MODEL = join(process.env.TILEWORK_TEST_DATA ?? "", "stories260K", "stories260K-q8_0.gguf");

function needModel() {
  if (process.env.TILEWORK_TEST_DATA === undefined) skip("TILEWORK_TEST_DATA is not set");
  if (!existsSync(MODEL)) skip(`${MODEL} is missing`);
}

/** Another host with the model, which allows pages to fetch it, in parts too; `asked` lists what was asked for. */
async function serveModel() {
  const bytes = await readFile(MODEL);
  const asked = [];
  const server = createServer((request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "range", "access-control-expose-headers": "*", "accept-ranges": "bytes" };
    if (request.method === "OPTIONS") return response.writeHead(204, headers).end();
    asked.push({ path: request.url, range: request.headers.range });
    if (request.url !== "/tiny.gguf") return response.writeHead(404, headers).end();
    const start = Number(from ?? 0);
    const body = bytes.subarray(start, to ? Number(to) + 1 : bytes.length);
    const range = from === undefined ? {} : { "content-range": `bytes ${start}-${start + body.length - 1}/${bytes.length}` };
    response.writeHead(from === undefined ? 200 : 206, { ...headers, ...range, "content-length": body.length }).end(request.method === "HEAD" ? undefined : body);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}/tiny.gguf`, asked, close: () => server.close() };
}

const MAX_TASK_MS = 50;

const field = (page) => page.getByLabel("Message", { exact: true });
const answers = (page) => page.locator(".message-model");
const texts = (page) => page.locator(".message-said, .answer").allTextContents();
const isBusy = () => document.querySelector("[aria-busy=true]") !== null;
const done = (page) => page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null && document.querySelector(".message-speed") !== null, undefined, { timeout: LONG_MS });
const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

async function loadModel(page) {
  await page.locator("input[type=file]").setInputFiles(MODEL);
  await page.getByRole("button", { name: "Load", exact: true }).click();
  await field(page).waitFor({ timeout: LONG_MS });
}

async function ask(page, text) {
  await field(page).fill(text);
  await press(page, "Enter");
}

/**
 * Stops the next answer once it has `length` characters, by Escape or by the button. From inside of the page: the model writes
 * hundreds of tokens a second, and would be done before a key came from here.
 */
function stopSoon(page, by, length) {
  return page.evaluate(([by, length]) => {
    const watch = new MutationObserver(() => {
      if (document.querySelector("[aria-busy=true]") === null || (document.querySelector(".messages > :last-child .answer")?.textContent.length ?? 0) < length) return;
      watch.disconnect();
      if (by === "Escape") document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
      else [...document.querySelectorAll(".composer button")].find((button) => button.textContent === by).click();
    });
    watch.observe(document.querySelector(".talk"), { subtree: true, childList: true, characterData: true, attributes: true });
  }, [by, length]);
}

/** A small number of tokens in place of a thousand. */
const SHORT = { "chat-settings": JSON.stringify({ max_tokens: 24, temperature: 0, seed: 1 }) };

export const chatTests = {
  "chat: a file is looked at, loaded, and answers": async ({ open }) => {
    needModel();
    const page = await open("#/chat?device=cpu", { storage: SHORT });
    await page.locator("input[type=file]").setInputFiles(MODEL);
    await page.getByText("Chat template", { exact: true }).waitFor({ timeout: LONG_MS });
    const summary = await page.locator(".summary").textContent();
    check(/llama/.test(summary) && /Q8_0/.test(summary) && /478 KiB/.test(summary), `the summary is: ${summary}`);
    await page.getByText("It has no chat template").waitFor();
    await page.getByRole("button", { name: "Load", exact: true }).click();
    await field(page).waitFor({ timeout: LONG_MS });
    check((await page.locator(".chat-device b").textContent()) === "CPU", "it does not run on the CPU");
    check(await field(page).evaluate((element) => element === document.activeElement), "the field has no focus");
    // Shift+Enter is a line, not an end.
    await field(page).pressSequentially("Once upon");
    await press(page, "Shift+Enter");
    await field(page).pressSequentially("a time");
    await press(page, "Enter");
    await done(page);
    check((await page.locator(".message-said").textContent()) === "Once upon\na time", "the question is not what was typed");
    check((await field(page).inputValue()) === "", "the field keeps what was sent");
    const speed = await page.locator(".message-speed").textContent();
    check(/24 tokens · [\d.,]+ tokens\/s · first after/.test(speed) && /longest length/.test(speed), `the speed is: ${speed}`);
    const meter = page.getByRole("meter", { name: "Context in use" });
    check(/^\d+ of \d+ tokens$/.test((await meter.getAttribute("aria-valuetext")).replaceAll(",", "")), "the meter says nothing");
    check(/^Answer: \S/.test(await page.locator(".talk > [role=status]").textContent()), "the answer is not announced");
    return speed;
  },

  "chat: stop, answer again, edit, and find it all after a reload": async ({ open }) => {
    needModel();
    const page = await open("#/chat?device=cpu", { storage: { "chat-settings": JSON.stringify({ max_tokens: 400, temperature: 1, seed: 3 }) } });
    await loadModel(page);
    // Text streams: it is seen to grow, and Escape ends it.
    await stopSoon(page, "Escape", 10);
    await ask(page, "Tell me a story");
    await page.locator(".answer").waitFor({ timeout: LONG_MS });
    await done(page);
    const stopped = await page.locator(".message-speed").textContent();
    check(/^stopped · \d+ tokens/.test(stopped), `after Escape: ${stopped}`);
    const [, first] = await texts(page);
    // The same seed starts the same way, so what came before the stop comes again.
    await stopSoon(page, "Stop", first.length + 20);
    await page.getByRole("button", { name: "Answer again" }).click();
    await page.waitForFunction((length) => (document.querySelector(".answer")?.textContent.length ?? 0) >= length, first.length + 20, { timeout: LONG_MS });
    await done(page);
    check(/^stopped/.test(await page.locator(".message-speed").textContent()), "the button did not stop it");
    const [question, second] = await texts(page);
    check(question === "Tell me a story" && second.startsWith(first.trim()), `“${second}” does not begin like “${first}”`);
    check((await answers(page).count()) === 1, "the first answer is still there");
    // A second turn, then back to the first question.
    await ask(page, "And then?");
    await page.waitForFunction(() => document.querySelectorAll(".answer").length === 2, undefined, { timeout: LONG_MS });
    await done(page);
    check((await texts(page)).length === 4, "the second turn is not there");
    await page.getByRole("button", { name: "Edit" }).first().click();
    await press(page, "Escape");
    check(await page.evaluate(() => document.activeElement !== document.body), "the focus got lost with the edit");
    await page.getByRole("button", { name: "Edit" }).first().click();
    await page.getByLabel("Your message, edited").fill("Tell me of a dog");
    await press(page, "Enter");
    await page.locator(".message-said", { hasText: "Tell me of a dog" }).waitFor();
    await page.locator(".answer").waitFor({ timeout: LONG_MS });
    await done(page);
    const edited = await texts(page);
    check(edited.length === 2 && edited[0] === "Tell me of a dog", `after the edit: ${edited.join(" | ")}`);
    await page.reload();
    await page.locator(".answer").waitFor();
    check(JSON.stringify(await texts(page)) === JSON.stringify(edited), "the conversation changed by the reload");
    check((await field(page).count()) === 0, "there is a field without a model");
    return stopped;
  },

  "chat: several conversations are kept, exported and deleted": async ({ open }) => {
    needModel();
    const page = await open("#/chat?device=cpu", { storage: SHORT });
    await loadModel(page);
    await ask(page, "One day");
    await done(page);
    await page.getByRole("button", { name: "New conversation" }).click();
    check((await texts(page)).length === 0, "the new conversation is not empty");
    await ask(page, "A cat");
    await done(page);
    const list = page.locator(".chat-side .conversation");
    check((await list.count()) === 2, `${await list.count()} conversations`);
    await list.filter({ hasText: "One day" }).click();
    check((await texts(page))[0] === "One day", "the first conversation did not come back");
    const [markdown] = await Promise.all([page.waitForEvent("download"), page.locator(".chat-side").getByRole("button", { name: "Markdown" }).click()]);
    check(markdown.suggestedFilename() === "one-day.md", markdown.suggestedFilename());
    const [json] = await Promise.all([page.waitForEvent("download"), page.locator(".chat-side").getByRole("button", { name: "JSON" }).click()]);
    const stream = await json.createReadStream();
    const { messages } = JSON.parse((await stream.toArray()).join(""));
    check(messages.length === 2 && messages[0].content === "One day" && messages[1].role === "assistant", "the file holds something else");
    // Another page of the studio and back: the model is still there.
    await page.goto(page.url().replace(/#.*/, "#/about"));
    await page.getByRole("heading", { level: 1, name: "About" }).waitFor();
    await page.goto(page.url().replace(/#.*/, "#/chat"));
    await field(page).waitFor();
    await page.getByRole("button", { name: "Delete “One day”" }).first().click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    check(await page.evaluate(() => document.activeElement !== document.body), "the focus got lost with the conversation");
    check((await list.count()) === 1 && (await texts(page)).length === 0, "it was not deleted");
    await page.reload();
    await list.first().waitFor();
    check((await list.count()) === 1, "it came back");
  },

  "chat: a full context is said to be full, with advice": async ({ open }) => {
    needModel();
    const page = await open("#/chat?device=cpu", { storage: SHORT, viewport: { width: 360, height: 740 } });
    await loadModel(page);
    await field(page).fill("word ".repeat(3000));
    await page.getByText("The context is full").waitFor({ timeout: LONG_MS });
    await press(page, "Enter");
    await page.getByText("The answer failed").waitFor({ timeout: LONG_MS });
    check((await answers(page).count()) === 0 && (await page.locator(".message-said").count()) === 1, "the question is gone, or was answered");
    check(await fits(page), "the page is wider than the screen");
    return page.locator(".talk .callout p").nth(1).textContent();
  },

  "chat: following stops when one scrolls up, and starts again at the end": async ({ open }) => {
    needModel();
    const page = await open("#/chat?device=cpu", { storage: { "chat-settings": JSON.stringify({ max_tokens: 450, temperature: 1, seed: 5 }) }, viewport: { width: 360, height: 740 } });
    await loadModel(page);
    await ask(page, "Tell me everything");
    const atEnd = () => page.evaluate(() => document.documentElement.scrollHeight - scrollY - innerHeight < 60);
    await page.waitForFunction(() => document.documentElement.scrollHeight > innerHeight + 300, undefined, { timeout: LONG_MS });
    check(await atEnd(), "the end went out of sight");
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole("button", { name: "To the end of the conversation" }).waitFor();
    await done(page);
    check((await page.evaluate(() => scrollY)) < 5, "the page scrolled away under the reader");
    await page.getByRole("button", { name: "To the end of the conversation" }).click();
    check(await atEnd(), "the button does not lead to the end");
    check(!(await page.evaluate(isBusy)) && (await fits(page)), "the page is wider than the screen");
  },

  "chat: the page is never blocked for long while hundreds of tokens come in": async ({ open }) => {
    needModel();
    const page = await open("#/chat?device=cpu", { storage: { "chat-settings": JSON.stringify({ max_tokens: 450, temperature: 1 }) } });
    await loadModel(page);
    // The start of the studio's engine is not part of it.
    await page.waitForTimeout(2000);
    const longestMs = await longestTaskMs(page, async () => {
      await ask(page, "Tell me everything");
      await done(page);
    });
    check(longestMs <= MAX_TASK_MS, `a task of the page took ${longestMs} ms`);
    return `longest task ${longestMs.toFixed(1)} ms; ${await page.locator(".message-speed").textContent()}`;
  },

  "chat: Tab walks a conversation there and back, always in sight": async ({ open }) => {
    needModel();
    const notes = [];
    for (const viewport of [{ width: 1440, height: 900 }, { width: 360, height: 740 }]) {
      const page = await open("#/chat?device=cpu", { storage: { ...SHORT, "no-gpu-dismissed": "1" }, viewport });
      await loadModel(page);
      for (const text of ["One day", "Then", "And then", "At last"]) {
        await ask(page, text);
        await page.locator(".message-said", { hasText: text }).first().waitFor();
        await done(page);
      }
      // The walk starts behind what had the focus last.
      await page.locator(".skip-link").focus();
      const there = await walk(page, "Tab", `at ${viewport.width} px`);
      const back = await walk(page, "Shift+Tab", `at ${viewport.width} px`);
      // The button to the end is a stop only while the end is out of sight.
      check(there >= 20 && Math.abs(there - back) <= 2, `${there} stops there, ${back} back`);
      notes.push(there);
      await page.close();
    }
    return `stops: ${notes.join(", ")}`;
  },

  "chat: a model of another host is fetched, kept, used again and removed": async ({ open }) => {
    needModel();
    const host = await serveModel();
    try {
      const page = await open("#/chat?device=cpu", { storage: SHORT });
      await page.getByLabel("Or its address").fill(host.url);
      await press(page, "Enter");
      await page.getByRole("button", { name: "Load", exact: true }).click();
      await field(page).waitFor({ timeout: LONG_MS });
      const nAsked = host.asked.length;
      await page.reload();
      const kept = page.getByRole("region", { name: "Models kept in this browser" });
      await kept.getByRole("button", { name: "Use tiny.gguf" }).click();
      await page.getByRole("button", { name: "Load", exact: true }).click();
      await field(page).waitFor({ timeout: LONG_MS });
      // A head may be read again, to see whether the file is still the same.
      const again = host.asked.slice(nAsked).filter(({ range }) => !/^bytes=0-/.test(range ?? ""));
      check(again.length === 0, `the host was asked again: ${JSON.stringify(again)}`);
      await ask(page, "Once");
      await done(page);
      await page.getByRole("button", { name: "Unload" }).click();
      await kept.getByRole("button", { name: /^Remove/ }).click();
      await kept.waitFor({ state: "detached" });
      await page.reload();
      await page.getByText("Drop a GGUF file here").waitFor();
      await page.waitForTimeout(300);
      check((await kept.count()) === 0, "it is still there");
    } finally {
      host.close();
    }
  },

  "chat: files and addresses that are no model are refused with a reason": async ({ open, expected }) => {
    expected.push(/404/);
    const page = await open("#/chat", { viewport: { width: 360, height: 740 } });
    const file = (name, text) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
    await page.locator("input[type=file]").setInputFiles(file("model.safetensors", "x"));
    await page.getByText("model.safetensors is not a GGUF file").waitFor();
    await page.locator("input[type=file]").setInputFiles(file("big-00001-of-00003.gguf", "x"));
    await page.getByText("is one of 3 parts").waitFor();
    await page.locator("input[type=file]").setInputFiles(file("broken.gguf", "this is no model, whatever its name says"));
    await page.getByText("The model could not be opened").waitFor({ timeout: LONG_MS });
    const reason = await page.locator(".chat-page .callout p").nth(1).textContent();
    const address = page.getByLabel("Or its address");
    await address.fill("javascript:alert(1)//x.gguf");
    await press(page, "Enter");
    await page.getByText("An address starts with https://").waitFor();
    await address.fill("nowhere/x.gguf");
    await press(page, "Enter");
    await page.getByText(/nowhere|404/).first().waitFor({ timeout: LONG_MS });
    check(await fits(page), "the page is wider than the screen");
    return reason;
  },
};
