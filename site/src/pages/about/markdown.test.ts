import { expect, test } from "vitest";
import { parseInline, parseMarkdown } from "./markdown";

test("blocks", () => {
  const blocks = parseMarkdown("# Title\n\nOne\ntwo.\n\n- a\n  more\n- b\n\n1. x\n\n| n | ms |\n|---|--:|\n| 1 | 2 |\n\n```rust\nlet x;\n\ny\n```\nend");
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Title" },
    { kind: "paragraph", text: "One two." },
    { kind: "list", ordered: false, items: ["a more", "b"] },
    { kind: "list", ordered: true, items: ["x"] },
    { kind: "table", rows: [["n", "ms"], ["1", "2"]], right: [false, true] },
    { kind: "code", text: "let x;\n\ny" },
    { kind: "paragraph", text: "end" },
  ]);
});

test("comments vanish, HTML stays text, an open fence ends with the file", () => {
  expect(parseMarkdown("<!-- a\nb -->\n<b>x</b>")).toEqual([{ kind: "paragraph", text: "<b>x</b>" }]);
  expect(parseMarkdown("```\na")).toEqual([{ kind: "code", text: "a" }]);
});

test("inline", () => {
  expect(parseInline("a `b*c*` **d** *e* [f](g.md) 2*3*4")).toEqual([
    { kind: "text", text: "a " }, { kind: "code", text: "b*c*" }, { kind: "text", text: " " }, { kind: "bold", text: "d" }, { kind: "text", text: " " },
    { kind: "italic", text: "e" }, { kind: "text", text: " " }, { kind: "link", text: "f", target: "g.md" }, { kind: "text", text: " 2*3*4" },
  ]);
});
