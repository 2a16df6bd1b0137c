// Numbers as text.

import { isComplex, isHalf } from "../dtypes.js";
import { type Content, damaged } from "./content.js";

/**
 * How a number is written: with an exponent and so many digits after the point (C's `%.18e`), with so many digits after the point
 * (`%.3f`), without its fraction (`%d`), or with as few digits as give it back.
 */
export type NumberFormat = { readonly exponent: number } | { readonly fixed: number } | "whole" | "shortest";

/** How a text is written. What is left out is as for NumPy's `savetxt`. */
export interface WriteOptions {
  /** 18 digits and an exponent unless told. */
  readonly format?: NumberFormat;
  /** What stands between numbers; a space unless told. */
  readonly delimiter?: string;
  /** What ends a line. */
  readonly newline?: string;
  /** Lines at the beginning, each after `comments`. */
  readonly header?: string;
  /** Lines at the end, each after `comments`. */
  readonly footer?: string;
  /** What begins the lines of header and footer; "# " unless told. */
  readonly comments?: string;
}

/** JavaScript writes no more digits than this. */
const MAX_DIGITS = 80;
/** Digits that are looked at to tell a tie from what is nearly one. */
const MORE_DIGITS = 20;

/** An array of one axis as a column, or of two as rows. */
export function writeTxt(content: Content, options: WriteOptions = {}): string {
  const { data, shape, dtype } = content;
  if (shape.length > 2) throw damaged("toTxt", `needs one or two axes, got [${shape}]`);
  if (isComplex(dtype) || isHalf(dtype)) throw damaged("toTxt", `text holds real numbers; convert ${dtype} first`);
  const { delimiter = " ", newline = "\n" } = options;
  const written = writer(options.format ?? { exponent: 18 }, dtype === "float32");
  const nColumns = shape.length === 2 ? (shape[1] as number) : 1;
  let text = noted(options.header, options);
  for (let row = 0; row < data.length; row += nColumns) {
    text += Array.from(data.subarray(row, row + nColumns) as ArrayLike<number | bigint>, written).join(delimiter) + newline;
  }
  return text + noted(options.footer, options);
}

/** Lines that are no data. */
function noted(lines: string | undefined, { comments = "# ", newline = "\n" }: WriteOptions): string {
  if (lines === undefined || lines === "") return "";
  return lines.split(/\r?\n/).map((line) => comments + line + newline).join("");
}

function writer(format: NumberFormat, isSingle: boolean): (value: number | bigint) => string {
  const finite = finiteWriter(format, isSingle);
  return (value) => {
    // Integers of 64 bits have more digits than a number keeps.
    if (typeof value === "bigint" && (format === "whole" || format === "shortest")) return `${value}`;
    const number = Number(value);
    if (Number.isNaN(number)) return "nan";
    return Number.isFinite(number) ? finite(number) : number > 0 ? "inf" : "-inf";
  };
}

function finiteWriter(format: NumberFormat, isSingle: boolean): (number: number) => string {
  if (format === "whole") return (number) => `${BigInt(Math.trunc(number))}`;
  if (format === "shortest") return isSingle ? shortestSingle : String;
  const digits = "exponent" in format ? format.exponent : format.fixed;
  if (!Number.isInteger(digits) || digits < 0 || digits > MAX_DIGITS) {
    throw damaged("toTxt", `a format has 0 to ${MAX_DIGITS} digits, not ${digits}`);
  }
  return "exponent" in format ? (number) => withExponent(number, digits) : (number) => withPoint(number, digits);
}

/** The fewest digits that give the same 32-bit float. */
function shortestSingle(number: number): string {
  for (let digits = 1; digits < 9; digits += 1) {
    const text = Number(number.toPrecision(digits));
    if (Math.fround(text) === number) return String(text);
  }
  return String(Number(number.toPrecision(9)));
}

function withExponent(number: number, digits: number): string {
  const parts = (n: number): [string, string] => number.toExponential(n).split("e") as [string, string];
  const [near, exponent] = parts(digits);
  const mantissa = toEven(near, parts(digits + MORE_DIGITS)[0]);
  const sign = Object.is(number, -0) ? "-" : "";
  return `${sign}${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

function withPoint(number: number, digits: number): string {
  const sign = Object.is(number, -0) ? "-" : "";
  // From here on numbers are whole, and JavaScript would write an exponent.
  if (Math.abs(number) >= 1e21) return `${BigInt(number)}${digits === 0 ? "" : `.${"0".repeat(digits)}`}`;
  return sign + toEven(number.toFixed(digits), number.toFixed(digits + MORE_DIGITS));
}

/** JavaScript takes ties away from zero, C and NumPy to the even digit. `exact` is the same number with more digits. */
function toEven(near: string, exact: string): string {
  const [kept, rest] = [exact.slice(0, -MORE_DIGITS), exact.slice(-MORE_DIGITS)];
  if (rest !== "5".padEnd(MORE_DIGITS, "0")) return near;
  const shorter = kept.replace(/\.$/, "");
  return "02468".includes(shorter.slice(-1)) ? shorter : near;
}
