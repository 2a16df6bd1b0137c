import { expect, test } from "vitest";
import { parse, type Tree } from "./parser";

/** A tree in brackets: (add x (mul 2 y)). */
function spell(tree: Tree): string {
  if (tree.kind === "number") return String(tree.value);
  if (tree.kind === "variable") return tree.name;
  return `(${[tree.name, ...tree.args.map(spell)].join(" ")})`;
}

function tree(text: string): string {
  const parsed = parse(text);
  return parsed.ok ? spell(parsed.tree) : `error at ${parsed.error.at}: ${parsed.error.message}`;
}

test.each([
  ["1 + 2 * x", "(add 1 (mul 2 x))"],
  ["x - y - z", "(sub (sub x y) z)"],
  ["x / y / z", "(div (div x y) z)"],
  ["-x^2", "(neg (pow x 2))"],
  ["2^3^2", "(pow 2 (pow 3 2))"],
  ["2^-x", "(pow 2 (neg x))"],
  ["(x + 1) * (x - 1)", "(mul (add x 1) (sub x 1))"],
  ["2x", "(mul 2 x)"],
  ["2x^2", "(mul 2 (pow x 2))"],
  ["3(x + 1)(x - 1)", "(mul (mul 3 (add x 1)) (sub x 1))"],
  ["sin(2*x) * exp(-x^2) + y", "(add (mul (sin (mul 2 x)) (exp (neg (pow x 2)))) y)"],
  ["atan2(y, x)", "(atan2 y x)"],
  ["2e3 + .5 + 1.", "(add (add 2000 0.5) 1)"],
  ["2*pi", `(mul 2 ${Math.PI})`],
  ["π × 2 − x", `(sub (mul ${Math.PI} 2) x)`],
  ["+-+x", "(neg x)"],
  ["x % 2", "(rem x 2)"],
  ["- 3", "-3"],
])("%s", (text, expected) => {
  expect(tree(text)).toBe(expected);
});

test.each([
  ["", /type an expression/, 0],
  ["sin(", /missing at the end/, 4],
  ["sin(x", /never closed/, 0],
  ["sin x", /needs brackets/, 0],
  ["foo(x)", /no function named foo/, 0],
  ["Sin(x)", /did you mean sin/, 0],
  ["x +", /missing at the end/, 3],
  ["x + * y", /missing before “\*”/, 4],
  ["x y", /operator is missing before “y”/, 2],
  ["x)", /closes nothing/, 1],
  ["atan2(x)", /2 arguments, not 1/, 0],
  ["sin(x, y)", /one argument, not 2/, 0],
  ["x $ y", /“\$” means nothing/, 2],
  ["x + 😀", /“😀” means nothing/, 4],
  ["a+b+c+d+f", /at most 4 variables/, 8],
  ["()", /missing before “\)”/, 1],
])("%s is an error with a place", (text, message, at) => {
  const parsed = parse(text);
  expect(parsed.ok).toBe(false);
  if (parsed.ok) return;
  expect(parsed.error.message).toMatch(message);
  expect(parsed.error.at).toBe(at);
});

test("variables in the order they appear, once each", () => {
  const parsed = parse("y * x + y + t");
  expect(parsed.ok && parsed.variables).toEqual(["y", "x", "t"]);
});

test("names of objects are no functions", () => {
  expect(tree("constructor(x)")).toMatch(/no function/);
  expect(tree("toString + 1")).toBe("(add toString 1)");
});

test("deep and long input is refused, not followed", () => {
  expect(tree("(".repeat(1999))).toMatch(/levels/);
  expect(tree("-".repeat(1999) + "x")).toMatch(/levels/);
  expect(tree("2^".repeat(900) + "x")).toMatch(/levels/);
  expect(tree("x".repeat(5000))).toMatch(/characters/);
  expect(tree("1" + "+1".repeat(900))).toMatch(/operations/);
});

test("no input makes it throw", () => {
  const pieces = ["x", "y", "2", ".", "e", "sin", "atan2", "(", ")", "+", "-", "*", "/", "^", "%", ",", " ", "π", "\0", "😀", "__proto__", "1e9"];
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let i = 0; i < 20_000; i++) {
    const text = Array.from({ length: Math.floor(random() * 14) }, () => pieces[Math.floor(random() * pieces.length)]).join("");
    const parsed = parse(text);
    if (!parsed.ok) {
      expect(parsed.error.at).toBeGreaterThanOrEqual(0);
      expect(parsed.error.at).toBeLessThanOrEqual(text.length);
      expect(parsed.error.message).not.toBe("this could not be read");
    }
  }
});
