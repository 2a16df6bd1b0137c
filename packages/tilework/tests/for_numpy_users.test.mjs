// docs/for_numpy_users.md: every spelling of its JavaScript column runs, on arrays of the first shape that suits it. Run `npm run build` first.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ellipsis, newAxis, open, slice } from "../dist/index.js";

const root = resolve(import.meta.dirname, "../../..");
const document = readFileSync(resolve(root, "docs/for_numpy_users.md"), "utf8");
// The last cell of every row of three; a cell may hold several spellings.
const rows = document.split("\n").filter((line) => line.startsWith("| ") && !line.endsWith("| JavaScript |"));
const spellings = rows.flatMap((row) => [...row.split(" | ").at(-1).matchAll(/`([^`]+)`/g)].map(([, code]) => code));

let tw;
beforeAll(async () => {
  tw = await open({ device: "cpu", ops: "numpy" });
});
afterAll(() => tw.dispose());

// The names that the document uses, with x and y of `shape`.
function operands(shape) {
  const x = tw.arange(shape.reduce((product, size) => product * size, 1)).cast("float32").reshape(shape).add(1);
  const m = tw.array([true, false]);
  return {
    tw, slice, ellipsis, newAxis, x, m,
    y: x.mul(2),
    i: tw.array([0, 1], { dtype: "int32", shape: shape.length === 1 ? [2] : [2, 1] }),
    n: m.not(),
    a: tw.eye(2).mul(2),
    p: tw.array([1, -3, 2]),
    xp: tw.array([1, 2]),
    fp: tw.array([5, 6]),
    r: tw.random(1),
    f: (v) => v.square().sum(),
    file: new Blob([readFileSync(resolve(root, "testdata/numpy/files/float32.npy"))]),
  };
}

async function run(code, shape) {
  const names = operands(shape);
  if (code.includes("loadTxt")) names.file = new Blob(["1 2\n3 4"]);
  const isDeclared = /^(const|let) /.test(code);
  if (isDeclared) delete names[code.split(" ")[1]];
  const body = isDeclared ? `${code}; return ${code.split(" ")[1]};` : `return (${code});`;
  const AsyncFunction = (async () => {}).constructor;
  return new AsyncFunction(...Object.keys(names), body)(...Object.values(names));
}

// Computes whatever arrays a spelling gave.
async function read(found) {
  if (typeof found?.toArray === "function") return found.toArray();
  if (ArrayBuffer.isView(found) || typeof found !== "object") return found;
  return Promise.all(Object.values(found).map(read));
}

test("the document has spellings", () => expect(spellings.length).toBeGreaterThan(120));

test.each(spellings)("%s", async (code) => {
  const failures = [];
  for (const shape of [[2], [2, 2], [2, 3], [6]]) {
    try {
      expect(await read(await run(code, shape))).toBeDefined();
      return;
    } catch (error) {
      failures.push(`[${shape}]: ${error.message}`);
    }
  }
  throw new Error(failures.join("\n"));
});
