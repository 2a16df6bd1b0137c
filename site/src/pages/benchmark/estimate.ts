// How long a size will take, from sizes that were measured. Nothing is run, or assumed, on hope.
import { formatMs } from "../../lib/format";

export interface Measured {
  readonly size: number;
  readonly work: number;
  readonly ms: number;
}

// Large arrays leave the caches: a straight line from a small run is too hopeful by about this much.
const CAUTION = 1.5;

/** The run an estimate of `work` stands on: the nearest smaller one. */
export function nearestRun(measured: readonly Measured[], work: number): Measured | undefined {
  const usable = measured.filter((one) => one.work > 0 && one.ms >= 0);
  const below = usable.filter((one) => one.work <= work);
  const candidates = below.length > 0 ? below : usable;
  return candidates.reduce<Measured | undefined>((best, one) => (best === undefined || Math.abs(one.work - work) < Math.abs(best.work - work) ? one : best), undefined);
}

/** Time of `work`, by proportion from the nearest smaller run; NaN if nothing was measured. */
export function estimateMs(measured: readonly Measured[], work: number): number {
  const nearest = nearestRun(measured, work);
  if (nearest === undefined) return Number.NaN;
  return nearest.ms * (work / nearest.work) * (nearest.work >= work ? 1 : CAUTION);
}

/**
 * The next size to try once before a size is refused, or null. A small run on a GPU is mostly waiting, which does not grow with
 * the work; so the estimate climbs by doubling, as long as each step is cheap, until it is known to be too long or short enough.
 */
export function nextProbe(measured: readonly Measured[], size: number, workOf: (size: number) => number, limitMs: number): number | null {
  if (!(estimateMs(measured, workOf(size)) > limitMs)) return null;
  const largest = nearestRun(measured, workOf(size))?.size ?? size;
  const probe = largest * 2;
  return probe < size && estimateMs(measured, workOf(probe)) <= limitMs / 4 ? probe : null;
}

/** How often a side can be run within the limit: as often as wanted if time allows, 0 if not even once. */
export function affordableRuns(wanted: number, oneMs: number, limitMs: number): number {
  if (!(oneMs > 0)) return wanted;
  if (oneMs > limitMs) return 0;
  // A run without and one with transfer make a pair, and a warm-up precedes them.
  return Math.max(1, Math.min(wanted, Math.floor(limitMs / oneMs / 2) - 1));
}

/** Why a side is not run. */
export function tooLong(what: string, size: number, oneMs: number, limitMs: number, fromSize: number): string {
  return `${what} at ${size} × ${size} would take about ${formatMs(oneMs)} for one run, estimated from a measured run at ${fromSize} × ${fromSize}; the limit is ${formatMs(limitMs)}`;
}
