// Arrays as files have them, and how elements of each type lie in a file. The only list.

import { type DType, isComplex, STORAGE, type TypedArray } from "../dtypes.js";
import { TileworkError } from "../errors.js";

/** An array outside of any device. */
export interface Content {
  /** The elements in row-major order: bits of halves, pairs of complex numbers, bytes of truth values. */
  readonly data: TypedArray;
  /** Axis sizes, outermost first. */
  readonly shape: readonly number[];
  readonly dtype: DType;
}

/** Type, NumPy's letter and size, safetensors' name. */
const NAMES: readonly (readonly [dtype: DType, numpy: string, safetensors: string])[] = [
  ["bool", "b1", "BOOL"],
  ["int8", "i1", "I8"],
  ["int16", "i2", "I16"],
  ["int32", "i4", "I32"],
  ["int64", "i8", "I64"],
  ["uint8", "u1", "U8"],
  ["uint16", "u2", "U16"],
  ["uint32", "u4", "U32"],
  ["uint64", "u8", "U64"],
  ["float16", "f2", "F16"],
  // NumPy has none; this is how the type of ml_dtypes is written.
  ["bfloat16", "V2", "BF16"],
  ["float32", "f4", "F32"],
  ["float64", "f8", "F64"],
  ["complex64", "c8", "C64"],
  // safetensors has none.
  ["complex128", "c16", "C128"],
];

/** The type that NumPy writes as `name`, without its byte order. */
export function fromNumpy(name: string): DType | undefined {
  return NAMES.find(([, numpy]) => numpy === name)?.[0];
}

/** The type that safetensors calls `name`. */
export function fromSafetensors(name: unknown): DType | undefined {
  return NAMES.find(([, , safetensors]) => safetensors === name)?.[0];
}

/** What NumPy and safetensors call a type. */
export function namesOf(dtype: DType): { readonly numpy: string; readonly safetensors: string } {
  const [, numpy, safetensors] = NAMES.find(([name]) => name === dtype) as (typeof NAMES)[number];
  return { numpy, safetensors };
}

/** Bytes of one element. */
export function elementBytes(dtype: DType): number {
  return STORAGE[dtype].BYTES_PER_ELEMENT * (isComplex(dtype) ? 2 : 1);
}

/** How many bytes an array of this shape has; undefined if that is no number to count with. */
export function sizeBytes(shape: readonly number[], dtype: DType): number | undefined {
  const size = shape.reduce((product, n) => product * n, elementBytes(dtype));
  return Number.isSafeInteger(size) ? size : undefined;
}

/** Elements from the bytes of a file, which are copied. */
export function decode(bytes: Uint8Array, dtype: DType, isBigEndian = false): TypedArray {
  // Not by `slice`, which makes no copy of a Buffer of Node.js.
  const copy = new Uint8Array(bytes);
  const Storage = STORAGE[dtype];
  if (isBigEndian) swap(copy, Storage.BYTES_PER_ELEMENT);
  if (dtype === "bool") return copy.map((byte) => (byte === 0 ? 0 : 1));
  return new Storage(copy.buffer) as TypedArray;
}

/** Turns the bytes of each word around. */
function swap(bytes: Uint8Array, wordBytes: number): void {
  for (let at = 0; at < bytes.length; at += wordBytes) bytes.subarray(at, at + wordBytes).reverse();
}

/** The bytes of an array, the lowest of each element first. Throws if there are not as many elements as its shape says. */
export function encode(what: string, { data, shape, dtype }: Content): Uint8Array {
  if (data.byteLength !== sizeBytes(shape, dtype)) {
    throw damaged(what, `${data.length} numbers are not the elements of [${shape}] of ${dtype}`);
  }
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** A file that is not what it should be. */
export function damaged(what: string, message: string): TileworkError {
  return new TileworkError("io", `${what}: ${message}`);
}

/** All parts in one piece. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
