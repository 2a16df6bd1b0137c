// `.npy`: magic, version, length of the header, header (a Python dictionary), elements. See NumPy's NEP 1.

import type { DType } from "../dtypes.js";
import { type Content, damaged, decode, elementBytes, encode, fromNumpy, joined, namesOf, sizeBytes } from "./content.js";

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** Elements begin at a multiple of this, so that the file can be mapped into memory. */
const ALIGNMENT_BYTES = 64;
const MAX_AXES = 8;

interface Header {
  readonly descr: string;
  readonly isFortran: boolean;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
}

/** The array of a `.npy` file of version 1, 2 or 3, in either byte order and either order of axes. */
export function readNpy(bytes: Uint8Array, what = "loadNpy"): Content {
  const header = headerOf(bytes);
  if (header === undefined) throw damaged(what, "this is no .npy file, or its header is damaged");
  const { descr, isFortran, shape, data } = header;
  const [order, dtype] = [descr.slice(0, 1), fromNumpy(descr.slice(1))];
  if (dtype === undefined || !"<|=>".includes(order)) throw damaged(what, `elements of the type "${descr}" cannot be read`);
  if (sizeBytes(shape, dtype) !== data.length) throw damaged(what, `there are too few or too many bytes for [${shape}]`);
  const ordered = isFortran ? inRowMajor(data, shape, elementBytes(dtype)) : data;
  return { data: decode(ordered, dtype, order === ">"), shape, dtype };
}

function headerOf(bytes: Uint8Array): Header | undefined {
  if (bytes.length < 12 || !MAGIC.every((byte, at) => bytes[at] === byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = bytes[6] as number;
  if (version < 1 || version > 3) return undefined;
  const [start, length] = version === 1 ? [10, view.getUint16(8, true)] : [12, view.getUint32(8, true)];
  if (start + length > bytes.length) return undefined;
  const text = new TextDecoder().decode(bytes.subarray(start, start + length));
  const descr = /'descr'\s*:\s*'([^']*)'/.exec(text)?.[1];
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const sizes = /'shape'\s*:\s*\(([\d\s,]*)\)/.exec(text)?.[1];
  if (descr === undefined || order === undefined || sizes === undefined) return undefined;
  const shape = sizes.split(",").filter((size) => size.trim() !== "").map(Number);
  if (shape.length > MAX_AXES || !shape.every(Number.isSafeInteger)) return undefined;
  return { descr, isFortran: order === "True", shape, data: bytes.subarray(start + length) };
}

/** Elements whose first axis runs fastest, with the last running fastest. */
function inRowMajor(bytes: Uint8Array, shape: readonly number[], elementBytes: number): Uint8Array {
  let step = elementBytes;
  const steps = shape.map((size) => {
    const own = step;
    step *= size;
    return own;
  });
  const out = new Uint8Array(bytes.length);
  const index = shape.map(() => 0);
  let from = 0;
  for (let to = 0; to < out.length; to += elementBytes) {
    out.set(bytes.subarray(from, from + elementBytes), to);
    for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
      const [size, axisStep] = [shape[axis] as number, steps[axis] as number];
      index[axis] = ((index[axis] as number) + 1) % size;
      from += axisStep;
      if (index[axis] !== 0) break;
      from -= axisStep * size;
    }
  }
  return out;
}

/** A `.npy` file of version 1, with the lowest byte first and the last axis running fastest. */
export function writeNpy(content: Content, what = "toNpy"): Uint8Array<ArrayBuffer> {
  const bytes = encode(what, content);
  const header = dictionary(content.shape, content.dtype);
  const before = MAGIC.length + 4;
  const length = Math.ceil((before + header.length + 1) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES - before;
  const text = new TextEncoder().encode(`${header.padEnd(length - 1)}\n`);
  return joined([Uint8Array.from([...MAGIC, 1, 0, length & 255, length >> 8]), text, bytes]);
}

function dictionary(shape: readonly number[], dtype: DType): string {
  const order = elementBytes(dtype) === 1 ? "|" : "<";
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  return `{'descr': '${order}${namesOf(dtype).numpy}', 'fortran_order': False, 'shape': (${sizes}), }`;
}
