// Files of arrays, by the names that NumPy users look for. The formats themselves are loaded when they are first needed.

import type { Elements } from "./dtypes.js";
import type { FileSource } from "./files/source.js";
import type { Content } from "./files/content.js";
import type { NpzOptions } from "./files/npz.js";
import type { TextOptions } from "./files/text.js";
import type { NdArray } from "./nd_array.js";
import type { NestedNumbers } from "./nested.js";
import type { ArrayOptions } from "./tilework.js";
import { TypeFunctions } from "./type_functions.js";

/** Arrays by name. */
export type NamedArrays = Record<string, NdArray>;

/** What a device inherits. */
export abstract class FileFunctions extends TypeFunctions {
  abstract array(data: NestedNumbers | Elements, options?: readonly number[] | ArrayOptions): NdArray;

  /** The array of a `.npy` file: NumPy's `load`. */
  async loadNpy(source: FileSource): Promise<NdArray> {
    const { bytesOf, readNpy } = await import("./files.js");
    return this.#made(readNpy(await bytesOf("loadNpy", source)));
  }

  /** The arrays of an `.npz` archive by name. */
  async loadNpz(source: FileSource): Promise<NamedArrays> {
    const { bytesOf, readNpz } = await import("./files.js");
    return this.#named(await readNpz(await bytesOf("loadNpz", source)));
  }

  /** The arrays of a safetensors file by name. */
  async loadSafetensors(source: FileSource): Promise<NamedArrays> {
    const { bytesOf, readSafetensors } = await import("./files.js");
    return this.#named(readSafetensors(await bytesOf("loadSafetensors", source)));
  }

  /** The numbers of a text, such as CSV, or of a file of it: NumPy's `loadtxt`, and with `blank` its `genfromtxt`. */
  async loadTxt(source: string | FileSource, options: TextOptions = {}): Promise<NdArray> {
    const { bytesOf, readTxt } = await import("./files.js");
    const text = typeof source === "string" ? source : new TextDecoder().decode(await bytesOf("loadTxt", source));
    const { data, shape } = readTxt(text, options);
    const dtype = options.dtype ?? "float32";
    return dtype === "float32" ? this.array(Float32Array.from(data), { shape }) : this.array(data, { shape, dtype });
  }

  /** An `.npz` archive of these arrays. */
  async toNpz(arrays: Readonly<NamedArrays>, options: NpzOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const { writeNpz } = await import("./files.js");
    return writeNpz(await contents(arrays), options);
  }

  /** A safetensors file of these arrays. */
  async toSafetensors(arrays: Readonly<NamedArrays>): Promise<Uint8Array<ArrayBuffer>> {
    const { writeSafetensors } = await import("./files.js");
    return writeSafetensors(await contents(arrays));
  }

  #made({ data, shape, dtype }: Content): NdArray {
    return this.array(data, { shape, dtype });
  }

  /** A file may call an array anything, also what objects have by themselves. */
  #named(contents: ReadonlyMap<string, Content>): NamedArrays {
    const arrays = Object.create(null) as NamedArrays;
    for (const [name, content] of contents) arrays[name] = this.#made(content);
    return arrays;
  }
}

/** An array as files have it. */
export async function contentOf(array: NdArray): Promise<Content> {
  return { data: await array.toArray(), shape: array.shape, dtype: array.dtype };
}

async function contents(arrays: Readonly<NamedArrays>): Promise<Map<string, Content>> {
  const read = Object.entries(arrays).map(async ([name, array]) => [name, await contentOf(array)] as const);
  return new Map(await Promise.all(read));
}
