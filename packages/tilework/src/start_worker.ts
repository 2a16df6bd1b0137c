// Starting a worker, or saying why not.

import { TileworkError } from "./errors.js";

/**
 * What `start` gives. The expression `new Worker(new URL("./x.js", import.meta.url), { type: "module" })` stays with the caller,
 * because bundlers look for exactly that.
 */
export function startWorker(start: () => Worker): Worker {
  if (typeof Worker === "undefined") throw new TileworkError("unsupported", "open: there are no web workers here");
  try {
    return start();
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new TileworkError("unsupported", `open: the worker could not be started: ${message}`, { cause: thrown });
  }
}

/** Tells of a worker that fails: its script does not load, or something in it throws that nobody catches. */
export function onFailure(worker: Worker, tell: (error: TileworkError) => void): void {
  worker.onerror = (event) => {
    event.preventDefault();
    // A script that does not load has no message.
    tell(new TileworkError("kernel", `the worker failed: ${event.message || "its script could not be loaded"}`));
  };
}
