// The lessons: code that runs, exercises that tell right from wrong, mistakes at their line, and what happens without WebGPU.

import { check, deleteWebGpu, engineReady, withoutWebGpu } from "../harness.mjs";

const N_LESSONS = 8;
// Where each lesson's kernel is broken: its tab, and a line inside of its main function.
const KERNELS = ["hello.wgsl", "add.wgsl", "matmul.wgsl", "relu.wgsl", "softmax.wgsl", "dense.wgsl", "tally.wgsl", "answer.wgsl"];

const editor = (page) => page.locator(".editor textarea");
const tab = (page, name) => page.getByRole("tab", { name });
const output = (page) => page.locator(".output");

async function openLesson(open, number, options) {
  const page = await open(`#/learn/${number}`, options);
  await page.locator("#run:not([aria-disabled])").waitFor();
  return page;
}

/** Runs the code in the editor; gives the text of its output. */
async function run(page) {
  await page.locator("#run").click();
  await page.locator(".output-status", { hasText: /Done in|did not work|No answer/ }).waitFor();
  return output(page).textContent();
}

/** Checks the exercise; gives the verdict's title and the words on each case. */
async function verdict(page) {
  await page.locator("#check").click();
  const callout = page.locator(".exercise .callout");
  await callout.waitFor();
  return { title: await callout.locator(".callout-title").textContent(), cases: await callout.locator("li").allTextContents() };
}

async function setFile(page, name, text) {
  await tab(page, name).click();
  await editor(page).fill(text);
}

async function fileText(page, name) {
  await tab(page, name).click();
  return editor(page).inputValue();
}

/** Puts a line with a mistake behind the one that opens the main function; gives its number, from 1. */
async function breakKernel(page, name) {
  const lines = (await fileText(page, name)).split("\n");
  const at = lines.findIndex((line, i) => line.endsWith("{") && (line.startsWith("fn main") || lines.slice(0, i + 1).some((earlier) => earlier.startsWith("fn main"))));
  lines.splice(at + 1, 0, "    let broken = no_such_name;");
  await editor(page).fill(lines.join("\n"));
  return at + 2;
}

/** One lesson from the starting code to the solution, and a mistake. */
async function wholeLesson({ open }, number) {
  const page = await openLesson(open, number);
  const shown = await run(page);
  check(/Done in/.test(shown), `the starting code: ${shown}`);
  const first = await verdict(page);
  check(/Not yet/.test(first.title), `the starting code passes: ${first.title}`);
  check(first.cases.some((words) => /expected .*, came /.test(words)), `no case says what was expected and what came: ${first.cases.join("; ")}`);
  await page.getByRole("button", { name: "Show solution" }).click();
  const solved = await verdict(page);
  check(/The solution passes all/.test(solved.title), `the solution: ${solved.title}; ${solved.cases.join("; ")}`);
  await page.getByRole("button", { name: "Back to my code" }).click();
  await breakAndRun(page, number);
  return `${solved.title.toLowerCase()}; before: ${first.title.replace("Not yet: ", "")}`;
}

/** A broken kernel has one message, at its line, whatever else fails because of it. */
async function breakAndRun(page, number) {
  const line = await breakKernel(page, KERNELS[number - 1]);
  await run(page);
  const message = await page.locator(`.editor .code-line[data-line="${line}"] .line-problem`).textContent();
  check(/no_such_name/.test(message), `the message at line ${line}: ${message}`);
  check((await page.locator(".line-problem").count()) === 1, "one mistake, several marks");
  check((await page.locator(".problem").count()) === 1, `echoes: ${(await page.locator(".problem").allTextContents()).join(" | ")}`);
}

const wholeLessons = Object.fromEntries(Array.from({ length: N_LESSONS }, (_, i) => [`learn: lesson ${i + 1} from start to solution`, (context) => wholeLesson(context, i + 1)]));

/** Draws lines through points (0 to 1 across the pad) with the mouse. */
async function draw(page, strokes) {
  const pad = page.locator(".draw-pad canvas");
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  for (const stroke of strokes) {
    for (const [i, [x, y]] of stroke.entries()) {
      await page.mouse.move(box.x + x * box.width, box.y + y * box.height, { steps: i === 0 ? 1 : 6 });
      if (i === 0) await page.mouse.down();
    }
    await page.mouse.up();
  }
}

export const learnTests = {
  ...wholeLessons,

  "learn: edits of every lesson survive a reload, and reset takes them back": async ({ open }) => {
    const page = await openLesson(open, 1);
    const show = async (number) => {
      await page.goto(page.url().replace(/#.*/, `#/learn/${number}`));
      await tab(page, KERNELS[number - 1]).click();
    };
    const before = [];
    for (let number = 1; number <= N_LESSONS; number++) {
      await show(number);
      before.push(await editor(page).inputValue());
      await editor(page).fill(`// mine ${number}`);
    }
    await page.reload();
    for (let number = 1; number <= N_LESSONS; number++) {
      await show(number);
      check((await editor(page).inputValue()) === `// mine ${number}`, `lesson ${number}: the edit did not survive a reload`);
      await page.getByRole("button", { name: "Reset" }).click();
      check((await editor(page).inputValue()) === before[number - 1], `lesson ${number}: reset did not bring the starting code back`);
    }
    await page.getByRole("button", { name: "Undo reset" }).click();
    check((await editor(page).inputValue()) === `// mine ${N_LESSONS}`, "the reset cannot be undone");
  },

  "learn: own code that passes marks the lesson, on every page and after a reload": async ({ open }) => {
    const page = await openLesson(open, 2);
    await page.getByRole("button", { name: "Show solution" }).click();
    const solution = { "add.wgsl": await fileText(page, "add.wgsl"), "host.js": await fileText(page, "host.js") };
    await page.getByRole("button", { name: "Back to my code" }).click();
    for (const [name, text] of Object.entries(solution)) await setFile(page, name, text);
    check(/This lesson is done/.test((await verdict(page)).title), "the own code does not pass");
    await page.reload();
    await page.locator(".page-head .badge", { hasText: "done" }).waitFor();
    await page.goto(page.url().replace(/#.*/, "#/learn"));
    await page.getByText("1 of 8 done").waitFor();
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByRole("heading", { level: 1, name: "1. Adapter and device" }).waitFor();
    await page.getByRole("link", { name: "Add two numbers", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "2. Add two numbers" }).waitFor();
    check(/Lesson 2/.test(await page.title()), `the title is ${await page.title()}`);
    await page.goto(page.url().replace(/#.*/, "#/learn/9"));
    await page.getByText("There is no such page").waitFor();
  },

  "learn: mistakes in host code are shown at their line": async ({ open }) => {
    const page = await openLesson(open, 2);
    const host = await fileText(page, "host.js");
    const lineOf = (text, part) => text.split("\n").findIndex((line) => line.includes(part)) + 1;
    const attempts = [
      ["a thrown error", host.replace("const sizeBytes", "throw new Error('on purpose');\n  const sizeBytes"), "throw new Error", /on purpose/],
      ["a syntax error", host.replace("const sizeBytes = a.length * 4;", "const sizeBytes = ;"), "const sizeBytes = ;", /Unexpected token/],
      ["a refused call", host.replace("{ binding: 2, resource: { buffer: bufferC } },", ""), "device.createBindGroup({", /Number of entries \(2\)/],
      ["a refused copy", host.replace("GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC", "GPUBufferUsage.STORAGE"), "encoder.finish()", /CopySrc/i],
    ];
    for (const [name, text, part, words] of attempts) {
      check(text !== host, `${name}: nothing changed`);
      await editor(page).fill(text);
      await run(page);
      const message = await page.locator(`.editor .code-line[data-line="${lineOf(text, part)}"] .line-problem`).textContent({ timeout: 3000 }).catch(async () => `none; ${await page.locator(".problems").textContent()}`);
      check(words.test(message), `${name}: ${message}`);
    }
    await editor(page).fill("export const nothing = 1;");
    check(/did not work/.test(await run(page)), "a file without run was accepted");
    await page.getByText("must export a function named run").waitFor();
  },

  "learn: an endless loop leaves the page alive and can be stopped": async ({ open }) => {
    const page = await openLesson(open, 1);
    await setFile(page, "host.js", "export async function run() {\n  for (;;) {}\n}");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.waitForTimeout(600);
    const startMs = Date.now();
    await page.evaluate(() => document.title);
    const waitedMs = Date.now() - startMs;
    check(waitedMs < 500, `the page answered after ${waitedMs} ms`);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped.").waitFor();
    check((await page.locator("iframe").count()) === 0, "the frame is still there");
    await setFile(page, "host.js", "export async function run() {\n  for (let i = 0; i < 5000; i++) console.log(i);\n  return 7;\n}");
    check(/More was printed than is shown/.test(await run(page)), "a flood of lines is not cut");
  },

  "learn: lesson code can reach neither the page, nor storage, nor the network": async ({ open, expected, url }) => {
    expected.push(/Content Security Policy/, /Refused to connect/, /Blocked a frame/, /sessionStorage/, /Fetch API/);
    const page = await openLesson(open, 1);
    const attempt = `export async function run(input, { show }) {
      const attempts = {
        page: () => parent.document.title,
        storage: () => localStorage.length,
        network: () => fetch(${JSON.stringify(url)}),
        evaluation: () => new Function("return 1")(),
      };
      for (const [name, body] of Object.entries(attempts)) {
        try { await body(); show.text(name + " open"); } catch { show.text(name + " closed"); }
      }
    }`;
    await setFile(page, "host.js", attempt);
    const shown = await run(page);
    for (const name of ["page", "storage", "network", "evaluation"]) check(shown.includes(`${name} closed`), `${name} is not closed: ${shown}`);
  },

  "learn: softmax of large numbers shows NaN, and the input field says what is wrong": async ({ open }) => {
    const page = await openLesson(open, 5);
    await page.getByLabel("x, one row").fill("100, 101");
    check(/NaN/.test(await run(page)), "no NaN");
    await page.getByLabel("x, one row").fill("1, x");
    await page.getByText("“x” is not a number.").waitFor();
  },

  "learn: pictures move, can be paused, and rest for those who want less motion": async ({ open }) => {
    const page = await openLesson(open, 3);
    const counter = page.locator(".steps .numeric").first();
    const before = await counter.textContent();
    await page.waitForFunction((text) => document.querySelector(".steps .numeric").textContent !== text, before);
    await page.getByRole("button", { name: "Pause" }).click();
    const paused = await counter.textContent();
    await page.waitForTimeout(900);
    check((await counter.textContent()) === paused, "it moves although paused");
    await page.getByRole("button", { name: "One step on" }).click();
    check((await counter.textContent()) !== paused, "a step does nothing");
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.reload();
    await page.getByRole("button", { name: "Play" }).waitFor();
  },

  "learn: lesson 7 reads at least 97 % of its images": async ({ open }) => {
    const page = await openLesson(open, 7);
    const shown = await run(page);
    const share = Number(/\(([\d.]+) %\)/.exec(shown)?.[1]);
    check(share >= 97, `only ${share} %`);
    check((await page.locator(".shown-images canvas").count()) === 40, "no images");
    return `${share} %`;
  },

  "learn: lesson 8 reads a digit drawn with the mouse": async ({ open }) => {
    const page = await openLesson(open, 8);
    await page.getByRole("button", { name: "Clear" }).waitFor();
    await draw(page, [[[0.3, 0.25], [0.7, 0.23], [0.45, 0.82]]]);
    await page.getByText("This is a 7.").waitFor();
    await page.getByRole("button", { name: "0", exact: true }).click();
    await page.getByText("This is a 0.").waitFor();
    await page.getByRole("button", { name: "Compute it on the CPU too" }).click();
    await page.locator(".cpu-card").getByText("This is a 0. Computed on the CPU").waitFor();
  },

  "learn: without WebGPU everything can be read, and the CPU computes": ({ open, context }) =>
    withoutWebGpu(context, async () => {
      const page = await open("#/learn/1", { init: deleteWebGpu });
      for (let number = 1; number <= N_LESSONS; number++) {
        await page.goto(page.url().replace(/#.*/, `#/learn/${number}`));
        await page.getByText("The code of this lesson cannot run here").waitFor();
        await page.getByText("This browser has no WebGPU").waitFor();
        check((await editor(page).inputValue()).length > 100, "no code to read");
        check((await page.locator("#run").getAttribute("aria-disabled")) === "true", "Run can be clicked");
        const cpu = page.getByRole("button", { name: "Compute it with WebAssembly on the CPU instead" });
        if (number < 6) {
          check((await cpu.count()) === 0, `lesson ${number} offers the CPU`);
          continue;
        }
        if (number === 8) await draw(page, [[[0.55, 0.2], [0.45, 0.8]]]);
        await cpu.click();
        const answer = page.locator(".cpu-card .shown-text");
        await answer.waitFor();
        const words = await answer.textContent();
        if (number === 7) check(Number(/\(([\d.]+) %\)/.exec(words)?.[1]) >= 97, words);
        if (number === 8) check(/This is a 1\./.test(words), words);
      }
    }),

  "learn: no lesson scrolls sideways at 360 px, and links to kernels lead to them": async ({ open }) => {
    const page = await open("#/learn", { viewport: { width: 360, height: 740 } });
    await engineReady(page);
    for (const part of ["", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"]) {
      await page.goto(page.url().replace(/#.*/, `#/learn${part}`));
      if (part !== "") await page.locator(".lesson-engine").waitFor();
      if (part === "/5" || part === "/7") {
        await page.locator("#run:not([aria-disabled])").waitFor();
        await run(page);
      }
      const width = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth));
      check(width <= 360, `lesson ${part} is ${width} px wide`);
    }
    const links = new Set();
    for (let number = 1; number <= N_LESSONS; number++) {
      await page.goto(page.url().replace(/#.*/, `#/learn/${number}`));
      await page.locator(".lesson-engine a").first().waitFor();
      for (const href of await page.locator(".lesson-engine a").evaluateAll((all) => all.map((link) => link.getAttribute("href")))) links.add(href);
    }
    for (const href of links) {
      await page.goto(page.url().replace(/#.*/, href));
      const name = `${decodeURIComponent(href).split("/").at(-1)}.wgsl`;
      await page.locator(".source h2", { hasText: name }).first().waitFor();
    }
    return `${links.size} kernels`;
  },
};
