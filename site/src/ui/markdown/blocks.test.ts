import { expect, test } from "vitest";
import { cpuTimeMs } from "../../lib/cpuTime";
import { parseMarkdown, splitBlocks, type Block } from "./blocks";

const text = (words: string): Block => ({ kind: "paragraph", text: words });

test("blocks", () => {
  const source = "# Title #\n\nOne\ntwo.\n\n- a\n  more\n- b\n\n1. x\n\n| n | ms |\n|---|--:|\n| 1 | a \\| b |\n\n```rust\nlet x;\n\ny\n```\nend\n***\n> said\n> > again";
  expect(parseMarkdown(source)).toEqual([
    { kind: "heading", level: 1, text: "Title" },
    text("One\ntwo."),
    { kind: "list", ordered: false, start: 0, items: [[text("a\nmore")], [text("b")]] },
    { kind: "list", ordered: true, start: 1, items: [[text("x")]] },
    { kind: "table", rows: [["n", "ms"], ["1", "a | b"]], right: [false, true] },
    { kind: "code", language: "rust", text: "let x;\n\ny" },
    text("end"),
    { kind: "rule" },
    { kind: "quote", blocks: [text("said"), { kind: "quote", blocks: [text("again")] }] },
  ]);
});

test("what looks like a block and is none stays text", () => {
  for (const source of ["<b>x</b>", "<script>alert(1)</script>", "#hash", "-5 degrees", "a | b", "1.5 is a number", "``` no `fence`"]) expect(parseMarkdown(source)).toEqual([text(source)]);
});

test("lists in lists, with code in them", () => {
  const source = "3. first\n\n   ```js\n     f();\n   ```\n   - inner\n     more\n4. second\nlazily\n\nafter";
  expect(parseMarkdown(source)).toEqual([
    {
      kind: "list",
      ordered: true,
      start: 3,
      items: [
        [text("first"), { kind: "code", language: "js", text: "  f();" }, { kind: "list", ordered: false, start: 0, items: [[text("inner\nmore")]] }],
        [text("second\nlazily")],
      ],
    },
    text("after"),
  ]);
});

test("while it is written: an open fence runs to the end, and only the last block changes", () => {
  expect(parseMarkdown("Look:\n```js\nconst a = `${b}`;\n# no heading")).toEqual([text("Look:"), { kind: "code", language: "js", text: "const a = `${b}`;\n# no heading" }]);
  expect(parseMarkdown("````md\n```\ninner\n```\n````")).toEqual([{ kind: "code", language: "md", text: "```\ninner\n```" }]);
  const source = "# A\n\ntext\nmore\n\n- a\n\n- b\n\n```\nx\n\ny\n```\n\n> q\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nend";
  const whole = splitBlocks(source);
  for (let n = 1; n <= source.length; n++) {
    const part = splitBlocks(source.slice(0, n));
    expect(part.slice(0, -2), `at ${n}`).toEqual(whole.slice(0, Math.max(part.length - 2, 0)));
  }
  expect(whole.flatMap(parseMarkdown)).toEqual(parseMarkdown(source));
});

test("nesting has an end", () => {
  const depthOf = (blocks: readonly Block[]): number => 1 + Math.max(0, ...blocks.map((block) => (block.kind === "quote" ? depthOf(block.blocks) : block.kind === "list" ? Math.max(...block.items.map(depthOf)) : 0)));
  expect(depthOf(parseMarkdown(">".repeat(50_000)))).toBeLessThan(12);
  expect(depthOf(parseMarkdown("- ".repeat(50_000) + "x"))).toBeLessThan(12);
});

// Quadratic work takes seconds on each of these.
const HARD = {
  "one line": "word ".repeat(20_000),
  "spaces": `#${" ".repeat(100_000)}#`,
  "a rule that is none": `${"- ".repeat(50_000)}x`,
  "empty lines in a list": `- a\n${"\n".repeat(100_000)}b`,
  "stars": "*".repeat(100_000),
  "fences": "```\n".repeat(25_000),
  "bars": `${"|".repeat(50_000)}\n${"|-".repeat(25_000)}`,
  "short lines": "a\n".repeat(50_000),
  "items": "- a\n".repeat(25_000),
  "deeper and deeper": Array.from({ length: 440 }, (_, i) => `${" ".repeat(i)}- a`).join("\n"),
  "quotes": "> a\n".repeat(25_000),
};

test.each(Object.entries(HARD))("100 kB take no time: %s", (_, source) => {
  expect(cpuTimeMs(() => [splitBlocks(source), parseMarkdown(source)])).toBeLessThan(400);
});
