import { expect, test } from "vitest";
import { cellOf, fileText, moved, parseCells } from "./document";
import { NOTEBOOKS } from "./notebooks";
import { readMessage } from "./sandbox/messages";

test("a notebook survives its file", () => {
  const cells = ["1", "const a = `\n`"].map(cellOf);
  expect(parseCells(fileText("title", cells))).toEqual(["1", "const a = `\n`"]);
});

test.each([null, "", "no JSON", "{}", "[]", '{"cells": [1]}', '{"cells": "x"}'])("%j is no notebook", (text) => expect(parseCells(text)).toBeNull());

test("cells move by one place, and not over the ends", () => {
  const cells = ["a", "b", "c"].map(cellOf);
  const codes = (index: number, by: -1 | 1) => moved(cells, index, by).map(({ code }) => code).join("");
  expect([codes(0, 1), codes(2, -1), codes(0, -1), codes(2, 1)]).toEqual(["bac", "acb", "abc", "abc"]);
});

test("notebooks of the gallery have addresses of their own and cells", () => {
  expect(new Set(NOTEBOOKS.map(({ id }) => id)).size).toBe(NOTEBOOKS.length);
  for (const { id, cells } of NOTEBOOKS) {
    expect(id).toMatch(/^[a-z-]+$/);
    expect(cells.length).toBeGreaterThan(0);
  }
});

test("what a worker says is looked at first", () => {
  expect(readMessage(null)).toBeNull();
  expect(readMessage({ kind: "item", run: 1, item: { kind: "image", width: 2, height: 2, rgba: new Uint8ClampedArray(3) } })).toBeNull();
  expect(readMessage({ kind: "item", run: 1, item: { kind: "text", text: 5, look: "odd" } })).toEqual({ kind: "item", run: 1, item: { kind: "text", text: "", look: "plain" } });
  expect(readMessage({ kind: "done", run: 2, elapsedMs: 1, error: { name: "A", message: "b" } })).toEqual({ kind: "done", run: 2, elapsedMs: 1, error: { name: "A", message: "b", line: null } });
});
