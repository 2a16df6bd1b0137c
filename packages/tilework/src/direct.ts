// The engine of this thread.

import type { Attrs, Backend, DeviceChoice, EngineInfo, Handle, PassTiming, SelfCheck, Tuned, TypeRules } from "./backend.js";
import type { DType, Elements, TypedArray } from "./dtypes.js";
import { guarded, TileworkError, toTileworkError } from "./errors.js";
import type { Instance } from "./module.js";
import { Waiting } from "./waiting.js";
import type { Engine, NdArray as EngineArray } from "./wasm/tilework.js";

/** An array of an engine in this thread. */
export class DirectHandle implements Handle {
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly array: EngineArray;

  constructor(array: EngineArray) {
    this.array = array;
    this.shape = Object.freeze(Array.from(array.shape()));
    this.dtype = array.dtype() as DType;
  }
}

/** Calls the engine directly. */
export class DirectBackend implements Backend {
  readonly info: EngineInfo;
  readonly #engine: Engine;
  readonly #waiting: Waiting;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.info = JSON.parse(engine.info()) as EngineInfo;
    // Work on the CPU is done when its call returns; there is nothing to look for.
    this.#waiting = new Waiting(this.info.runsOn === "cpu" ? undefined : () => engine.nudge());
  }

  /** Opens a device. */
  static async open(device: DeviceChoice, { Engine }: Instance, onWarning: (message: string) => void): Promise<DirectBackend> {
    try {
      const engine = await Engine.open(device);
      // The module with the core operations alone has nothing to say.
      engine.onWarning?.(onWarning);
      return new DirectBackend(engine);
    } catch (thrown) {
      throw toTileworkError(thrown);
    }
  }

  get types(): TypeRules {
    const engine = this.#engine;
    if (engine.resultType === undefined) throw noLibrary("types");
    return {
      resultType: (names) => guarded(() => engine.resultType([...names])) as DType,
      canCast: (from, to) => guarded(() => engine.canCast(from, to)),
      kindOf: (name) => guarded(() => engine.kindOf(name)),
      finfo: (name) => guarded(() => [...engine.finfo(name)]),
      iinfo: (name) => guarded(() => engine.iinfo(name)),
    };
  }

  array(data: Elements, shape: readonly number[], dtype: DType): DirectHandle {
    return guarded(() => new DirectHandle(this.#engine.array(data, shape, dtype)));
  }

  call(name: string, inputs: readonly (Handle | number)[], attrs: Attrs): DirectHandle {
    return guarded(() => new DirectHandle(this.#engine.call(name, inputs.map(engineInput), attrs)));
  }

  callMany(name: string, inputs: readonly (Handle | number)[], attrs: Attrs): DirectHandle[] {
    if (this.#engine.callMany === undefined) throw noLibrary(name);
    const arrays = guarded(() => this.#engine.callMany(name, inputs.map(engineInput), attrs));
    return arrays.map((array) => new DirectHandle(array));
  }

  async callLater(name: string, inputs: readonly (Handle | number)[], attrs: Attrs): Promise<DirectHandle[]> {
    if (this.#engine.callLater === undefined) throw noLibrary(name);
    const arrays = await this.#waiting.on(this.#engine.callLater(name, inputs.map(engineInput), attrs));
    return arrays.map((array) => new DirectHandle(array));
  }

  gradients(value: Handle, inputs: readonly Handle[]): DirectHandle[] {
    const gradients = guarded(() => this.#engine.gradients(engineArray(value), inputs.map(engineArray)));
    return gradients.map((gradient) => new DirectHandle(gradient));
  }

  read(handle: Handle): Promise<TypedArray> {
    return this.#waiting.on(engineArray(handle).toArray() as Promise<TypedArray>);
  }

  async readInto(handle: Handle, into: TypedArray): Promise<void> {
    const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
    const copy = await this.#waiting.on(engineArray(handle).toArray(bytes));
    if (copy === undefined) return;
    if (into.byteLength !== copy.byteLength) throw new TileworkError("shape", "toArray: the memory to write into was given away meanwhile");
    // The module of the core operations leaves this to us.
    bytes.set(new Uint8Array(copy.buffer, copy.byteOffset, copy.byteLength));
  }

  show(handle: Handle): Promise<string> {
    return this.#waiting.on(engineArray(handle).show());
  }

  async kernels(handle: Handle): Promise<string[]> {
    return engineArray(handle).kernels();
  }

  eval(handles: readonly Handle[]): Promise<void> {
    return this.#waiting.on(this.#engine.eval(handles.map(engineArray)));
  }

  async profile(handle: Handle): Promise<PassTiming[]> {
    return JSON.parse(await this.#waiting.on(this.#engine.profile(engineArray(handle)))) as PassTiming[];
  }

  async selfCheck(): Promise<SelfCheck> {
    return JSON.parse(await this.#waiting.on(this.#engine.selfCheck())) as SelfCheck;
  }

  async tune(seconds: number, onProgress: (next: string) => void): Promise<Tuned[]> {
    // The module with the core operations alone has no such method.
    if (this.#engine.tune === undefined) throw new TileworkError("unsupported", 'tune: not in the core module; open with { ops: "all" }');
    return JSON.parse(await this.#waiting.on(this.#engine.tune(seconds, onProgress))) as Tuned[];
  }

  async setChoices(choices: string): Promise<void> {
    this.#engine.setChoices(choices);
  }

  async stats(): Promise<Record<string, number>> {
    return JSON.parse(this.#engine.stats()) as Record<string, number>;
  }

  async simulateLoss(): Promise<void> {
    this.#engine.simulateLoss();
  }

  reopen(): Promise<void> {
    return this.#waiting.on(this.#engine.reopen());
  }

  free(handle: Handle): void {
    engineArray(handle).free();
  }

  dispose(): void {
    this.#waiting.reject(new TileworkError("disposed", "the device was disposed of"));
    this.#engine.free();
  }
}

/** The module with the core operations alone has no functions with several results. */
function noLibrary(name: string): TileworkError {
  return new TileworkError("argument", `${name}: not in the core module; open with { ops: "numpy" } or { ops: "all" }`);
}

function engineInput(input: Handle | number): EngineArray | number {
  return typeof input === "number" ? input : engineArray(input);
}

function engineArray(handle: Handle): EngineArray {
  return (handle as DirectHandle).array;
}
