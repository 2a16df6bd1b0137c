// Who runs a model: this thread, or a worker so that the page never waits.

import type { DeviceChoice, EngineInfo } from "../backend.js";
import { TileworkError, toTileworkError } from "../errors.js";
import type { WasmSource } from "../load.js";
import { onFailure, startWorker } from "../start_worker.js";
import { Waiting } from "../waiting.js";
import type { Model as EngineModel } from "../wasm/models/tilework.js";
import { instantiate } from "./module.js";
import type { FromModelWorker, ToModelWorker } from "./worker.js";

/** What to open. */
export interface Opening {
  readonly device: DeviceChoice;
  readonly kind: string;
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  readonly options: string;
  readonly wasm: WasmSource | undefined;
}

/** What is asked: a method with options (JSON), numbers and the bytes of a file. */
export interface Asking {
  readonly method: string;
  readonly options: string;
  readonly data: Float32Array;
  readonly file: Uint8Array;
}

/** What is answered: JSON, numbers, the bytes of a file. */
export interface Answered {
  readonly value: string;
  readonly data: Float32Array<ArrayBuffer>;
  readonly file: Uint8Array<ArrayBuffer>;
  /** Time it took, where it ran. */
  readonly elapsedMs: number;
}

/** Whoever runs a model. */
export interface Runner {
  readonly info: EngineInfo;
  ask(asking: Asking): Promise<Answered>;
  dispose(): void;
}

/** Runs in this thread. */
export class DirectRunner implements Runner {
  readonly info: EngineInfo;
  readonly #model: EngineModel;
  readonly #waiting: Waiting;

  private constructor(model: EngineModel) {
    this.#model = model;
    this.info = JSON.parse(model.info()) as EngineInfo;
    this.#waiting = new Waiting(this.info.runsOn === "cpu" ? undefined : () => model.nudge());
  }

  static async open({ device, kind, files, options, wasm }: Opening): Promise<DirectRunner> {
    const { Model } = await instantiate(wasm);
    try {
      return new DirectRunner(await Model.open(device, kind, [...files.keys()], [...files.values()], options));
    } catch (thrown) {
      throw toTileworkError(thrown);
    }
  }

  async ask({ method, options, data, file: given }: Asking): Promise<Answered> {
    const startMs = performance.now();
    try {
      const [value, numbers, file] = await this.#waiting.on(this.#model.ask(method, options, data, given));
      const elapsedMs = performance.now() - startMs;
      return { value, data: numbers as Float32Array<ArrayBuffer>, file: file as Uint8Array<ArrayBuffer>, elapsedMs };
    } catch (thrown) {
      throw toTileworkError(thrown);
    }
  }

  dispose(): void {
    this.#waiting.reject(new TileworkError("disposed", "the model was disposed of"));
    this.#model.free();
  }
}

interface Pending {
  resolve(answered: Answered): void;
  reject(error: TileworkError): void;
}

/** Sends everything to a worker of its own. */
export class RemoteRunner implements Runner {
  readonly info: EngineInfo;
  readonly #worker: Worker;
  readonly #pending: Map<number, Pending>;
  #nextRequest = 0;
  #end: TileworkError | undefined;

  private constructor(worker: Worker, info: EngineInfo) {
    this.#worker = worker;
    this.info = info;
    this.#pending = new Map();
    worker.onmessage = ({ data }: MessageEvent<FromModelWorker>) => this.#receive(data);
    onFailure(worker, (error) => this.#close(error));
  }

  static open({ files, ...opening }: Opening): Promise<RemoteRunner> {
    const worker = startWorker(() => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
    return new Promise((resolve, reject) => {
      const refuse = (error: TileworkError): void => {
        worker.terminate();
        reject(error);
      };
      onFailure(worker, refuse);
      worker.onmessage = ({ data }: MessageEvent<FromModelWorker>) => {
        if (data.kind === "opened") resolve(new RemoteRunner(worker, data.info));
        else if (data.kind === "refused") refuse(new TileworkError(data.error.code, data.error.message));
      };
      const message: ToModelWorker = { kind: "open", opening, files: [...files] };
      worker.postMessage(message, [...files.values()].map((bytes) => bytes.buffer));
    });
  }

  ask(asking: Asking): Promise<Answered> {
    if (this.#end) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      const request = this.#nextRequest++;
      this.#pending.set(request, { resolve, reject });
      this.#worker.postMessage({ kind: "ask", request, asking } satisfies ToModelWorker);
    });
  }

  dispose(): void {
    this.#close(new TileworkError("disposed", "the model was disposed of"));
  }

  #receive(message: FromModelWorker): void {
    if (message.kind !== "answer" && message.kind !== "failure") return;
    const pending = this.#pending.get(message.request);
    this.#pending.delete(message.request);
    if (message.kind === "answer") pending?.resolve(message.answered);
    else pending?.reject(new TileworkError(message.error.code, message.error.message));
  }

  #close(reason: TileworkError): void {
    this.#end ??= reason;
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }
}
