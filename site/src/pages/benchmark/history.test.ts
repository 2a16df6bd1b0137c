import { expect, test } from "vitest";
import { bounded, latestOf, MAX_ROWS, parseHistory } from "./history";
import type { Row } from "./types";

function row(change: Partial<Row>): Row {
  const base: Row = {
    batch: "1", whenMs: 1, workload: "matmul", size: 128, side: "gpu", device: "d", software: false, skipped: null, nRuns: 5,
    medianMs: 1, spread: 0, transferMs: 2, firstMs: 3, verdict: null,
  };
  return { ...base, ...change };
}

test("rows survive the round trip", () => {
  const rows = [row({}), row({ size: 256 })];
  expect(parseHistory(JSON.stringify(rows))).toEqual(rows);
});

test("what was not ours is dropped", () => {
  expect(parseHistory(null)).toEqual([]);
  expect(parseHistory("{")).toEqual([]);
  expect(parseHistory('{"a":1}')).toEqual([]);
  expect(parseHistory(JSON.stringify([null, 1, { batch: 1 }, { ...row({}), side: "abacus" }, row({})]))).toEqual([row({})]);
});

test("only the newest are kept", () => {
  const rows = Array.from({ length: MAX_ROWS + 5 }, (_, i) => row({ size: i }));
  expect(bounded(rows)).toHaveLength(MAX_ROWS);
  expect(bounded(rows)[0]?.size).toBe(5);
});

test("the latest row of each size and side", () => {
  const rows = [row({ medianMs: 1 }), row({ medianMs: 9 }), row({ side: "cpu" }), row({ size: 64 }), row({ workload: "sum" }), row({ size: 512, medianMs: null })];
  expect(latestOf(rows, "matmul").map((one) => [one.size, one.side, one.medianMs])).toEqual([[64, "gpu", 1], [128, "gpu", 9], [128, "cpu", 1]]);
});
