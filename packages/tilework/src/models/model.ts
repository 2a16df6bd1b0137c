// A model of any kind: opened from files, asked by method. The classes of this folder put names and types on it.

import type { DeviceChoice, DeviceInfo } from "../backend.js";
import { dispose } from "../dispose.js";
import { TileworkError } from "../errors.js";
import type { WasmSource } from "../load.js";
import { type FileSource, getFiles, type ModelProgress } from "./files.js";
import { DirectRunner, RemoteRunner, type Runner } from "./runner.js";

/** How to open a model. */
export interface ModelOptions {
  /** "gpu" rejects with code "no_device" without WebGPU; "auto", the default, then computes on the CPU. */
  readonly device?: DeviceChoice;
  /** Compute in a worker, so that the page never waits; so it is unless told, where there are workers. */
  readonly worker?: boolean;
  /** The WebAssembly module, if it is not where the package keeps it. */
  readonly wasm?: WasmSource;
  /** Told how far it is. */
  readonly onProgress?: (progress: ModelProgress) => void;
  /** Ends the download; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What a model answers. */
export interface ModelAnswer {
  /** What it says, by name. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Numbers, if the method gives any. */
  readonly data: Float32Array<ArrayBuffer>;
  /** The bytes of a file, if the method gives one. */
  readonly file: Uint8Array<ArrayBuffer>;
  /** Time it took where it ran, without the way to a worker and back. */
  readonly elapsedMs: number;
}

/** An open model. */
export class Model {
  /** The device it runs on. */
  readonly device: DeviceInfo;
  readonly #runner: Runner;

  private constructor(runner: Runner, device: DeviceInfo) {
    this.#runner = runner;
    this.device = device;
  }

  /** Opens a model of a kind, from named files, with options of its own. */
  static async open(
    kind: string,
    files: Readonly<Record<string, FileSource>>,
    settings: object = {},
    { device = "auto", worker = typeof Worker !== "undefined", wasm, onProgress = () => {}, signal }: ModelOptions = {},
  ): Promise<Model> {
    let [loadedBytes, totalBytes] = [0, 0];
    const tell = (stage: ModelProgress["stage"]): void => onProgress({ stage, loadedBytes, totalBytes });
    const contents = await getFiles(files, (loaded, total) => {
      [loadedBytes, totalBytes] = [loaded, total];
      tell("files");
    }, signal);
    signal?.throwIfAborted();
    tell("model");
    const opening = { device, kind, files: contents, options: JSON.stringify(settings), wasm };
    const runner = worker ? await RemoteRunner.open(opening) : await DirectRunner.open(opening);
    tell("ready");
    return new Model(runner, { ...runner.info, requested: device, worker });
  }

  /** Asks by method, with options, numbers and the bytes of a file, as far as the method takes them. */
  async ask(method: string, options: object = {}, data: Float32Array = new Float32Array(), file: Uint8Array = new Uint8Array()): Promise<ModelAnswer> {
    const answered = await this.#runner.ask({ method, options: JSON.stringify(options), data, file });
    return { ...answered, value: (JSON.parse(answered.value) ?? {}) as ModelAnswer["value"] };
  }

  /** Lets go of the model and its memory. What is being asked rejects. */
  dispose(): void {
    this.#runner.dispose();
  }

  /** For `using`. */
  [dispose](): void {
    this.dispose();
  }
}

/** A number that an answer must have. */
export function numberOf(answer: ModelAnswer, name: string): number {
  const value = answer.value[name];
  if (typeof value !== "number") throw new TileworkError("kernel", `the model gave no ${name}`);
  return value;
}
