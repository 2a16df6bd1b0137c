// The few statistics a benchmark needs.

/** The value below which the share `q` of the values lies, interpolated; NaN of nothing. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const at = Math.min(Math.max(q, 0), 1) * (sorted.length - 1);
  const low = Math.floor(at);
  const below = sorted[low] ?? Number.NaN;
  const above = sorted[Math.min(low + 1, sorted.length - 1)] ?? below;
  return below + (above - below) * (at - low);
}

/** The middle value; robust against the one run that something else disturbed. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Half the distance between the quartiles, as a share of the median: how far two runs may differ by chance. */
export function relativeSpread(values: readonly number[]): number {
  const middle = median(values);
  return middle === 0 ? 0 : (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / middle;
}
