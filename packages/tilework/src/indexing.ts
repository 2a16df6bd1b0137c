// NumPy's indices: x.at(1, slice(0, null, 2), ellipsis, newAxis, rows), or the same as text, x.at("1, ::2, ..., None").
//
// Positions, ranges, new axes and an ellipsis are views, which every module has; they are taken one axis after the other. As soon as an array is
// among them, the index goes to the engine as text, in which "@1" stands for the first array.

import { TileworkError } from "./errors.js";
import type { NdArray } from "./nd_array.js";

/** A range of an axis, with Python's rules. */
export interface Slice {
  readonly start: number | null;
  readonly stop: number | null;
  readonly step: number | null;
}

/** Elements from `start` up to, not including, `stop`, every `step`-th; `null` for the end of the axis. `slice(n)` are the first n. */
export function slice(stop: number | null): Slice;
export function slice(start: number | null, stop: number | null, step?: number | null): Slice;
export function slice(...bounds: (number | null | undefined)[]): Slice {
  const [start, stop, step] = bounds.length === 1 ? [null, bounds[0] as number | null] : bounds;
  return { start: start ?? null, stop: stop ?? null, step: step ?? null };
}

/** A new axis of size 1. */
export const newAxis: unique symbol = Symbol("newAxis");

/** As many whole axes as the other entries leave. */
export const ellipsis: unique symbol = Symbol("ellipsis");

/** One entry of an index: a position, a range, a new axis, an ellipsis, an array of positions or a mask, or entries as text. */
export type IndexEntry = number | Slice | typeof newAxis | null | typeof ellipsis | NdArray | string;

/** An index as the engine reads it. */
export interface IndexText {
  readonly text: string;
  /** The arrays that "@1", "@2" ... stand for. */
  readonly arrays: readonly NdArray[];
}

type Plain = number | Slice | typeof newAxis | typeof ellipsis;

/** `index` as text. */
export function indexText(index: readonly IndexEntry[]): IndexText {
  const arrays: NdArray[] = [];
  const words = index.flatMap(parsed).map((entry) => {
    if (isArray(entry)) return `@${arrays.push(entry)}`;
    if (entry === newAxis) return "None";
    if (entry === ellipsis) return "...";
    if (typeof entry === "number") return String(entry);
    const { start, stop, step } = entry;
    return `${start ?? ""}:${stop ?? ""}${step === null ? "" : `:${step}`}`;
  });
  return { text: words.join(", "), arrays };
}

/** Whether `index` has a mask in it, of which only the device knows how many elements it chooses. */
export function hasMask(index: readonly IndexEntry[]): boolean {
  return index.some((entry) => isArray(entry) && entry.dtype === "bool");
}

/** The part of `x` that an index without arrays names; undefined if there is an array in it. */
export function viewOf(x: NdArray, index: readonly IndexEntry[]): NdArray | undefined {
  const entries: Plain[] = [];
  for (const entry of index.flatMap(parsed)) {
    if (isArray(entry)) return undefined;
    entries.push(entry);
  }
  const nUsed = entries.filter((entry) => entry !== newAxis && entry !== ellipsis).length;
  const nLeft = x.ndim - nUsed;
  if (nLeft < 0) throw new TileworkError("shape", `at: too many indices: [${x.shape}] has ${x.ndim} axes, ${nUsed} were indexed`);
  if (entries.filter((entry) => entry === ellipsis).length > 1) throw new TileworkError("argument", "at: an index has one ellipsis at most");
  let [view, axis] = [x, 0];
  const step = (next: NdArray): void => {
    if (view !== x) view.dispose();
    view = next;
  };
  for (const entry of entries) {
    if (entry === ellipsis) axis += nLeft;
    else if (entry === newAxis) step(view.expandDims(axis++));
    else if (typeof entry === "number") step(view.index(axis, entry));
    else step(view.slice(axis++, entry.start ?? undefined, entry.stop ?? undefined, entry.step ?? undefined));
  }
  // Another handle, so that whoever disposes of the result does not dispose of `x`.
  return view === x ? x.reshape(x.shape) : view;
}

function isArray(entry: IndexEntry): entry is NdArray {
  return typeof entry === "object" && entry !== null && "dtype" in entry;
}

function parsed(entry: IndexEntry): (Plain | NdArray)[] {
  if (typeof entry === "string") return entry.split(",").map((word) => parsedWord(word.trim()));
  if (entry === null || entry === newAxis) return [newAxis];
  if (entry === ellipsis || isArray(entry)) return [entry];
  const numbers = typeof entry === "number" ? [entry] : [entry?.start, entry?.stop, entry?.step];
  if (!numbers.every((number) => number === null || Number.isInteger(number))) {
    throw new TileworkError("argument", "at: an index is made of whole numbers, slices, newAxis, ellipsis and arrays");
  }
  return [entry];
}

function parsedWord(word: string): Plain {
  if (word === "..." || word === "…") return ellipsis;
  if (word === "None" || word === "null" || word === "newaxis" || word === "newAxis") return newAxis;
  const parts = word.split(":").map((part) => part.trim());
  if (parts.length > 3 || (parts.length === 1 && parts[0] === "") || !parts.every((part) => /^([+-]?\d+)?$/.test(part))) {
    throw new TileworkError("argument", `at: "${word}" is no entry of an index`);
  }
  const [start = null, stop = null, step = null] = parts.map((part) => (part === "" ? null : Number(part)));
  return parts.length === 1 ? (start as number) : { start, stop, step };
}
