// Data from JavaScript: nested lists and typed arrays, as elements, their type and a shape.

import { type DType, type Elements, isComplex, isDType, isHalf, meaningOf, STORAGE } from "./dtypes.js";
import { TileworkError } from "./errors.js";

/** Numbers or truth values in lists of equal length, as deep as the array has axes. */
export type NestedNumbers = number | bigint | boolean | readonly NestedNumbers[];

/** Data, ready for the engine. */
export interface Made {
  readonly elements: Elements;
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** The type to convert to afterwards, where JavaScript cannot write elements of it. */
  readonly cast?: DType;
}

/** The elements of `data` in row-major order, and the shape it has by itself. */
export function elementsOf(data: NestedNumbers | Elements, dtype?: DType): Made {
  if (dtype !== undefined && !isDType(dtype)) throw new TileworkError("dtype", `array: there is no type "${dtype}"`);
  const meaning = meaningOf(data);
  if (meaning !== undefined) return typed(data as Elements, meaning, dtype);
  if (!Array.isArray(data) && !["number", "bigint", "boolean"].includes(typeof data)) {
    throw new TileworkError("argument", "array: data must be numbers, truth values, nested lists of them, or a typed array");
  }
  return listed(data as NestedNumbers, dtype);
}

/** A typed array that is stored as `dtype` is taken as it is, as the bits of halves or the parts of complex numbers; any other is converted. */
function typed(data: Elements, meaning: DType, dtype: DType = meaning): Made {
  const elements = stored(data, meaning);
  const fits = meaning === dtype || meaning === STORAGE_MEANING[dtype];
  const perElement = fits && isComplex(dtype) ? 2 : 1;
  if (elements.length % perElement !== 0) {
    throw new TileworkError("shape", `array: ${elements.length} numbers are no pairs of real and imaginary parts`);
  }
  const shape = [elements.length / perElement];
  return fits ? { elements, dtype, shape } : { elements, dtype: meaning, shape, cast: dtype };
}

/** What the storage of each type means by itself. */
const STORAGE_MEANING: Readonly<Record<string, DType>> = {
  bool: "uint8",
  float16: "uint16",
  bfloat16: "uint16",
  complex64: "float32",
  complex128: "float64",
};

/** The same memory as one of the classes in `STORAGE`: that of halves and of clamped bytes is another one. */
function stored(data: Elements, dtype: DType): Elements {
  const Storage = STORAGE[dtype];
  if (data instanceof Storage) return data;
  return new Storage(data.buffer as ArrayBuffer, data.byteOffset, data.length) as Elements;
}

function listed(data: NestedNumbers, wanted: DType | undefined): Made {
  const shape = shapeOf(data);
  const dtype = wanted ?? typeOfFirst(data);
  // Halves and complex numbers are made of singles by the engine.
  const written: DType = isHalf(dtype) || isComplex(dtype) ? (dtype === "complex128" ? "float64" : "float32") : dtype;
  const elements = new STORAGE[written](shape.reduce((product, size) => product * size, 1));
  const convert = converter(written);
  fill({ elements, shape, convert }, 0, data, 0);
  return { elements, dtype: written, shape, ...(written !== dtype && { cast: dtype }) };
}

/** Lists of numbers are float32, as everywhere; of truth values they are bool, of big integers int64. */
function typeOfFirst(data: NestedNumbers): DType {
  let first: NestedNumbers | undefined = data;
  while (Array.isArray(first)) first = first[0] as NestedNumbers | undefined;
  if (typeof first === "boolean") return "bool";
  return typeof first === "bigint" ? "int64" : "float32";
}

type Leaf = number | bigint | boolean;

function converter(dtype: DType): (value: Leaf) => number | bigint {
  if (dtype === "bool") return (value) => (value ? 1 : 0);
  if (dtype !== "int64" && dtype !== "uint64") return Number;
  return (value) => {
    if (typeof value !== "number" || Number.isInteger(value)) return BigInt(value);
    throw new TileworkError("argument", `array: ${value} is no integer`);
  };
}

/** The shape along the first elements; `fill` finds out whether the others agree. */
function shapeOf(data: NestedNumbers): number[] {
  const shape: number[] = [];
  for (let inner: NestedNumbers | undefined = data; Array.isArray(inner); inner = inner[0] as NestedNumbers | undefined) {
    // A list that contains itself has no end.
    if (shape.length === MAX_NESTING) throw new TileworkError("shape", `array: more than ${MAX_NESTING} nested lists`);
    shape.push(inner.length);
  }
  return shape;
}

const MAX_NESTING = 8;

interface Filling {
  readonly elements: { [index: number]: number | bigint };
  readonly shape: readonly number[];
  readonly convert: (value: Leaf) => number | bigint;
}

/** Writes `data` from `at` on and returns where it ended. */
function fill(filling: Filling, at: number, data: NestedNumbers, axis: number): number {
  const { elements, shape, convert } = filling;
  if (axis === shape.length) {
    if (Array.isArray(data) || typeof data === "object" || data === undefined || typeof data === "string") {
      throw new TileworkError("shape", "array: the lists are not of equal depth and length");
    }
    elements[at] = convert(data as Leaf);
    return at + 1;
  }
  if (!Array.isArray(data) || data.length !== shape[axis]) {
    throw new TileworkError("shape", "array: the lists are not of equal depth and length");
  }
  for (const inner of data) at = fill(filling, at, inner, axis + 1);
  return at;
}
