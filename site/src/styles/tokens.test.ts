import { expect, test } from "vitest";
import tokens from "./tokens.css?raw";

/** The declarations of the block after `selector`, as text. */
function block(selector: string): string {
  const start = tokens.indexOf("{", tokens.indexOf(selector)) + 1;
  return tokens.slice(start, tokens.indexOf("}", start)).replace(/\s+/g, " ").trim();
}

test("the dark theme is the same whether chosen or the system's", () => {
  const chosen = block(':root[data-theme="dark"]');
  expect(chosen).toContain("--bg:");
  expect(block(":root:not([data-theme])")).toBe(chosen);
});

test("the dark theme replaces every color of the light one", () => {
  const names = (text: string) => [...text.matchAll(/(--[a-z-]+): (?:#|rgb|0 )/g)].map((match) => match[1]);
  const light = names(block(":root {"));
  expect(light.length).toBeGreaterThan(20);
  expect(names(block(':root[data-theme="dark"]'))).toEqual(light);
});
