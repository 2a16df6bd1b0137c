// The optimize page: meshes and sketches, by mouse, finger and keyboard.

import { check, LONG_MS, press } from "../harness.mjs";

const number = (page, name) => page.getByTestId(name).textContent().then((text) => Number(text.replaceAll(",", "")));

async function meshReady(page) {
  await page.locator(".mesh-card .badge", { hasText: /ready|at rest/ }).waitFor();
  await page.locator(".mesh-loading").waitFor({ state: "detached" });
}

/** Waits until so many iterations were made. */
function iterated(page, n) {
  return page.waitForFunction((n) => Number(document.querySelector("[data-testid=iterations]").textContent.replaceAll(",", "")) >= n, n, { timeout: LONG_MS });
}

function setRange(page, name, value) {
  return page.getByRole("slider", { name }).evaluate((input, value) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, String(value));
}

const energy = (page, name) => page.locator(".energies label", { hasText: name }).locator("input");

/** Where a point of the sketch is, in units of the sketch. */
async function pointAt(page, name) {
  return page.locator(`[data-part=${name}]`).evaluate((part) => {
    const at = (name) => Number(part.getAttribute(name));
    return part.tagName === "rect" ? [at("x") + at("width") / 2, at("y") + at("height") / 2] : [at("cx"), at("cy")];
  });
}

/** Drags from one place of the sketch to another. */
async function drag(page, from, to) {
  const box = await page.locator(".paper").boundingBox();
  const move = ([x, y], options) => page.mouse.move(box.x + (x / 12) * box.width, box.y + (y / 8) * box.height, options);
  await move(from);
  await page.mouse.down();
  await move(to, { steps: 8 });
  await page.mouse.up();
}

const chip = (page, name) => page.getByRole("group", { name: "Parts" }).locator(".toggle-chip", { hasText: new RegExp(`^${name}$`) });
const distance = ([a, b], [c, d]) => Math.hypot(a - c, b - d);

export const optimizeTests = {
  "optimize: a sphere becomes developable, can be paused, stepped and reset": async ({ open }) => {
    const page = await open("#/optimize");
    await meshReady(page);
    const before = await number(page, "cost");
    await page.locator("#mesh-run").click();
    await iterated(page, 60);
    check((await page.locator("#mesh-run").textContent()) === "Pause", "it does not run");
    await page.locator("#mesh-run").click();
    await page.locator(".mesh-card .badge", { hasText: "ready" }).waitFor();
    const [cost, n] = [await number(page, "cost"), await number(page, "iterations")];
    check(cost < before / 3, `the cost went from ${before} to ${cost} only`);
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await iterated(page, n + 1);
    await page.waitForTimeout(200);
    check((await number(page, "iterations")) === n + 1, "a step is not one iteration");
    check((await page.locator(".chart-line").count()) === 1, "no curve of the cost");
    const rate = await page.locator(".facts dd").nth(2).textContent();
    await page.getByRole("button", { name: "Reset" }).click();
    // Reset brings it back; until it is ready again the page shows what was.
    const isBack = (before) => Math.abs(Number(document.querySelector("[data-testid=cost]").textContent) - before) < 0.01 * before;
    await page.waitForFunction(isBack, before, { timeout: LONG_MS });
    await meshReady(page);
    return `${n} iterations, cost ${before} to ${cost}, ${rate} a second`;
  },

  "optimize: every energy runs, and other spheres": async ({ open }) => {
    const page = await open("#/optimize");
    await meshReady(page);
    for (const name of ["Springs", "As rigid", "Bending", "Smoothing"]) {
      await energy(page, name).check();
      await meshReady(page);
    }
    await energy(page, "Developable").uncheck();
    await meshReady(page);
    await page.getByRole("group", { name: "Method" }).locator(".choice-option", { hasText: "Levenberg" }).click();
    await setRange(page, /^Sphere/, 2);
    await page.getByText("162 vertices", { exact: false }).first().waitFor();
    await meshReady(page);
    await page.getByRole("button", { name: "Shake" }).click();
    await iterated(page, 3);
    await page.locator(".mesh-card .badge", { hasText: "at rest" }).waitFor({ timeout: LONG_MS });
  },

  "optimize: a vertex is pulled by the mouse and by keys": async ({ open }) => {
    const page = await open("#/optimize");
    await meshReady(page);
    await energy(page, "Pin the bottom").check();
    await energy(page, "As rigid").check();
    await energy(page, "Developable").uncheck();
    await meshReady(page);
    check((await number(page, "cost")) === 0, "a mesh that nobody touched has a cost");
    const box = await page.locator(".mesh-view canvas").boundingBox();
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(...middle);
    await page.mouse.down();
    await page.mouse.move(middle[0] + 60, middle[1] - 60, { steps: 5 });
    await iterated(page, 20);
    const pulled = await number(page, "cost");
    check(pulled > 1e-3, `the cost is ${pulled} while it is pulled`);
    await page.mouse.up();
    await page.locator(".mesh-card .badge", { hasText: "at rest" }).waitFor({ timeout: LONG_MS });
    check((await number(page, "cost")) < pulled / 100, "it does not come to rest");
    await page.getByLabel(/^Pull the top/).focus();
    await press(page, "ArrowRight", "ArrowRight");
    await page.waitForFunction(() => Number(document.querySelector("[data-testid=cost]").textContent) > 1e-4, undefined, { timeout: LONG_MS });
  },

  "optimize: a GPU solves, too, and says so": async ({ open }) => {
    const page = await open("#/optimize");
    await meshReady(page);
    await setRange(page, /^Sphere/, 2);
    await page.getByText("162 vertices", { exact: false }).first().waitFor();
    await page.getByRole("group", { name: "Device" }).locator(".choice-option", { hasText: "GPU" }).click();
    check(await energy(page, "Developable").isChecked(), "a GPU minimizes energies that are no sum of squares");
    await page.locator(".facts dd", { hasText: "swiftshader" }).waitFor({ timeout: LONG_MS });
    await meshReady(page);
    const before = await number(page, "cost");
    await page.getByRole("button", { name: "Shake" }).click();
    await iterated(page, 3);
    await page.locator("#mesh-run").click();
    check((await number(page, "cost")) !== before, "nothing happened to the developability");
    await energy(page, "Springs").check();
    await energy(page, "Developable").uncheck();
    await page.getByRole("group", { name: "Method" }).locator(".choice-option", { hasText: "Levenberg" }).click();
    await meshReady(page);
    await page.getByRole("button", { name: "Shake" }).click();
    await iterated(page, 5);
    // Shaken springs come to rest.
    await page.waitForFunction(() => Number(document.querySelector("[data-testid=cost]").textContent) < 1, undefined, { timeout: LONG_MS });
    await page.getByRole("group", { name: "Precision" }).locator(".choice-option", { hasText: "Double-float" }).click();
    const words = page.locator(".facts dd", { hasText: "df64, " });
    await words.waitFor({ timeout: LONG_MS });
    return words.textContent();
  },

  "optimize: an OBJ file is shown, and a wrong one is refused in words": async ({ open }) => {
    const page = await open("#/optimize");
    await meshReady(page);
    const give = (name, text) => page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await give("tetrahedron.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    await page.getByRole("heading", { name: "tetrahedron.obj" }).waitFor();
    await page.getByText("4 vertices, 4 faces").waitFor();
    await meshReady(page);
    await give("broken.obj", "v 1 2\n");
    await page.getByText("That file could not be read").waitFor();
    await page.getByText("a vertex needs three numbers").waitFor();
  },

  "optimize: a linkage is driven by its crank, and all constraints hold": async ({ open }) => {
    const page = await open("#/optimize?view=sketch");
    await page.getByText("all hold").waitFor();
    const [crank, pivot] = [await pointAt(page, "P2"), await pointAt(page, "P1")];
    await drag(page, crank, [pivot[0] - 1, pivot[1] - 1]);
    await page.getByText("all hold").waitFor();
    await page.waitForTimeout(100);
    const [now, rocker] = [await pointAt(page, "P2"), await pointAt(page, "P3")];
    check(distance(now, crank) > 0.5, "the crank did not move");
    check(Math.abs(distance(now, pivot) - 1.2) < 1e-3, `the crank is ${distance(now, pivot)} long`);
    check(Math.abs(distance(rocker, await pointAt(page, "P4")) - 2.4) < 1e-3, "the rocker changed its length");
    return `${await page.locator(".sketch-figures").textContent()}`;
  },

  "optimize: constraints are added, changed and removed by keyboard": async ({ open }) => {
    const page = await open("#/optimize?view=sketch");
    await page.getByText("all hold").waitFor();
    const count = () => page.locator(".constraints li").count();
    const n = await count();
    for (const name of ["P12", "P13"]) {
      await chip(page, name).locator("input").focus();
      await press(page, " ");
    }
    await page.getByRole("button", { name: "Distance", exact: true }).focus();
    await press(page, "Enter");
    check((await count()) === n + 1, "no constraint was added");
    const field = page.getByLabel("Distance P12, P13", { exact: true });
    await field.fill("1.5");
    await page.waitForFunction(() => {
      const at = (name) => { const part = document.querySelector(`[data-part=${name}]`); return [Number(part.getAttribute("cx")), Number(part.getAttribute("cy"))]; };
      const [p, q] = [at("P12"), at("P13")];
      return Math.abs(Math.hypot(p[0] - q[0], p[1] - q[1]) - 1.5) < 1e-3;
    });
    await page.getByText("all hold").waitFor();
    // A square of two sizes cannot be.
    for (const name of ["P13", "P14"]) await chip(page, name).locator("input").check();
    await page.getByRole("button", { name: "Distance", exact: true }).click();
    await page.getByLabel("Distance P13, P14", { exact: true }).fill("3");
    await page.getByText("not all can hold").waitFor();
    await page.getByRole("button", { name: "Remove Distance P13, P14" }).click();
    await page.getByText("all hold").waitFor();
    // Arrow keys move what is selected.
    await chip(page, "P12").locator("input").check();
    const before = await pointAt(page, "P12");
    await page.locator(".paper").focus();
    await press(page, "ArrowUp", "ArrowUp");
    await page.waitForTimeout(150);
    check((await pointAt(page, "P12"))[1] < before[1] - 0.1, "an arrow key does not move the point");
  },

  "optimize: parts are drawn and deleted on a narrow screen": async ({ open }) => {
    const page = await open("#/optimize?view=sketch", { viewport: { width: 360, height: 740 } });
    await page.getByText("all hold").waitFor();
    await page.getByRole("button", { name: "Empty" }).click();
    const tool = (name) => page.getByRole("group", { name: "Tool" }).locator(".choice-option", { hasText: name }).click();
    const paper = page.locator(".paper");
    const click = async (x, y) => {
      const box = await paper.boundingBox();
      await paper.click({ position: { x: (x / 12) * box.width, y: (y / 8) * box.height } });
    };
    await tool("Line");
    await click(2, 2);
    await click(6, 3);
    await tool("Circle");
    await click(8, 5);
    await click(9, 5);
    check((await page.locator("[data-part^=P]").count()) === 3, "there are not three points");
    await tool("Move");
    await chip(page, "L1").click();
    await chip(page, "C1").click();
    await page.getByRole("button", { name: "Tangent" }).click();
    await page.getByText("all hold").waitFor();
    await chip(page, "P1").click();
    await page.getByRole("button", { name: "Delete" }).click();
    check((await page.locator("[data-part^=L]").count()) === 0, "a line without an end is still there");
    check((await page.locator(".constraints li").count()) === 0, "a constraint of nothing is still there");
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the screen");
  },

  "optimize: a module that does not arrive is said so": async ({ open, expected, context }) => {
    expected.push(/Failed to load resource|net::ERR/);
    const block = (route) => route.abort();
    await context.route(/tilework_bg.*\.wasm$/, block);
    try {
      const page = await open("#/optimize?view=sketch");
      await page.getByText("The solver stopped").waitFor();
    } finally {
      await context.unroute(/tilework_bg.*\.wasm$/, block);
    }
  },
};
