// Who runs a language model: this thread, or a worker so that the page never waits.

import { TileworkError } from "../errors.js";
import type { WasmSource } from "../load.js";
import { onFailure, startWorker } from "../start_worker.js";
import type { Asking, Hearing, Opened, Opening, Told } from "./engine.js";
import type { ModelPart, ModelSummary } from "./types.js";
import type { Call, FromLlmWorker, ToLlmWorker } from "./worker.js";

/** Whoever runs a model. */
export interface LlmRunner {
  readonly opened: Opened;
  /** Answers a request; `signal` ends it within a token. */
  answer(asking: Asking, onTold: (told: Told) => void, signal: AbortSignal): Promise<void>;
  call(call: Call): Promise<unknown>;
  dispose(): void;
}

/** Runs in this thread. The engine is loaded only for those who ask for that: pages usually have it in a worker. */
export async function openHere(opening: Opening, hearing: Hearing, signal: AbortSignal | undefined): Promise<LlmRunner> {
  const { LlmEngine } = await import("./engine.js");
  const engine = await LlmEngine.open(opening, hearing, signal);
  return {
    opened: engine.opened,
    answer: (asking, onTold, signal) => engine.answer(asking, onTold, signal),
    call: async (call) => {
      if (call.name === "countTokens") return engine.countTokens(call.asking);
      return call.name === "tokenize" ? engine.tokenize(call.text) : engine.detokenize(call.tokens);
    },
    dispose: () => engine.dispose(),
  };
}

/** Sends everything to a worker of its own. */
export async function openInWorker(opening: Opening, hearing: Hearing, signal: AbortSignal | undefined): Promise<LlmRunner> {
  const worker = start();
  const message = await until(worker, { kind: "open", opening: { ...opening, parts: absolute(opening.parts) } }, hearing, signal);
  if (message.kind !== "opened") throw new TileworkError("kernel", "the worker opened no model");
  return new WorkerRunner(worker, message.opened);
}

/** Reads what a model's first bytes say about it, in a worker if there are any. */
export async function inspectAnywhere(
  parts: readonly ModelPart[],
  wasm: WasmSource | undefined,
  signal: AbortSignal | undefined,
): Promise<ModelSummary> {
  if (typeof Worker === "undefined") return (await import("./engine.js")).inspectParts(parts, wasm, signal);
  const worker = start();
  let summary: ModelSummary | undefined;
  const hearing: Hearing = { onProgress: () => {}, onSummary: (told) => (summary = told) };
  await until(worker, { kind: "inspect", parts: absolute(parts), wasm }, hearing, signal);
  worker.terminate();
  if (summary === undefined) throw new TileworkError("kernel", "the worker read no model");
  return summary;
}

function start(): Worker {
  return startWorker(() => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
}

/** Addresses are relative to the page, which a worker does not know; objects of class URL do not cross to it. */
function absolute(parts: readonly ModelPart[]): ModelPart[] {
  const isAddress = (part: ModelPart): part is URL | string => part instanceof URL || typeof part === "string";
  return parts.map((part) => (isAddress(part) ? new URL(part, globalThis.location?.href).href : part));
}

/** Sends the first message of a worker and waits for the last one that answers it. Whatever fails ends the worker. */
function until(worker: Worker, message: ToLlmWorker, hearing: Hearing, signal: AbortSignal | undefined): Promise<FromLlmWorker> {
  return new Promise((resolve, reject) => {
    const end = (reason: unknown): void => {
      signal?.removeEventListener("abort", onAbort);
      worker.terminate();
      reject(reason);
    };
    const onAbort = (): void => end(signal?.reason);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort);
    onFailure(worker, end);
    worker.onmessage = ({ data }: MessageEvent<FromLlmWorker>) => {
      if (data.kind === "progress") hearing.onProgress(data.progress);
      else if (data.kind === "refused") end(new TileworkError(data.error.code, data.error.message));
      else {
        if (data.kind === "summary") hearing.onSummary(data.summary);
        if (data.kind === "summary" && message.kind === "open") return;
        signal?.removeEventListener("abort", onAbort);
        resolve(data);
      }
    };
    worker.postMessage(message);
  });
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onTold(told: Told): void;
}

class WorkerRunner implements LlmRunner {
  readonly opened: Opened;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #nextRequest = 0;
  #end: TileworkError | undefined;

  constructor(worker: Worker, opened: Opened) {
    this.#worker = worker;
    this.opened = opened;
    worker.onmessage = ({ data }: MessageEvent<FromLlmWorker>) => this.#receive(data);
    onFailure(worker, (error) => this.#close(error));
  }

  async answer(asking: Asking, onTold: (told: Told) => void, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const request = this.#nextRequest++;
    const onAbort = (): void => this.#worker.postMessage({ kind: "stop", request } satisfies ToLlmWorker);
    signal.addEventListener("abort", onAbort);
    try {
      await this.#send({ kind: "ask", request, asking }, onTold);
    } catch (thrown) {
      signal.throwIfAborted();
      throw thrown;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  call(call: Call): Promise<unknown> {
    return this.#send({ kind: "call", request: this.#nextRequest++, call }, () => {});
  }

  dispose(): void {
    this.#close(new TileworkError("disposed", "the model was disposed of"));
  }

  #send(message: Extract<ToLlmWorker, { request: number }>, onTold: (told: Told) => void): Promise<unknown> {
    if (this.#end) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      this.#pending.set(message.request, { resolve, reject, onTold });
      this.#worker.postMessage(message);
    });
  }

  #receive(message: FromLlmWorker): void {
    if (message.kind !== "told" && message.kind !== "done" && message.kind !== "failure") return;
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
