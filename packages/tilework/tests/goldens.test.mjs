// Every golden of NumPy on the CPU, with the module that has what NumPy has. Run `npm run build` first.

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { open } from "../dist/index.js";
import { check, parse, title } from "./goldens.mjs";

const folder = resolve(import.meta.dirname, "../../../testdata/numpy");
const groups = readdirSync(folder).filter((file) => file.endsWith(".json")).sort();
let tw;
beforeAll(async () => {
  tw = await open({ device: "cpu", ops: "numpy" });
});
afterAll(() => tw.dispose());

describe.each(groups)("%s", (file) => {
  const cases = parse(readFileSync(join(folder, file), "utf8"));
  const calls = [...new Set(cases.map(({ call }) => call))];
  test.each(calls)("%s", async (call) => {
    const wrong = [];
    for (const golden of cases.filter((golden) => golden.call === call)) {
      const problem = await check(tw, golden);
      if (problem !== undefined) wrong.push(`${title(golden)}: ${problem}`);
    }
    expect(wrong).toEqual([]);
  });
});
