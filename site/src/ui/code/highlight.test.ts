import { expect, test } from "vitest";
import { contractOf, highlight, highlightLines } from "./highlight";

function looks(source: string): string[] {
  return highlight(source).filter((span) => span.text.trim() !== "").map((span) => `${span.text.trim()}:${span.look}`);
}

test("words of the language", () => {
  expect(looks("let x = sin(2.5) * vec3<f32>(1u);")).toEqual([
    "let:keyword", "x:plain", "=:plain", "sin:call", "(:plain", "2.5:number", ") *:plain", "vec3:type", "<:plain", "f32:type", ">(:plain", "1u:number", ");:plain",
  ]);
  expect(looks("@compute // a\nfn main")).toEqual(["@compute:attribute", "// a:comment", "fn:keyword", "main:plain"]);
});

test("words of JavaScript", () => {
  const spans = highlight('const a = await f("x // y", `t${1}`); // c', "js").filter((span) => span.text.trim() !== "" && span.look !== "plain");
  expect(spans.map((span) => `${span.text}:${span.look}`)).toEqual(["const:keyword", "await:keyword", "f:call", '"x // y":string', "`t${1}`:string", "// c:comment"]);
});

test("nothing is lost", () => {
  const sources = ["", "\n\n", "/* open", "a /* b\nc */ d // e", "0x1Fu + .5e-3f", "§ ünï 😀", "'open string\nx", "`open template"];
  for (const language of ["wgsl", "js"] as const) {
    for (const source of sources) expect(highlight(source, language).map((span) => span.text).join("")).toBe(source);
  }
});

test("lines keep their count", () => {
  expect(highlightLines("a\nb\n")).toHaveLength(2);
  expect(highlightLines("a /* b\nc */\n\nd")).toHaveLength(4);
});

test("the contract is the opening comment", () => {
  expect(contractOf("// One.\n// Two.\nfn main() {}\n// not this")).toBe("One.\nTwo.");
  expect(contractOf("fn main() {}")).toBe("");
});
