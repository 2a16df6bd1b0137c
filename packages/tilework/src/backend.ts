// What stands behind arrays: the engine of this thread (direct.ts) or one in a worker (remote.ts).

import type { DType, Elements, TypedArray } from "./dtypes.js";
import type { NdArray } from "./nd_array.js";

/** The other side of an operation. A number takes the type of the array it meets. */
export type Operand = NdArray | number;

/** Attributes of an operation, in snake case; what is undefined was left out. */
export type Attrs = Readonly<Record<string, number | readonly number[] | string | boolean | undefined>>;

/** Which device to open. */
export type DeviceChoice = "auto" | "gpu" | "cpu";

/** The device behind an open Tilework. */
export interface DeviceInfo {
  /** Name of the adapter, as far as the browser tells it; "cpu" without one. */
  readonly name: string;
  /** "webgpu" or "cpu". */
  readonly backend: string;
  /** Maker of the adapter; often empty. */
  readonly vendor: string;
  /** Its driver; empty in browsers. */
  readonly driver: string;
  /** What it is made of. */
  readonly kind: "discrete" | "integrated" | "virtual" | "software" | "cpu" | "unknown";
  /** The adapter is a program running on the CPU: correct and slow. */
  readonly software: boolean;
  /** What was asked for. */
  readonly requested: DeviceChoice;
  /** Where work runs; "auto" means that each evaluation chooses. */
  readonly runsOn: DeviceChoice;
  /** Why there is no GPU, in a sentence; empty if there is nothing to say. */
  readonly note: string;
  /** Whether the engine lives in a worker. */
  readonly worker: boolean;
  /** The WebGPU limits that matter for computing. */
  readonly limits: Readonly<Record<string, number>>;
  /** The optional WebGPU features that are on. */
  readonly features: readonly string[];
}

/** What the engine itself tells of a device. */
export type EngineInfo = Omit<DeviceInfo, "requested" | "worker">;

/** What a self-check found. */
export interface SelfCheck {
  /** Whether the device can be trusted. */
  readonly passed: boolean;
  /** The largest difference from the CPU, relative to the largest value. */
  readonly worst: number;
  /** What was computed, with its difference. */
  readonly checks: readonly { readonly name: string; readonly error: number }[];
  /** Time it took. */
  readonly elapsedMs: number;
}

/** The kernels of one operation at one size, measured. */
export interface Tuned {
  /** The operation. */
  readonly op: string;
  /** The sizes that decide, as the operation lists them. */
  readonly sizes: readonly number[];
  /** The kernel that is used from now on. */
  readonly chosen: string;
  /** Milliseconds of each, the default first. */
  readonly ms: Readonly<Record<string, number>>;
}

/** The time of one pass on the GPU. */
export interface PassTiming {
  /** Name of the kernel. */
  readonly label: string;
  /** Workgroups in x, y and z. */
  readonly workgroups: readonly [number, number, number];
  /** Start, counted from the start of the first pass. */
  readonly startNs: number;
  /** Length. */
  readonly durationNs: number;
}

/** An array of a backend. */
export interface Handle {
  readonly shape: readonly number[];
  readonly dtype: DType;
}

/** What an engine knows of element types. */
export interface TypeRules {
  resultType(names: readonly string[]): DType;
  canCast(from: string, to: string): boolean;
  kindOf(name: string): string;
  /** Bits, eps, max, the smallest normal number and the resolution. */
  finfo(name: string): readonly number[];
  /** The lowest and the highest, in digits. */
  iinfo(name: string): readonly string[];
}

/** Whatever computes. Methods that return handles compute nothing and throw mistakes at once. */
export interface Backend {
  readonly info: EngineInfo;
  readonly types: TypeRules;
  array(data: Elements, shape: readonly number[], dtype: DType): Handle;
  call(name: string, inputs: readonly (Handle | number)[], attrs: Attrs): Handle;
  /** Like `call`, for functions with several results. */
  callMany(name: string, inputs: readonly (Handle | number)[], attrs: Attrs): Handle[];
  /** Like `callMany`, for functions whose results have a size that depends on the data. */
  callLater(name: string, inputs: readonly (Handle | number)[], attrs: Attrs): Promise<Handle[]>;
  gradients(value: Handle, inputs: readonly Handle[]): Handle[];
  read(handle: Handle): Promise<TypedArray>;
  /** The same into memory that is there, of the right type and size. */
  readInto(handle: Handle, into: TypedArray): Promise<void>;
  show(handle: Handle): Promise<string>;
  kernels(handle: Handle): Promise<string[]>;
  eval(handles: readonly Handle[]): Promise<void>;
  profile(handle: Handle): Promise<PassTiming[]>;
  selfCheck(): Promise<SelfCheck>;
  tune(seconds: number, onProgress: (next: string) => void): Promise<Tuned[]>;
  setChoices(choices: string): Promise<void>;
  stats(): Promise<Record<string, number>>;
  simulateLoss(): Promise<void>;
  reopen(): Promise<void>;
  /** Lets go of an array; what was computed from it is not affected. */
  free(handle: Handle): void;
  dispose(): void;
}
