// What solving takes and gives.

import type { DeviceChoice } from "../backend.js";
import type { LinearName, MethodName } from "../generated/graph_ops.js";
import type { WasmSource } from "../load.js";

/** Precision of the work on a GPU; the CPU always computes in double precision. */
export type Precision = "f32" | "df64" | "f64" | "mixed";

/** Where a problem runs. */
export interface RunOptions {
  /** "gpu" rejects with code "no_device" without WebGPU; "auto", the default, uses the GPU for large problems if there is a real one. */
  readonly backend?: DeviceChoice;
  /** How exact a GPU computes; "mixed" unless told. */
  readonly precision?: Precision;
  /** Compute in a worker, so that the page never waits; so it is unless told, where there are workers. */
  readonly worker?: boolean;
  /** The WebAssembly module, if it is not where the package keeps it. */
  readonly wasm?: WasmSource;
}

/** How a minimum is looked for. */
export interface Strategy {
  /** The way to a minimum; "lm", Levenberg and Marquardt's, unless told. */
  readonly method?: MethodName;
  /** How linear systems are solved; "auto" unless told. */
  readonly linear?: LinearName;
  /** At most so many steps; 50 unless told. */
  readonly maxIterations?: number;
  /** Stop when a step lowers the cost by less than this part of it. */
  readonly functionTolerance?: number;
  /** Stop when no derivative is larger. */
  readonly gradientTolerance?: number;
  /** Stop when a step is smaller than this part of the parameters. */
  readonly parameterTolerance?: number;
  /** First radius of trust regions: the larger, the bolder the first step. */
  readonly initialRadius?: number;
}

/** How to solve a problem. */
export interface SolveOptions extends RunOptions, Strategy {
  /** Told of every step, a few milliseconds late at most. */
  readonly onIteration?: (iteration: Iteration) => void;
  /** Ends the work within an iteration; the promise then rejects with the signal's reason, and values stay as they were. */
  readonly signal?: AbortSignal;
}

/** One step. */
export interface Iteration {
  /** Its number, from 1; 0 is the start. */
  readonly number: number;
  /** Cost after it. */
  readonly cost: number;
  /** By how much it lowered the cost; 0 if it was rejected. */
  readonly decrease: number;
  /** Largest derivative. */
  readonly gradientMax: number;
  /** Length of the step. */
  readonly stepNorm: number;
  /** Trust region radius, or length of the line search's step. */
  readonly radius: number;
  /** Whether the step was taken. */
  readonly accepted: boolean;
  /** Since the start. */
  readonly seconds: number;
}

/** Why a solver stopped. */
export type Reason = "cost" | "gradient" | "step" | "iterations" | "time" | "stopped" | "nothing" | "no_progress";

/** What a problem was compiled to. */
export interface Counts {
  /** Groups of instances of equal maths: each is one kernel and one dispatch. */
  readonly groups: number;
  /** Instances of all groups. */
  readonly instances: number;
  /** Residuals of all instances. */
  readonly residuals: number;
  /** Parameter blocks of all sets. */
  readonly blocks: number;
  /** Bytes of the recordings that were handed over. */
  readonly bytes: number;
}

/** What residuals were compiled to, and what ran since. */
export interface CompiledCounts extends Omit<Counts, "bytes"> {
  /** Evaluations of any kind so far. */
  readonly evaluations: number;
  /** Evaluations whose kernels were there already. */
  readonly cacheHits: number;
  /** Dispatches on a GPU so far. */
  readonly dispatches: number;
  /** Bytes to and from a GPU so far. */
  readonly bytes: number;
}

/** What a solver did, and why it stopped. */
export interface Summary {
  /** Cost before: half the loss of all squared residuals, plus the energies. */
  readonly initialCost: number;
  /** Cost after. */
  readonly finalCost: number;
  /** Why it stopped. */
  readonly reason: Reason;
  /** The same in words. */
  readonly explanation: string;
  /** Whether it is a minimum as far as the tolerances say. */
  readonly converged: boolean;
  /** Every step, the start first. */
  readonly iterations: readonly Iteration[];
  /** What the problem was compiled to. */
  readonly counts: Counts;
  /** Where it ran. */
  readonly runsOn: "cpu" | "gpu";
  /** Time it took, with compiling it. */
  readonly elapsedMs: number;
}

/** How much residuals count. */
export type Loss =
  | "squared"
  | {
      readonly name: "huber" | "soft-l1" | "cauchy" | "arctan" | "tukey" | "geman-mcclure" | "welsch";
      /** The residual at which it begins to differ from a square. */
      readonly delta: number;
    }
  | { readonly name: "barron"; readonly delta: number; readonly alpha: number };
