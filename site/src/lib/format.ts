// Numbers as people read them. Every function answers "–" for a value that is not finite.

const NONE = "–";
const integers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** Three significant digits without an exponent: 1234 → "1,234", 12.345 → "12.3", 0.01234 → "0.0123". */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return NONE;
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 100) return integers.format(value);
  if (size < 1e-4) return value.toExponential(1);
  return String(Number(value.toPrecision(3)));
}

/** A whole number with separators. */
export function formatCount(value: number): string {
  return Number.isFinite(value) ? integers.format(value) : NONE;
}

/** A duration given in milliseconds, in the unit that keeps it short. */
export function formatMs(ms: number): string {
  if (!Number.isFinite(ms)) return NONE;
  if (ms < 1) return `${formatNumber(ms * 1000)} µs`;
  if (ms < 1000) return `${formatNumber(ms)} ms`;
  if (ms < 120_000) return `${formatNumber(ms / 1000)} s`;
  return `${formatNumber(ms / 60_000)} min`;
}

/** A running time in whole seconds, as a clock shows it: 0:07, 12:34. */
export function formatClock(ms: number): string {
  if (!Number.isFinite(ms)) return NONE;
  const seconds = Math.floor(Math.max(ms, 0) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A size in bytes: powers of 1024, named so. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return NONE;
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${formatNumber(value)} ${units[unit] ?? "B"}`;
}

/** An error: always with an exponent, so that magnitudes compare at a glance. */
export function formatError(error: number): string {
  if (Number.isNaN(error)) return "NaN";
  if (!Number.isFinite(error)) return "∞";
  return error === 0 ? "0" : error.toExponential(1);
}

/** How many times as fast: 12.3 → "12.3×". */
export function formatRatio(ratio: number): string {
  return Number.isFinite(ratio) ? `${formatNumber(ratio)}×` : NONE;
}

const whens = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Date and time of this visitor's place, short. */
export function formatWhen(timeMs: number): string {
  return whens.format(timeMs);
}

/** "maxBufferSize" → "Max buffer size"; "max-foo_bar" → "Max foo bar". */
export function formatKey(key: string): string {
  const words = key.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Words as a sentence: a capital in front, a full stop behind. The engine's messages have neither, but may name a step that
 * nobody asked for. */
export function sentence(words: string): string {
  const text = words.trim().replace(/^(?:open|prepare|request|model|gguf|pixels|spectrum|weights): /, "");
  if (text === "") return "";
  const first = text.charAt(0);
  return (/^https?:/.test(text) ? first : first.toUpperCase()) + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");
}
