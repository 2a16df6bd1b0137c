// Scales and ticks of charts.

export type ScaleKind = "linear" | "log";

export interface Scale {
  /** Position in pixels. */
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

/** Round numbers (1, 2 or 5 times a power of ten) that cover a range in about `count` steps. */
export function linearTicks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const rough = span / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Powers of ten inside a range; with 2 and 5, or 3, between them where there are few. */
export function logTicks(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low) + 1e-9);
  const last = Math.ceil(Math.log10(high) - 1e-9);
  const decades = Math.log10(high / low);
  const factors = decades <= 2.5 ? [1, 2, 5] : decades <= 4 ? [1, 3] : [1];
  const ticks: number[] = [];
  for (let power = first; power <= last; power++) {
    for (const factor of factors) {
      const tick = Number((factor * 10 ** power).toPrecision(12));
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  }
  return ticks;
}

export function makeScale(kind: ScaleKind, domain: readonly [number, number], range: readonly [number, number], count: number): Scale {
  const [low, high] = domain;
  const map = kind === "log" ? Math.log : (value: number) => value;
  const start = map(low);
  const span = map(high) - start || 1;
  const at = (value: number) => range[0] + ((map(value) - start) / span) * (range[1] - range[0]);
  return { at, ticks: kind === "log" ? logTicks(low, high) : linearTicks(low, high, count) };
}

/** The range of values with air around it; a range that never collapses. */
export function domainOf(kind: ScaleKind, values: readonly number[]): [number, number] {
  const usable = values.filter((value) => Number.isFinite(value) && (kind === "linear" || value > 0));
  if (usable.length === 0) return kind === "log" ? [1, 10] : [0, 1];
  const low = usable.reduce((a, b) => Math.min(a, b));
  const high = usable.reduce((a, b) => Math.max(a, b));
  if (kind === "log") return [low / 1.5, high * 1.5];
  const air = (high - low) * 0.06 || Math.max(Math.abs(high) * 0.1, 0.5);
  return [low - air, high + air];
}
