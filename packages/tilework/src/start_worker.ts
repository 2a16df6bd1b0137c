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
