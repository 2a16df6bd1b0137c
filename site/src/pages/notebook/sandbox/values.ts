// Values as things to show.
import { NdArray } from "tilework/embedded";
import type { Item, PlotSeries } from "./messages";

/** More rows or columns than these are cut in the middle. */
const MAX_ROWS = 12;
const MAX_COLUMNS = 10;

/** An array, or something like one. */
export type ArrayLike = NdArray | Iterable<number> | number;

export async function itemOf(value: unknown): Promise<Item | null> {
  if (value === undefined) return null;
  if (value instanceof NdArray) return arrayItem(value);
  return { kind: "text", text: wordsOf(value), look: "value" };
}

/** What `console.log` would write. */
export function wordsOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof NdArray) return `${value.dtype}[${value.shape.join(", ")}]`;
  if (typeof value === "function") return `function ${value.name || "(anonymous)"}`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} [${Array.from(value as Float32Array).slice(0, 100).join(", ")}${(value as Float32Array).length > 100 ? ", …" : ""}]`;
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Error) return String(value);
  const parts = (entries: readonly unknown[]) => entries.slice(0, 50).map((entry) => (typeof entry === "string" ? JSON.stringify(entry) : wordsOf(entry)));
  if (Array.isArray(value)) return `[${parts(value).join(", ")}${value.length > 50 ? ", …" : ""}]`;
  return `{ ${Object.entries(value).slice(0, 50).map(([name, entry]) => `${name}: ${parts([entry])[0]}`).join(", ")} }`;
}

/** Vectors and matrices are tables, a single element is a number, and anything deeper is text like NumPy's. */
async function arrayItem(array: NdArray): Promise<Item> {
  const title = `${array.dtype} [${array.shape.join(", ")}]`;
  if (array.ndim > 2 || array.size === 0 || array.dtype.startsWith("complex")) return { kind: "text", text: `${title}\n${await array.show()}`, look: "value" };
  const isHalf = array.dtype === "float16" || array.dtype === "bfloat16";
  const values = await (isHalf ? array.cast("float32") : array).toArray();
  const [nRows, nColumns] = array.ndim === 2 ? [array.shape[0] ?? 0, array.shape[1] ?? 0] : [1, array.size];
  if (array.ndim === 0) return { kind: "text", text: cell(values[0], array.dtype), look: "value" };
  const [rows, columns] = [cut(nRows, MAX_ROWS), cut(nColumns, MAX_COLUMNS)];
  const label = (index: number | null) => (index === null ? "…" : String(index));
  return {
    kind: "table",
    title,
    head: columns.map(label),
    side: array.ndim === 2 ? rows.map(label) : [],
    rows: rows.map((row) => columns.map((column) => (row === null || column === null ? "…" : cell(values[row * nColumns + column], array.dtype)))),
  };
}

/** Positions to show; null where some are left out. */
export function cut(n: number, most: number): (number | null)[] {
  if (n <= most) return Array.from({ length: n }, (_, i) => i);
  const nHead = most - 4;
  return [...Array.from({ length: nHead }, (_, i) => i), null, n - 3, n - 2, n - 1];
}

function cell(value: number | bigint | undefined, dtype: string): string {
  if (dtype === "bool") return value ? "true" : "false";
  if (typeof value !== "number" || Number.isInteger(value)) return Object.is(value, -0) ? "-0" : String(value);
  return String(Number(value.toPrecision(6)));
}

/** Numbers, from whatever holds them. */
export async function numbersOf(values: unknown): Promise<number[]> {
  if (values instanceof NdArray) return Array.from(await (values.dtype === "float16" ? values.cast("float32") : values).toArray(), Number);
  if (typeof values === "number") return [values];
  if (typeof values === "object" && values !== null && Symbol.iterator in values) return Array.from(values as Iterable<unknown>, Number);
  throw new TypeError("an array or a list of numbers is needed");
}

/** Series of a plot: y alone, x and y, or x and a matrix with a series in each row. */
export async function seriesOf(first: unknown, second: unknown, names: readonly string[]): Promise<PlotSeries[]> {
  const ys = second ?? first;
  const isMatrix = ys instanceof NdArray && ys.ndim === 2;
  const n = isMatrix ? (ys.shape[1] ?? 0) : undefined;
  const flat = await numbersOf(ys);
  const rows = n === undefined ? [flat] : Array.from({ length: flat.length / Math.max(n, 1) }, (_, k) => flat.slice(k * n, (k + 1) * n));
  const x = second === undefined ? undefined : await numbersOf(first);
  if (x !== undefined && x.length !== rows[0]?.length) throw new RangeError(`plot: x and y must have the same length, not ${x.length} and ${rows[0]?.length ?? 0}`);
  return rows.map((y, k) => ({ name: names[k] ?? "", x: x ?? y.map((_, i) => i), y }));
}

/** Counts of `values` in equal bins. */
export function binned(values: readonly number[], nBins: number): PlotSeries {
  const finite = values.filter(Number.isFinite);
  const low = finite.reduce((a, b) => Math.min(a, b), Infinity);
  const high = finite.reduce((a, b) => Math.max(a, b), -Infinity);
  const width = (high - low) / nBins || 1;
  const y = new Array<number>(nBins).fill(0);
  for (const value of finite) {
    const bin = Math.min(Math.floor((value - low) / width), nBins - 1);
    y[bin] = (y[bin] ?? 0) + 1;
  }
  return { name: "", x: y.map((_, i) => (finite.length === 0 ? i : low + (i + 0.5) * width)), y };
}

/** A picture of [height, width], [height, width, 3] or [height, width, 4]. Numbers from `low` to `high` become dark to bright. */
export async function pictureOf(array: NdArray, range: readonly [number, number] | undefined, title: string): Promise<Item> {
  const [height = 0, width = 0, nChannels = 1] = array.shape;
  if (array.ndim < 2 || array.ndim > 3 || ![1, 3, 4].includes(nChannels)) {
    throw new RangeError(`image: takes [height, width] or [height, width, 3], not [${array.shape.join(", ")}]`);
  }
  const values = await numbersOf(array);
  const finite = values.filter(Number.isFinite);
  const [low, high] = range ?? (nChannels === 1 ? [finite.reduce((a, b) => Math.min(a, b), Infinity), finite.reduce((a, b) => Math.max(a, b), -Infinity)] : [0, array.dtype.startsWith("float") ? 1 : 255]);
  const rgba = new Uint8ClampedArray(width * height * 4);
  const level = (value: number | undefined) => (((value ?? 0) - low) / (high - low || 1)) * 255;
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++) rgba[i * 4 + c] = level(values[i * nChannels + (nChannels === 1 ? 0 : c)]);
    rgba[i * 4 + 3] = nChannels === 4 ? level(values[i * 4 + 3]) : 255;
  }
  return { kind: "image", title, width, height, rgba };
}
