// Every operation's cases, in a worker, with a module of their own so that visitors do not download them.

import type { DeviceChoice } from "./backend.js";
import type { FromConformance, ToConformance } from "./conformance_worker.js";
import { TileworkError } from "./errors.js";
import { onFailure, startWorker } from "./start_worker.js";

/** How far a run is. */
export interface ConformanceProgress {
  /** Cases finished. */
  readonly done: number;
  /** Cases in all. */
  readonly total: number;
  /** The case about to run. */
  readonly name: string;
}

/** What to run, and where. */
export interface ConformanceOptions {
  /** The device to test; "auto" unless told. */
  readonly device?: DeviceChoice;
  /** Only cases with this in their name. */
  readonly filter?: string;
  /** Called before each case. */
  readonly onProgress?: (progress: ConformanceProgress) => void;
  /** Ends the run; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What a run found. */
export interface Report {
  /** The device's name. */
  readonly device: string;
  /** Cases that agreed with the reference. */
  readonly passed: number;
  /** Cases that did not. */
  readonly failed: number;
  /** Cases that this device cannot run (double precision on a GPU). */
  readonly skipped: number;
  /** What went wrong. */
  readonly failures: readonly { readonly case: string; readonly message: string }[];
  /** The worst error of each scalar operation, in units of the last place. */
  readonly scalar_errors: readonly { readonly op: string; readonly worst_ulp: number }[];
}

/** Runs the conformance cases in a worker. */
export function runConformance(options: ConformanceOptions = {}): Promise<Report> {
  const { device = "auto", filter = "", onProgress, signal } = options;
  return new Promise<Report>((resolve, reject) => {
    signal?.throwIfAborted();
    const worker = startWorker(() => new Worker(new URL("./conformance_worker.js", import.meta.url), { type: "module" }));
    const abort = (): void => end(() => reject(signal?.reason));
    const end = (settle: () => void): void => {
      signal?.removeEventListener("abort", abort);
      worker.terminate();
      settle();
    };
    signal?.addEventListener("abort", abort);
    onFailure(worker, (error) => end(() => reject(error)));
    worker.onmessage = ({ data: message }: MessageEvent<FromConformance>) => {
      if (message.kind === "progress") onProgress?.(message.progress);
      else if (message.kind === "report") end(() => resolve(message.report));
      else end(() => reject(new TileworkError(message.error.code, message.error.message)));
    };
    worker.postMessage({ device, filter } satisfies ToConformance);
  });
}
