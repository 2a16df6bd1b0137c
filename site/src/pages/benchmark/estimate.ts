// How long a size will take, from sizes that were measured. Nothing is run, or assumed, on hope.
import { formatMs } from "../../lib/format";

export interface Measured {
  readonly work: number;
  readonly ms: number;
}

// Large arrays leave the caches: a straight line from a small run is too hopeful by about this much.
const CAUTION = 1.5;

/** Time of `work`, by proportion from the nearest smaller run; NaN if nothing was measured. */
export function estimateMs(measured: readonly Measured[], work: number): number {
  const usable = measured.filter((one) => one.work > 0 && one.ms >= 0);
  if (usable.length === 0) return Number.NaN;
  const below = usable.filter((one) => one.work <= work);
  const nearest = (below.length > 0 ? below : usable).reduce((best, one) => (Math.abs(one.work - work) < Math.abs(best.work - work) ? one : best));
  const caution = nearest.work >= work ? 1 : CAUTION;
  return nearest.ms * (work / nearest.work) * caution;
}

/** How often a side can be run within the limit: as often as wanted if time allows, 0 if not even once. */
export function affordableRuns(wanted: number, oneMs: number, limitMs: number): number {
  if (!(oneMs > 0)) return wanted;
  if (oneMs > limitMs) return 0;
  // A run without and one with transfer make a pair, and a warm-up precedes them.
  return Math.max(1, Math.min(wanted, Math.floor(limitMs / oneMs / 2) - 1));
}

/** Why a side is not run. */
export function tooLong(what: string, size: number, oneMs: number, limitMs: number): string {
  return `${what} at ${size} × ${size} would take about ${formatMs(oneMs)} for one run (from a measured smaller run), over the limit of ${formatMs(limitMs)}`;
}
