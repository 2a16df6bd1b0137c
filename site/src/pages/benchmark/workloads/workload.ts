// What a workload is. Each is one file in this folder and one line in index.ts.
import type { NdArray, Ops } from "tilework";

export interface Workload {
  /** In addresses and exports. */
  readonly id: string;
  readonly name: string;
  /** The mathematics, in a line. */
  readonly formula: string;
  /** The operations it needs: "core" ones are on every page already, "all" are downloaded for it. */
  readonly ops: Ops;
  readonly unit: "GFLOP/s" | "GB/s";
  /** Operations (GFLOP/s) or bytes read and written (GB/s) of one run. */
  readonly work: (n: number) => number;
  /** The arrays it reads: all n x n. */
  readonly nInputs: number;
  readonly outputShape: (n: number) => readonly number[];
  readonly build: (inputs: readonly NdArray[]) => NdArray;
  /** The same in plain JavaScript over typed arrays, as one writes it first. */
  readonly plain: (inputs: readonly Float32Array[], n: number) => Float32Array;
  /** How far a result may be from the CPU's: `absolute + relative * |expected|`. */
  readonly tolerance: (n: number) => Tolerance;
}

export interface Tolerance {
  readonly absolute: number;
  readonly relative: number;
  /** Why so much. */
  readonly why: string;
}

/** Distance from 1 to the next 32-bit float. */
export const EPSILON = 2 ** -23;
