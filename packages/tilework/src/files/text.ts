// Numbers in text: CSV and its relatives.

import type { DType } from "../dtypes.js";
import { damaged } from "./content.js";

/** How a text is read. What is left out is as for NumPy's `loadtxt`, except that numbers become float32. */
export interface TextOptions {
  /** What separates fields; any white space unless told. */
  readonly delimiter?: string;
  /** What begins a comment, which goes on to the end of the line; "#" unless told, nothing if empty. */
  readonly comments?: string;
  /** Lines to leave out at the beginning. */
  readonly skipRows?: number;
  /** Rows to read at most. */
  readonly maxRows?: number;
  /** Which columns, in which order; negative counts from the last. All unless told. */
  readonly columns?: readonly number[];
  /** What a field without a number becomes, as for NumPy's `genfromtxt`; such a field is refused unless told. */
  readonly blank?: number;
  /** The first row that is neither skipped nor empty names the columns. */
  readonly header?: boolean;
  /** Type of the elements; float32 unless told. */
  readonly dtype?: DType;
  /** At least this many axes, up to two: axes of one element are left out otherwise. */
  readonly minAxes?: number;
}

/** What was in a text. */
export interface TextTable {
  /** Names of the columns, if there was a row of them. */
  readonly names: readonly string[];
  /** The numbers, row by row. */
  readonly data: Float64Array<ArrayBuffer>;
  /** Rows and columns, without those of one element as far as `minAxes` allows. */
  readonly shape: readonly number[];
}

interface Line {
  /** As an editor counts them. */
  readonly number: number;
  readonly text: string;
}

/** Reads rows of numbers. */
export function readTxt(text: string, options: TextOptions = {}): TextTable {
  const lines = linesOf(text, options);
  const fieldsOf = splitter(options);
  const names = options.header === true && lines.length > 0 ? fieldsOf((lines.shift() as Line).text) : [];
  const rows = lines.slice(0, options.maxRows);
  const numbers: number[] = [];
  let [nFields, columns]: [number | undefined, readonly number[]] = [undefined, []];
  for (const { number, text: line } of rows) {
    const fields = fieldsOf(line);
    if (nFields === undefined) {
      nFields = fields.length;
      columns = chosen(options.columns ?? [], nFields);
    }
    if (fields.length !== nFields) throw damaged("loadTxt", `line ${number} has ${fields.length} fields, those before it ${nFields}`);
    for (const column of columns) {
      const value = numberOf(fields[column] as string) ?? options.blank;
      if (value === undefined) throw damaged("loadTxt", `line ${number}, column ${column}: "${fields[column]}" is no number`);
      numbers.push(value);
    }
  }
  const picked = columns.length > 0 && names.length > 0 ? columns.map((column) => names[column] ?? "") : names;
  return { names: picked, data: Float64Array.from(numbers), shape: shapeOf(rows.length, columns.length, options.minAxes ?? 0) };
}

/** Lines that are not skipped, without comments, and none that is empty. */
function linesOf(text: string, { comments = "#", skipRows = 0 }: TextOptions): Line[] {
  const bare = (line: string): string => (comments === "" ? line : (line.split(comments, 1)[0] as string));
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  return lines
    .map((line, index) => ({ number: index + 1, text: bare(line) }))
    .slice(skipRows)
    .filter((line) => line.text.trim() !== "");
}

function splitter({ delimiter }: TextOptions): (line: string) => string[] {
  if (delimiter === undefined) return (line) => line.trim().split(/\s+/);
  if (delimiter === "") throw damaged("loadTxt", "an empty delimiter separates nothing");
  return (line) => line.split(delimiter).map((field) => field.trim());
}

/** Positions of the columns that are wanted. */
function chosen(wanted: readonly number[], nFields: number): readonly number[] {
  if (wanted.length === 0) return Array.from({ length: nFields }, (_, column) => column);
  return wanted.map((column) => {
    const at = column < 0 ? column + nFields : column;
    if (!Number.isInteger(at) || at < 0 || at >= nFields) throw damaged("loadTxt", `there is no column ${column} among ${nFields}`);
    return at;
  });
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const WORDS: Readonly<Record<string, number>> = { nan: Number.NaN, inf: Infinity, infinity: Infinity };

function numberOf(field: string): number | undefined {
  if (NUMBER.test(field)) return Number(field);
  const word = WORDS[field.replace(/^[+-]/, "").toLowerCase()];
  return word === undefined ? undefined : field.startsWith("-") ? -word : word;
}

function shapeOf(nRows: number, nColumns: number, minAxes: number): number[] {
  if (nRows === 0) return minAxes >= 2 ? [0, nColumns] : [0];
  if (minAxes >= 2) return [nRows, nColumns];
  if (nRows === 1 && nColumns === 1) return minAxes === 0 ? [] : [1];
  return nRows === 1 || nColumns === 1 ? [nRows * nColumns] : [nRows, nColumns];
}
