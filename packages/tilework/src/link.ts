// The page's end of the connection to its worker: batches of commands out, answers in.

import type { EngineInfo } from "./backend.js";
import { TileworkError, toTileworkError } from "./errors.js";
import { onFailure, startWorker } from "./start_worker.js";
import type { Answer, Command, FromWorker, Question, ToWorker } from "./protocol.js";

interface Pending {
  progress?(next: string): void;
  resolve(answer: Answer): void;
  reject(error: TileworkError): void;
}

/** A worker with an engine. Everything queued in one turn of the event loop goes out as one message. */
export class Link {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #queue: Command[] = [];
  #transfer: Transferable[] = [];
  #nextRequest = 0;
  /** Why nothing can be said any more. */
  #end: TileworkError | undefined;
  #opened: { resolve(info: EngineInfo): void; reject(error: TileworkError): void } | undefined;

  readonly #onWarning: (message: string) => void;

  private constructor(worker: Worker, onWarning: (message: string) => void) {
    this.#worker = worker;
    this.#onWarning = onWarning;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(data);
    worker.onmessageerror = () => this.close(new TileworkError("kernel", "a message of the worker could not be read"));
    onFailure(worker, (error) => this.close(error));
  }

  /** Starts a worker that opens a device. */
  static async open(message: Extract<ToWorker, { kind: "open" }>, onWarning: (message: string) => void): Promise<{ link: Link; info: EngineInfo }> {
    const worker = startWorker(() => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
    const link = new Link(worker, onWarning);
    const info = await new Promise<EngineInfo>((resolve, reject) => {
      link.#opened = { resolve, reject };
      worker.postMessage(message);
    });
    return { link, info };
  }

  /** Queues a command; the buffers in `transfer` are handed over with it. */
  send(command: Command, transfer: readonly Transferable[] = []): void {
    if (this.#end) throw this.#end;
    if (this.#queue.length === 0) queueMicrotask(() => this.#flush());
    this.#queue.push(command);
    this.#transfer.push(...transfer);
  }

  /** Queues a question. The answer is what the question asks for, which the caller knows. */
  ask<T extends Answer>(question: Question, progress?: (next: string) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const request = this.#nextRequest++;
      this.send({ kind: "ask", request, question });
      this.#pending.set(request, { resolve: resolve as Pending["resolve"], reject, ...(progress && { progress }) });
    });
  }

  /** Ends the worker. What was asked is rejected with `reason`, and so is everything after. */
  close(reason: TileworkError): void {
    this.#end ??= reason;
    this.#worker.terminate();
    this.#queue = [];
    this.#opened?.reject(reason);
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  #flush(): void {
    const [commands, transfer] = [this.#queue, this.#transfer];
    [this.#queue, this.#transfer] = [[], []];
    if (commands.length === 0) return;
    try {
      this.#worker.postMessage({ kind: "batch", commands } satisfies ToWorker, transfer);
    } catch (thrown) {
      // A batch that cannot be sent leaves a hole in what the worker knows.
      this.close(toTileworkError(thrown));
    }
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case "opened":
        return this.#opened?.resolve(message.info);
      case "refused":
        return this.close(new TileworkError(message.error.code, message.error.message));
      case "warning":
        return this.#onWarning(message.message);
      case "progress":
        return this.#pending.get(message.request)?.progress?.(message.next);
      case "answer":
        this.#pending.get(message.request)?.resolve(message.answer);
        break;
      case "failure":
        this.#pending.get(message.request)?.reject(new TileworkError(message.error.code, message.error.message));
        break;
    }
    this.#pending.delete(message.request);
  }
}
