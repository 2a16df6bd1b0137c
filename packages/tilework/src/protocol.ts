// What the page and its worker say to each other.

import type { Attrs, DeviceChoice, EngineInfo, PassTiming, SelfCheck, Tuned } from "./backend.js";
import type { DType, Elements, TypedArray } from "./dtypes.js";
import type { PlainError } from "./errors.js";
import type { Ops } from "./module.js";

/** Arrays have numbers, given by the page, or negative ones, given by the worker. An input is such a number in a list, or a plain number. */
export type RemoteInput = readonly [id: number] | number;

/** A function with what it is called with. */
export interface RemoteCall {
  readonly name: string;
  readonly inputs: readonly RemoteInput[];
  readonly attrs: Attrs;
}

/** An array that the worker made and numbered. */
export interface Kept {
  readonly id: number;
  readonly shape: readonly number[];
  readonly dtype: DType;
}

/** Something that is done in order and answered by nobody: the page knows already that it fits. */
export type Command =
  | { readonly kind: "array"; readonly id: number; readonly data: Elements; readonly shape: readonly number[]; readonly dtype: DType }
  | ({ readonly kind: "call" | "callMany"; readonly ids: readonly number[] } & RemoteCall)
  | { readonly kind: "gradients"; readonly ids: readonly number[]; readonly value: number; readonly inputs: readonly number[] }
  | { readonly kind: "free"; readonly id: number }
  | { readonly kind: "ask"; readonly request: number; readonly question: Question };

/** Something that is answered. */
export type Question =
  | { readonly what: "read" | "show" | "kernels" | "profile"; readonly id: number }
  | ({ readonly what: "callLater" } & RemoteCall)
  | { readonly what: "eval"; readonly ids: readonly number[] }
  | { readonly what: "tune"; readonly seconds: number }
  | { readonly what: "setChoices"; readonly choices: string }
  | { readonly what: "selfCheck" | "stats" | "simulateLoss" | "reopen" };

/** An answer to some question. */
export type Answer = TypedArray | string | string[] | PassTiming[] | Tuned[] | Kept[] | SelfCheck | Record<string, number> | undefined;

/** From the page: first the device to open, then batches of commands. */
export type ToWorker =
  | { readonly kind: "open"; readonly device: DeviceChoice; readonly ops: Ops; readonly module: WebAssembly.Module }
  | { readonly kind: "batch"; readonly commands: readonly Command[] };

/** From the worker. */
export type FromWorker =
  | { readonly kind: "opened"; readonly info: EngineInfo }
  | { readonly kind: "refused"; readonly error: PlainError }
  | { readonly kind: "warning"; readonly message: string }
  | { readonly kind: "progress"; readonly request: number; readonly next: string }
  | { readonly kind: "answer"; readonly request: number; readonly answer: Answer }
  | { readonly kind: "failure"; readonly request: number; readonly error: PlainError };
