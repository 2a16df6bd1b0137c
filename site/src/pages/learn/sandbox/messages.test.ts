import { expect, test } from "vitest";
import { readMessage } from "./messages";

test("what is no message is dropped", () => {
  for (const data of [null, undefined, 1, "ready", {}, { kind: "other" }, { kind: "show" }, { kind: "show", item: { type: "table", values: "x" } }, { kind: "problem" }]) {
    expect(readMessage(data)).toBeNull();
  }
});

test("a problem keeps its place", () => {
  const data = { kind: "problem", problem: { source: "wgsl", severity: "warning", message: "m", file: "a.wgsl", line: 3, column: 7 } };
  expect(readMessage(data)).toEqual({ kind: "problem", problem: { source: "wgsl", severity: "warning", message: "m", file: "a.wgsl", line: 3, column: 7 } });
});

test("a line of zero or of the wrong type is unknown", () => {
  for (const line of [0, -1, 1.5, "3", undefined]) {
    expect(readMessage({ kind: "problem", problem: { message: "m", file: "f", line } })).toMatchObject({ problem: { line: null, source: "script", severity: "error" } });
  }
});

test("large tables are cut, and say so", () => {
  const values = Array.from({ length: 100 * 30 }, (_, i) => i);
  const message = readMessage({ kind: "show", item: { type: "table", title: "t", values, nRows: 100, nCols: 30 } });
  expect(message).toMatchObject({ item: { nRows: 24, nCols: 24, isCut: true } });
  // The rows stay rows.
  expect(message?.kind === "show" && message.item.type === "table" && message.item.values[24]).toBe(30);
});

test("a table with too few values has holes, not a crash", () => {
  expect(readMessage({ kind: "show", item: { type: "table", values: [1], nRows: 1, nCols: 2 } })).toMatchObject({ item: { values: [1, Number.NaN] } });
});

test("pictures of impossible sizes are dropped", () => {
  expect(readMessage({ kind: "show", item: { type: "images", width: 1e9, height: 1, images: [] } })).toBeNull();
  expect(readMessage({ kind: "show", item: { type: "images", width: 2, height: 1, images: [{ pixels: [0, 1, 2, 3] }, null] } })).toMatchObject({ item: { images: [{ pixels: [0, 1], caption: "", wrong: false }] } });
});

test("long text is cut", () => {
  const message = readMessage({ kind: "log", level: "error", text: "x".repeat(1e5) });
  expect(message?.kind === "show" && message.item.type === "text" && message.item.text.length).toBe(4000);
});
