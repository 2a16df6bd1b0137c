import { expect, test } from "vitest";
import { cpuTimeMs } from "../../lib/cpuTime";
import { parseInline, type Inline } from "./inline";

const text = (words: string): Inline => ({ kind: "text", text: words });

test("code, emphasis and links", () => {
  expect(parseInline("a `b*c*` **d** *e* [f](g.md) 2*3*4 ~~h~~")).toEqual([
    text("a "), { kind: "code", text: "b*c*" }, text(" "), { kind: "bold", parts: [text("d")] }, text(" "), { kind: "italic", parts: [text("e")] }, text(" "),
    { kind: "link", target: "g.md", parts: [text("f")] }, text(" 2*3*4 "), { kind: "struck", parts: [text("h")] },
  ]);
  expect(parseInline("**a *b* `c`** ***d*** __e__")).toEqual([
    { kind: "bold", parts: [text("a "), { kind: "italic", parts: [text("b")] }, text(" "), { kind: "code", text: "c" }] }, text(" "),
    { kind: "bold", parts: [{ kind: "italic", parts: [text("d")] }] }, text(" "), { kind: "bold", parts: [text("e")] },
  ]);
  expect(parseInline("``a ` b`` **文字**文字")).toEqual([{ kind: "code", text: "a ` b" }, text(" "), { kind: "bold", parts: [text("文字")] }, text("文字")]);
});

test("what has no partner is text", () => {
  for (const words of ["**bold", "a * b * c", "snake_case_name", "`code", "[a](", "[a] (b)", "****", "~one~", "*", "a ** b", "__init__.py_x", "**a*"]) {
    expect(parseInline(words).map((part) => (part.kind === "text" ? part.text : part.kind)).join(""), words).toBe(words === "__init__.py_x" ? "bold.py_x" : words);
  }
  expect(parseInline("\\*a\\* \\`b\\` \\q")).toEqual([text("*a* `b` \\q")]);
});

test("addresses", () => {
  const link = (target: string, label = target): Inline => ({ kind: "link", target, parts: [text(label)] });
  expect(parseInline("See https://a.org/b_(c). Or <http://d.org>, (https://e.org/f), xhttps://no.org")).toEqual([
    text("See "), link("https://a.org/b_(c)"), text(". Or "), link("http://d.org"), text(", ("), link("https://e.org/f"), text("), xhttps://no.org"),
  ]);
  expect(parseInline('[a](https://b.org "t") [](https://c.org) [x](<https://d.org>)')).toEqual([link("https://b.org", "a"), text(" "), link("https://c.org"), text(" "), link("https://d.org", "x")]);
  expect(parseInline("[[a](https://b.org)](https://c.org)")).toEqual([link("https://c.org", "[a](https://b.org)")]);
});

test("a picture is a link, never a picture", () => {
  expect(parseInline("![alt](https://a.org/x.png)")).toEqual([{ kind: "link", target: "https://a.org/x.png", parts: [text("alt")] }]);
});

test("every character of a text without marks is kept", () => {
  const words = "<img src=x onerror=alert(1)> & &lt; \"quotes\" \u202e \0 😀";
  expect(parseInline(words)).toEqual([text(words)]);
});

const depthOf = (parts: readonly Inline[]): number => 1 + Math.max(0, ...parts.map((part) => ("parts" in part ? depthOf(part.parts) : 0)));

// Quadratic work takes seconds on each of these.
const HARD = {
  "openers": "**a ".repeat(25_000),
  "openers of two kinds": "*a **b ".repeat(14_000),
  "nested": "*a **b ".repeat(7_000) + "b** a* ".repeat(7_000),
  "brackets": "[".repeat(100_000),
  "closed brackets": "[".repeat(50_000) + "]".repeat(50_000),
  "nested links": `${"[".repeat(20_000)}a${"](b)".repeat(20_000)}`,
  "links without an end": "[a](".repeat(25_000),
  "links without an end, longer": "[a](b".repeat(20_000),
  "backticks": "` `` ``` ".repeat(11_000),
  "growing backticks": Array.from({ length: 440 }, (_, i) => "`".repeat(i + 1)).join(" "),
  "backslashes": "\\".repeat(100_000),
  "addresses": "https://".repeat(12_000),
  "underscores": "_a".repeat(50_000),
  "one word": "x".repeat(100_000),
};

test.each(Object.entries(HARD))("100 kB take no time and do not nest without end: %s", (_, words) => {
  expect(cpuTimeMs(() => parseInline(words))).toBeLessThan(400);
  expect(depthOf(parseInline(words))).toBeLessThan(20);
});
