// Element types, and how their elements lie in memory. The only list.

/**
 * What elements of each type are stored in. Halves of both kinds are the bits of each; truth values are bytes, 0 or 1; complex numbers
 * are pairs, the real part first.
 */
export const STORAGE = {
  bool: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  complex64: Float32Array,
  complex128: Float64Array,
} as const;

/** Element types. */
export type DType = keyof typeof STORAGE;

/**
 * Elements as they are read and as arrays can be made of them. Truth values are bytes, 0 or 1; 16-bit floats are the bits of each, from which a
 * browser that has it makes numbers by `new Float16Array(bits.buffer)`, and any other by `cast("float32")` before reading; complex
 * numbers are pairs, the real part first.
 */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** Elements that arrays can be made of. */
export type Elements = TypedArray;

/** What a typed array holds unless told: numbers as they are. */
const MEANINGS: readonly (readonly [kind: string, dtype: DType])[] = [
  ["Int8Array", "int8"],
  ["Uint8Array", "uint8"],
  ["Uint8ClampedArray", "uint8"],
  ["Int16Array", "int16"],
  ["Uint16Array", "uint16"],
  ["Int32Array", "int32"],
  ["Uint32Array", "uint32"],
  ["BigInt64Array", "int64"],
  ["BigUint64Array", "uint64"],
  ["Float16Array", "float16"],
  ["Float32Array", "float32"],
  ["Float64Array", "float64"],
];

/** The type of the elements of `data` unless told; undefined if it is no typed array. */
export function meaningOf(data: unknown): DType | undefined {
  if (!ArrayBuffer.isView(data)) return undefined;
  // By name: not every browser has a Float16Array, and one of another frame is of another class.
  const kind = Object.prototype.toString.call(data).slice("[object ".length, -1);
  return MEANINGS.find(([name]) => name === kind)?.[1];
}

/** Whether there is a type of this name. */
export function isDType(name: unknown): name is DType {
  return typeof name === "string" && Object.hasOwn(STORAGE, name);
}

/** Whether elements are pairs of numbers. */
export function isComplex(dtype: DType): boolean {
  return dtype === "complex64" || dtype === "complex128";
}

/** Whether elements are bits that stand for a float: halves of either kind. */
export function isHalf(dtype: DType): boolean {
  return dtype === "float16" || dtype === "bfloat16";
}
