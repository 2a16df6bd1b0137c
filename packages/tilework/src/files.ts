// Files of arrays, without a device: NumPy's .npy and .npz, text such as CSV, and safetensors.
//
//   import { readNpy } from "tilework/files";
//
// The methods of a device (`tw.loadNpy`, `tw.toNpz` ...) and of its arrays (`x.toNpy`, `x.toTxt`) use these, and load them when they
// are first called. What a file says about itself is checked against its length; damage is an error of code "io".

export type { DType, TypedArray } from "./dtypes.js";
export type { Content } from "./files/content.js";
export { readNpy, writeNpy } from "./files/npy.js";
export { type NpzOptions, readNpz, writeNpz } from "./files/npz.js";
export { readSafetensors, writeSafetensors } from "./files/safetensors.js";
export { bytesOf, type FileSource } from "./files/source.js";
export { readTxt, type TextOptions, type TextTable } from "./files/text.js";
export { type NumberFormat, type WriteOptions, writeTxt } from "./files/write_text.js";
