import { expect, test } from "vitest";
import { compile, lineOf, lineOfSyntaxError, type CellFunction } from "./compile";
import { scan } from "./scan";

const make = (body: string) => new Function("scope", body) as CellFunction;

test.each([
  ["const a = 1", ["a"]],
  ["let a = f(1, 2), b = [3, 4], c;\nvar d", ["a", "b", "c", "d"]],
  ["const { a, b: c, d = 5, ...e } = f(), [g, [h]] = i", ["a", "c", "d", "e", "g", "h"]],
  ["async function f() { const inner = 1 }\nclass G {}\nfunction* h() {}", ["f", "G", "h"]],
  ["if (true) { const inner = 1 }\nfor (let i = 0; i < 3; i++) {}", []],
  ["const s = 'let x = 1'; const t = `const ${'y'} = {`; // const z = 1\nconst u = /[/]let v = 1{/", ["s", "t", "u"]],
])("names of %j", (code, names) => expect(scan(code).names).toEqual(names));

test.each<[string, unknown]>([
  ["1 + 2", 3],
  ["const a = 1;\na + 1;", 2],
  ["await Promise.resolve(4) // four", 4],
  ["const a = [1, 2]\na\n  .map((x) => x * 2)\n  .join()", "2,4"],
  ["const a = 2", undefined],
  ["if (true) { 5 }", undefined],
  ["({ a: 1 }).a", 1],
  ["'a;b'; // c", "a;b"],
  ["", undefined],
  ["// only words", undefined],
])("value of %j", async (code, value) => expect(await compile(code, "cell.js", make)({})).toEqual(value));

test("names outlive their cell and can be changed by the next", async () => {
  const scope = {};
  await compile("let n = 1; const { x } = { x: 5 }; function twice(v) { return 2 * v }", "a.js", make)(scope);
  await compile("n = n + 1", "b.js", make)(scope);
  expect(await compile("const y = twice(n) + x\ny", "c.js", make)(scope)).toBe(9);
  expect(await compile("const x = 7\nx", "d.js", make)(scope)).toBe(7);
});

test("lines of errors", async () => {
  const error = await compile("const a = 1;\n\nnull.b", "cell-3.js", make)({}).catch((thrown: unknown) => thrown);
  expect(lineOf((error as Error).stack ?? "", "cell-3.js")).toBe(3);
  expect(lineOf("at elsewhere.js:5:2", "cell-3.js")).toBeNull();
  const complain = (code: string) => {
    try {
      compile(code, "", make);
      return null;
    } catch (thrown) {
      return String(thrown);
    }
  };
  expect(lineOfSyntaxError("const a = 1;\nconst b = 2 3;\nconst c = 4;", complain)).toBe(2);
  expect(lineOfSyntaxError("const a = 1;", complain)).toBeNull();
});
