// Ending a worker whose GPU work is under way makes the browser wait for that work, and it paints nothing meanwhile: on a software
// adapter for half a minute. So such a worker is ended when it next says something, since its work is done then.

/** For a worker that says nothing at all. */
export const LINGER_MS = 120_000;

/** Ends a worker that nobody listens to any more, once its GPU work is done. */
export function retire(worker: Worker): void {
  worker.onmessage = () => worker.terminate();
  worker.onerror = () => worker.terminate();
  setTimeout(() => worker.terminate(), LINGER_MS);
}
