// Safetensors: eight bytes of length, a JSON header of that length, then the elements.
//
// The header maps names to a type, a shape and the range of bytes after the header. Everything in it is checked against the file
// before it is used.

import type { DType } from "../dtypes.js";
import { type Content, damaged, decode, encode, fromSafetensors, joined, namesOf, sizeBytes } from "./content.js";

/** A header longer than this is a damaged file, not a model: the format's own limit. */
const HEADER_LIMIT_BYTES = 100_000_000;
/** The key that names no array. */
const METADATA = "__metadata__";

/** Where the header says an array is. */
interface Place {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly start: number;
  readonly end: number;
}

/** The arrays of a safetensors file by name. */
export function readSafetensors(bytes: Uint8Array): Map<string, Content> {
  const { header, data } = split(bytes);
  const arrays = new Map<string, Content>();
  let left = data.length;
  for (const [name, described] of Object.entries(header)) {
    if (name === METADATA) continue;
    const { dtype, shape, start, end } = placeOf(name, described);
    if (start > end || end > data.length) throw wrong(`\`${name}\` lies outside the file, which may be cut off`);
    // Bytes that belong to many arrays at once would make much of a small file.
    left -= end - start;
    if (left < 0) throw wrong("arrays overlap");
    if (sizeBytes(shape, dtype) !== end - start) throw wrong(`\`${name}\` has not the elements of [${shape}] of ${dtype}`);
    arrays.set(name, { data: decode(data.subarray(start, end), dtype), shape, dtype });
  }
  return arrays;
}

function split(bytes: Uint8Array): { header: Record<string, unknown>; data: Uint8Array } {
  if (bytes.length < 8) throw wrong("this is no safetensors file");
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  if (length > HEADER_LIMIT_BYTES || 8 + length > bytes.length) throw wrong("this is no safetensors file, or it is cut off");
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(8, 8 + length)));
  } catch (thrown) {
    throw wrong(`the header of the safetensors file is no JSON: ${(thrown as Error).message}`);
  }
  if (!isObject(header)) throw wrong("the header of the safetensors file is no object");
  return { header, data: bytes.subarray(8 + length) };
}

function placeOf(name: string, described: unknown): Place {
  const { dtype: named, shape, data_offsets: offsets } = isObject(described) ? described : {};
  if (typeof named !== "string" || !isSizes(shape) || !isSizes(offsets) || offsets.length !== 2) {
    throw wrong(`\`${name}\` has no dtype, shape or data_offsets`);
  }
  const dtype = fromSafetensors(named);
  if (dtype === undefined) throw wrong(`\`${name}\`: elements of the type ${named} cannot be read`);
  return { dtype, shape, start: offsets[0] as number, end: offsets[1] as number };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function wrong(message: string): Error {
  return damaged("loadSafetensors", message);
}

/** A safetensors file of these arrays, in the order of their names. */
export function writeSafetensors(arrays: ReadonlyMap<string, Content>): Uint8Array<ArrayBuffer> {
  const header: [string, unknown][] = [];
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [name, content] of [...arrays].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (name === METADATA) throw damaged("toSafetensors", `no array can be called ${METADATA}`);
    const bytes = encode(`toSafetensors: ${name}`, content);
    const end = at + bytes.length;
    header.push([name, { dtype: namesOf(content.dtype).safetensors, shape: content.shape, data_offsets: [at, end] }]);
    parts.push(bytes);
    at = end;
  }
  const text = new TextEncoder().encode(`{${header.map(([name, place]) => `${JSON.stringify(name)}:${JSON.stringify(place)}`).join(",")}}`);
  // The format wants the elements aligned; spaces are allowed after the header.
  const padding = new Uint8Array((8 - (text.length % 8)) % 8).fill(0x20);
  const length = new Uint8Array(BigUint64Array.of(BigInt(text.length + padding.length)).buffer);
  return joined([length, text, padding, ...parts]);
}
