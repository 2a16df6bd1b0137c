// The digits page: drawings made with the mouse, on both devices, and a training in the tab.

import { readFileSync } from "node:fs";
import { check, deleteWebGpu, LONG_MS, withoutWebGpu } from "../harness.mjs";

const DRAWINGS = JSON.parse(readFileSync(new URL("../../../testdata/digits/strokes.json", import.meta.url), "utf8"));
/** Share of the drawings that a network must read rightly. */
const LEAST_RIGHT = 0.95;

/** Draws with the mouse, as wide a pen as the drawing wants; gives what the page says. */
async function draw(page, { strokes, pen }) {
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("Draw a digit", { exact: true }).last().waitFor();
  await page.getByRole("slider", { name: "Pen" }).evaluate((input, value) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, String(pen));
  const box = await page.locator(".digit-pad").boundingBox();
  const move = ([x, y]) => page.mouse.move(box.x + x * box.width, box.y + y * box.height);
  for (const points of strokes) {
    await move(points[0]);
    await page.mouse.down();
    // Every second point: the pen draws straight lines between them anyway.
    for (let i = 2; i < points.length; i += 2) await move(points[i]);
    await move(points.at(-1));
    await page.mouse.up();
  }
  return settled(page);
}

/** The digit on the page once it no longer changes. */
async function settled(page) {
  const read = () => page.locator(".guess-digit").textContent();
  let [before, now] = ["", await read()];
  while (before !== now || /Draw a digit/.test(now)) {
    await page.waitForTimeout(80);
    [before, now] = [now, await read()];
  }
  return Number(now[0]);
}

function choose(page, group, name) {
  return page.getByRole("group", { name: group }).locator(".choice-option", { hasText: name }).click();
}

async function ready(page) {
  await page.locator(".draw .badge", { hasText: /WebAssembly|software|gpu/i }).waitFor();
}

export const digitTests = {
  "digits: drawings by mouse are read": async ({ open }) => {
    const page = await open("#/digits");
    await ready(page);
    const wrong = [];
    for (const [index, drawing] of DRAWINGS.entries()) {
      const digit = await draw(page, drawing);
      if (digit !== drawing.digit) wrong.push(`${drawing.digit} (number ${index % 4}) as ${digit}`);
    }
    const share = 1 - wrong.length / DRAWINGS.length;
    check(DRAWINGS.length >= 30 && share >= LEAST_RIGHT, `only ${(100 * share).toFixed(1)} % right: ${wrong.join(", ")}`);
    return `${DRAWINGS.length - wrong.length} of ${DRAWINGS.length}`;
  },

  "digits: the other network, the GPU and the probabilities": async ({ open }) => {
    const page = await open("#/digits");
    await ready(page);
    const drawing = DRAWINGS[14];
    check((await draw(page, drawing)) === drawing.digit, "not read by the convolutions");
    for (const [group, name] of [["Network", "Dense"], ["Device", "GPU"]]) {
      await choose(page, group, name);
      await ready(page);
      check((await settled(page)) === drawing.digit, `not read after choosing ${name}`);
    }
    await page.getByText("software adapter").waitFor();
    const shares = await page.locator(".confidences .share").allTextContents();
    const sum = shares.reduce((sum, text) => sum + Number.parseFloat(text), 0);
    check(shares.length === 10 && Math.abs(sum - 100) < 1, `probabilities add up to ${sum} %`);
    check(/sure, in [\d.]+ .?s/.test(await page.locator(".guess-words").textContent()), "no time per inference");
  },

  "digits: a finger draws on a narrow screen": async ({ open }) => {
    const page = await open("#/digits", { viewport: { width: 360, height: 740 } });
    await ready(page);
    const drawing = DRAWINGS[5];
    await page.locator(".digit-pad").evaluate((canvas, strokes) => {
      const box = canvas.getBoundingClientRect();
      const send = (type, [x, y], buttons) =>
        canvas.dispatchEvent(new PointerEvent(type, { pointerId: 7, pointerType: "touch", isPrimary: true, bubbles: true, button: 0, buttons, clientX: box.left + x * box.width, clientY: box.top + y * box.height }));
      canvas.setPointerCapture = () => {};
      for (const points of strokes) {
        send("pointerdown", points[0], 1);
        for (const point of points) send("pointermove", point, 1);
        send("pointerup", points.at(-1), 0);
      }
    }, drawing.strokes);
    check((await settled(page)) === drawing.digit, "not read");
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the screen");
  },

  "digits: a click leaves a dot": async ({ open }) => {
    const page = await open("#/digits");
    await ready(page);
    await page.locator(".digit-pad").click();
    await page.getByText(/sure, in/).waitFor();
  },

  "digits: without WebGPU the CPU is one click away": ({ open, context }) =>
    withoutWebGpu(context, async () => {
      const page = await open("#/digits", { init: deleteWebGpu });
      await ready(page);
      await choose(page, "Device", "GPU");
      await page.getByText("No GPU in this browser").waitFor();
      await page.getByRole("button", { name: "Use the CPU" }).click();
      await ready(page);
      check((await draw(page, DRAWINGS[9])) === DRAWINGS[9].digit, "not read");
    }),

  "digits: a network learns in the tab and then reads": async ({ open }) => {
    const page = await open("#/digits?view=train");
    await page.getByLabel(/^Epochs/).evaluate((input) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, "1");
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await page.getByRole("button", { name: "Train", exact: true }).click();
    await page.locator(".train-state", { hasText: "Done" }).waitFor({ timeout: LONG_MS });
    const words = await page.locator(".train-state").textContent();
    const accuracy = Number(/([\d.]+) % right/.exec(words)?.[1]);
    check(accuracy >= 90, `only ${accuracy} % after an epoch`);
    check((await page.locator(".chart-line").count()) === 1, "no curve of the loss");
    await page.getByRole("button", { name: "Draw with it" }).click();
    await page.getByText("Yours", { exact: true }).waitFor();
    await ready(page);
    check((await draw(page, DRAWINGS[0])) === 0, "what was learned does not read a zero");
    return words;
  },
};
