// NumPy-style arrays on WebGPU and on the CPU.
//
//   import * as tilework from "tilework";
//   const tw = await tilework.open({ device: "auto" });

export type {
  DeviceChoice,
  DeviceInfo,
  DType,
  Elements,
  Operand,
  PassTiming,
  SelfCheck,
  Tuned,
  TypedArray,
} from "./backend.js";
export { TileworkError, type ErrorCode } from "./errors.js";
export type { LoadProgress, WasmSource } from "./load.js";
export type { Ops } from "./module.js";
export type { ConvOptions, FourierNorm, FourierOptions, PoolOptions } from "./composed.js";
export { NdArray, type ReduceOptions } from "./nd_array.js";
export type { NestedNumbers } from "./nested.js";
export type { Random } from "./random.js";
export { open, type OpenOptions } from "./open.js";
export { Tilework, type TuneOptions } from "./tilework.js";
