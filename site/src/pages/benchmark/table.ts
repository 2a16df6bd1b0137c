// Rows as they are shown and exported.
import { toCsv, type Cell } from "../../lib/csv";
import type { Row } from "./types";
import { findWorkload } from "./workloads";

/** GFLOP/s or GB/s of a time. */
export function rateOf(row: Row, ms: number | null): number | null {
  const workload = findWorkload(row.workload);
  return workload === undefined || ms === null || ms <= 0 ? null : workload.work(row.size) / (ms * 1e6);
}

/** How many times as fast as another side of the same batch. */
export function speedUp(row: Row, rows: readonly Row[], side: Row["side"]): number | null {
  const other = rows.find((one) => one.batch === row.batch && one.size === row.size && one.side === side);
  return other === undefined || other.medianMs === null || row.medianMs === null ? null : other.medianMs / row.medianMs;
}

const HEADER = [
  "when", "workload", "n", "side", "device", "software_adapter", "runs", "median_ms", "relative_spread", "with_transfer_ms", "first_run_ms",
  "rate", "unit", "times_cpu", "times_plain_js", "elements_checked", "largest_error", "largest_error_at", "allowed_error", "verified", "skipped",
];

export function rowsToCsv(rows: readonly Row[]): string {
  const lines = rows.map((row): Cell[] => [
    new Date(row.whenMs).toISOString(), row.workload, row.size, row.side, row.device, String(row.software), row.nRuns, row.medianMs, row.spread,
    row.transferMs, row.firstMs, rateOf(row, row.medianMs), findWorkload(row.workload)?.unit ?? null, speedUp(row, rows, "cpu"),
    speedUp(row, rows, "js"), row.verdict?.nElements ?? null, row.verdict?.largest ?? null, row.verdict?.at.join(" ") ?? null,
    row.verdict?.allowed ?? null, row.verdict === null ? (row.side === "cpu" && row.skipped === null ? "reference" : null) : String(row.verdict.passed), row.skipped,
  ]);
  return toCsv([HEADER, ...lines]);
}
