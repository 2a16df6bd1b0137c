// What the page and its worker tell each other, and what is kept.

export type Side = "gpu" | "cpu" | "js";

export const SIDES: readonly Side[] = ["gpu", "cpu", "js"];

export const SIDE_NAMES: Record<Side, string> = { gpu: "GPU", cpu: "CPU", js: "Plain JavaScript" };

export interface Request {
  readonly workload: string;
  readonly sizes: readonly number[];
  readonly nRuns: number;
  /** Longest estimated time of one side at one size. */
  readonly limitMs: number;
}

/** Every element of a result compared with the CPU's. */
export interface Verdict {
  readonly passed: boolean;
  readonly nElements: number;
  /** Largest |actual - expected|, or the one furthest beyond its allowance; NaN if only one side is a number. */
  readonly largest: number;
  /** Its place, outermost axis first. */
  readonly at: readonly number[];
  readonly actual: number;
  readonly expected: number;
  readonly allowed: number;
}

/** One side at one size: measured, or skipped with a reason. */
export interface Row {
  /** Rows of one press of the button at one size belong together. */
  readonly batch: string;
  readonly whenMs: number;
  readonly workload: string;
  readonly size: number;
  readonly side: Side;
  readonly device: string;
  readonly software: boolean;
  readonly skipped: string | null;
  readonly nRuns: number;
  /** Inputs and result stay on the device. */
  readonly medianMs: number | null;
  readonly spread: number | null;
  /** With the way to the device and back; null where there is none. */
  readonly transferMs: number | null;
  /** First run: kernels are compiled in it. */
  readonly firstMs: number | null;
  /** Null for the CPU, which is the reference. */
  readonly verdict: Verdict | null;
}

export type Report =
  | { readonly kind: "step"; readonly text: string; readonly done: number; readonly total: number }
  | { readonly kind: "row"; readonly row: Row }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };
