// Who runs a session: this thread, or a worker so that the page never waits.

import { TileworkError } from "../errors.js";
import { onFailure, startWorker } from "../start_worker.js";
import type { Opened, Opening, Told } from "./engine.js";
import type { Call, FromSolveWorker, ToSolveWorker } from "./worker.js";

/** Whoever runs a session. */
export interface SolveRunner {
  readonly opened: Opened;
  /** Asks; `signal` ends steps within an iteration. */
  call(call: Call, onTold?: (told: Told) => void, signal?: AbortSignal): Promise<unknown>;
  dispose(): void;
}

/** Runs in this thread. The engine is loaded only for those who ask for that: pages usually have it in a worker. */
export async function openHere(opening: Opening): Promise<SolveRunner> {
  const { SolveEngine } = await import("./engine.js");
  const engine = await SolveEngine.open(opening);
  let end: TileworkError | undefined;
  return {
    opened: engine.opened,
    call: async (call, onTold = () => {}, signal = new AbortController().signal) => {
      if (end) throw end;
      if (call.name === "evaluate") return engine.evaluate(call.what, call.x);
      if (call.name === "counts") return engine.residualCounts();
      if (call.name === "values") return engine.values(call.set);
      if (call.name === "setValues") return engine.setValues(call.set, call.values);
      if (call.name === "setFixed") return engine.setFixed(call.set, call.blocks);
      return engine.go(call.going, onTold, signal);
    },
    dispose: () => {
      if (end === undefined) engine.dispose();
      end ??= disposed();
    },
  };
}

/** Sends everything to a worker of its own. */
export function openInWorker(opening: Opening): Promise<SolveRunner> {
  const worker = startWorker(() => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
  return new Promise((resolve, reject) => {
    const refuse = (error: TileworkError): void => {
      worker.terminate();
      reject(error);
    };
    onFailure(worker, refuse);
    worker.onmessage = ({ data }: MessageEvent<FromSolveWorker>) => {
      if (data.kind === "opened") resolve(new WorkerRunner(worker, data.opened));
      else if (data.kind === "refused") refuse(new TileworkError(data.error.code, data.error.message));
    };
    worker.postMessage({ kind: "open", opening } satisfies ToSolveWorker);
  });
}

function disposed(): TileworkError {
  return new TileworkError("disposed", "the session was disposed of");
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onTold(told: Told): void;
}

class WorkerRunner implements SolveRunner {
  readonly opened: Opened;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #nextRequest = 0;
  #end: TileworkError | undefined;

  constructor(worker: Worker, opened: Opened) {
    this.#worker = worker;
    this.opened = opened;
    worker.onmessage = ({ data }: MessageEvent<FromSolveWorker>) => this.#receive(data);
    onFailure(worker, (error) => this.#close(error));
  }

  async call(call: Call, onTold: (told: Told) => void = () => {}, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const request = this.#nextRequest++;
    const onAbort = (): void => this.#worker.postMessage({ kind: "stop", request } satisfies ToSolveWorker);
    signal?.addEventListener("abort", onAbort);
    try {
      return await this.#send({ kind: "call", request, call }, onTold);
    } catch (thrown) {
      signal?.throwIfAborted();
      throw thrown;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  dispose(): void {
    this.#close(disposed());
  }

  #send(message: Extract<ToSolveWorker, { kind: "call" }>, onTold: (told: Told) => void): Promise<unknown> {
    if (this.#end) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      this.#pending.set(message.request, { resolve, reject, onTold });
      this.#worker.postMessage(message);
    });
  }

  #receive(message: FromSolveWorker): void {
    if (message.kind === "opened" || message.kind === "refused") return;
    const pending = this.#pending.get(message.request);
    if (message.kind === "told") return pending?.onTold(message.told);
    this.#pending.delete(message.request);
    if (message.kind === "done") pending?.resolve(message.value);
    else pending?.reject(new TileworkError(message.error.code, message.error.message));
  }

  #close(reason: TileworkError): void {
    this.#end ??= reason;
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }
}
