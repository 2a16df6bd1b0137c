// Past rows, kept in this browser only: bounded, and gone at a click.
import { forget, load, save } from "../../lib/storage";
import { SIDES, type Row } from "./types";

const KEY = "benchmark-history-1";
export const MAX_ROWS = 240;

/** The newest rows that fit. */
export function bounded(rows: readonly Row[]): Row[] {
  return rows.slice(-MAX_ROWS);
}

/** Reads what was kept; anything that does not look like it is dropped, never trusted. */
export function parseHistory(text: string | null): Row[] {
  if (text === null) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? bounded(value.filter(isRow)) : [];
  } catch {
    return [];
  }
}

function isRow(value: unknown): value is Row {
  if (typeof value !== "object" || value === null) return false;
  const row = value as Partial<Row>;
  return (
    typeof row.batch === "string" && typeof row.workload === "string" && typeof row.size === "number" &&
    typeof row.whenMs === "number" && typeof row.device === "string" && SIDES.some((side) => side === row.side)
  );
}

export function loadHistory(): Row[] {
  return parseHistory(load(KEY));
}

export function saveHistory(rows: readonly Row[]): void {
  save(KEY, JSON.stringify(bounded(rows)));
}

export function clearHistory(): void {
  forget(KEY);
}

/** The newest measured row of each size and side of a workload: what the chart draws. */
export function latestOf(rows: readonly Row[], workload: string): Row[] {
  const latest = new Map<string, Row>();
  for (const row of rows) {
    if (row.workload === workload && row.medianMs !== null) latest.set(`${row.side} ${row.size}`, row);
  }
  return [...latest.values()].sort((a, b) => a.size - b.size);
}
