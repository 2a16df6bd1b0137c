// Nested lists of numbers, as elements and a shape.

import type { Elements } from "./backend.js";
import { TileworkError } from "./errors.js";

/** Numbers in lists of equal length, as deep as the array has axes. */
export type NestedNumbers = number | readonly NestedNumbers[];

/** The elements of `data` in row-major order, and the shape it has by itself. */
export function elementsOf(data: NestedNumbers | Elements): { elements: Elements; shape: number[] } {
  const elements = bitsOfHalves(data) ?? data;
  if (isElements(elements)) return { elements, shape: [elements.length] };
  if (typeof data !== "number" && !Array.isArray(data)) {
    const what = "numbers, nested lists of numbers, or a Float32Array, Int32Array, Uint32Array, Float64Array, Float16Array or Uint16Array of halves";
    throw new TileworkError("argument", `array: data must be ${what}`);
  }
  const shape = shapeOf(data);
  const numbers = new Float32Array(shape.reduce((product, size) => product * size, 1));
  fill(numbers, 0, data, shape, 0);
  return { elements: numbers, shape };
}

/** A Float16Array, which not every browser has, as the bits of its elements. */
function bitsOfHalves(data: unknown): Uint16Array | undefined {
  if (!ArrayBuffer.isView(data) || Object.prototype.toString.call(data) !== "[object Float16Array]") return undefined;
  return new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
}

function isElements(data: unknown): data is Elements {
  return (
    data instanceof Uint16Array ||
    data instanceof Float32Array ||
    data instanceof Int32Array ||
    data instanceof Uint32Array ||
    data instanceof Float64Array
  );
}

/** The shape along the first elements; `fill` finds out whether the others agree. */
function shapeOf(data: NestedNumbers): number[] {
  const shape: number[] = [];
  for (let inner: NestedNumbers | undefined = data; Array.isArray(inner); inner = inner[0]) {
    // A list that contains itself has no end.
    if (shape.length === MAX_NESTING) throw new TileworkError("shape", `array: more than ${MAX_NESTING} nested lists`);
    shape.push(inner.length);
  }
  return shape;
}

const MAX_NESTING = 8;

/** Writes `data` from `at` on and returns where it ended. */
function fill(elements: Float32Array, at: number, data: NestedNumbers, shape: readonly number[], axis: number): number {
  if (axis === shape.length) {
    if (typeof data !== "number") throw new TileworkError("shape", "array: the lists are not of equal depth and length");
    elements[at] = data;
    return at + 1;
  }
  if (!Array.isArray(data) || data.length !== shape[axis]) {
    throw new TileworkError("shape", "array: the lists are not of equal depth and length");
  }
  for (const inner of data) at = fill(elements, at, inner, shape, axis + 1);
  return at;
}
