// NumPy-style arrays on WebGPU and on the CPU.
//
//   import * as tilework from "tilework";
//   const tw = await tilework.open({ device: "auto" });

export type {
  DeviceChoice,
  DeviceInfo,
  Operand,
  PassTiming,
  SelfCheck,
  Tuned,
} from "./backend.js";
export type { DType, Elements, TypedArray } from "./dtypes.js";
export { TileworkError, type ErrorCode } from "./errors.js";
export type { FileSource, NpzOptions, NumberFormat, TextOptions, WriteOptions } from "./files.js";
export type { NamedArrays } from "./file_functions.js";
export type { LoadProgress, WasmSource } from "./load.js";
export type { Ops } from "./module.js";
export type { ConvOptions, HistogramOptions, PoolOptions, ScanOptions } from "./composed.js";
export { ellipsis, type IndexEntry, newAxis, slice, type Slice } from "./indexing.js";
export { NdArray, type ReduceOptions, type SpreadOptions } from "./nd_array.js";
export type { NestedNumbers } from "./nested.js";
export type { Random } from "./random.js";
export { open, type OpenOptions } from "./open.js";
export type { FloatInfo, IntegerInfo, Typed, TypeKind } from "./type_functions.js";
export { type ArrayOptions, Tilework, type TuneOptions } from "./tilework.js";
