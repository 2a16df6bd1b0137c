// An engine in a worker, with a twin on this side.
//
// The twin never computes. Each operation first runs on it, with placeholders of the right shape and type, which tells the shape
// and type of the result and throws mistakes at once, exactly as the engine itself would; then it is queued for the worker.

import type { Attrs, Backend, DeviceChoice, EngineInfo, Handle, PassTiming, SelfCheck, Tuned, TypeRules } from "./backend.js";
import type { DType, Elements, TypedArray } from "./dtypes.js";
import { DirectBackend, type DirectHandle } from "./direct.js";
import { TileworkError } from "./errors.js";
import { Link } from "./link.js";
import type { Instance } from "./module.js";
import type { Kept, RemoteInput } from "./protocol.js";

/** An array of the worker's, with its placeholder here. */
class RemoteHandle implements Handle {
  readonly id: number;
  readonly twin: DirectHandle;

  constructor(id: number, twin: DirectHandle) {
    this.id = id;
    this.twin = twin;
  }

  get shape(): readonly number[] {
    return this.twin.shape;
  }

  get dtype(): DType {
    return this.twin.dtype;
  }
}

/** Sends everything to a worker. */
export class RemoteBackend implements Backend {
  readonly info: EngineInfo;
  readonly #link: Link;
  readonly #twin: DirectBackend;
  #nextId = 0;
  /** Frees the worker's array of a handle that nobody holds any more; the twin's frees itself the same way. */
  readonly #forgotten = new FinalizationRegistry((id: number) => this.#release(id));

  private constructor(link: Link, info: EngineInfo, twin: DirectBackend) {
    this.#link = link;
    this.info = info;
    this.#twin = twin;
  }

  /** Opens a device in a new worker. The instance is that of this thread, for the twin; the worker makes its own of the module. */
  static async open(device: DeviceChoice, { ops, module, Engine }: Instance, onWarning: (message: string) => void): Promise<RemoteBackend> {
    const { link, info } = await Link.open({ kind: "open", device, ops, module }, onWarning);
    return new RemoteBackend(link, info, new DirectBackend(Engine.twin()));
  }

  get types(): TypeRules {
    return this.#twin.types;
  }

  array(data: Elements, shape: readonly number[], dtype: DType): RemoteHandle {
    const handle = this.#handle(this.#twin.array(data, shape, dtype));
    // The caller keeps its data; the copy is handed over.
    const copy = data.slice();
    this.#link.send({ kind: "array", id: handle.id, data: copy, shape: [...shape], dtype }, [copy.buffer]);
    return handle;
  }

  call(name: string, inputs: readonly (Handle | number)[], attrs: Attrs): RemoteHandle {
    const handle = this.#handle(this.#twin.call(name, inputs.map(twinOf), attrs));
    this.#link.send({ kind: "call", ids: [handle.id], name, inputs: inputs.map(remoteInput), attrs: copyOf(attrs) });
    return handle;
  }

  callMany(name: string, inputs: readonly (Handle | number)[], attrs: Attrs): RemoteHandle[] {
    const handles = this.#twin.callMany(name, inputs.map(twinOf), attrs).map((twin) => this.#handle(twin));
    const ids = handles.map(({ id }) => id);
    this.#link.send({ kind: "callMany", ids, name, inputs: inputs.map(remoteInput), attrs: copyOf(attrs) });
    return handles;
  }

  /** What comes of it only the worker knows, so it keeps the results under numbers of its own and tells them with shapes and types. */
  async callLater(name: string, inputs: readonly (Handle | number)[], attrs: Attrs): Promise<RemoteHandle[]> {
    const question = { what: "callLater", name, inputs: inputs.map(remoteInput), attrs: copyOf(attrs) } as const;
    const kept = await this.#link.ask<Kept[]>(question);
    return kept.map(({ id, shape, dtype }) => {
      const handle = new RemoteHandle(id, this.#twin.call("full", [], { shape, value: 0, dtype }));
      this.#forgotten.register(handle, id, handle);
      return handle;
    });
  }

  gradients(value: Handle, inputs: readonly Handle[]): RemoteHandle[] {
    const [remote, others] = [value as RemoteHandle, inputs as readonly RemoteHandle[]];
    const twins = this.#twin.gradients(remote.twin, others.map(({ twin }) => twin));
    const handles = twins.map((twin) => this.#handle(twin));
    const ids = handles.map(({ id }) => id);
    this.#link.send({ kind: "gradients", ids, value: remote.id, inputs: others.map(({ id }) => id) });
    return handles;
  }

  async read(handle: Handle): Promise<TypedArray> {
    return this.#link.ask<TypedArray>({ what: "read", id: idOf(handle) });
  }

  async readInto(handle: Handle, into: TypedArray): Promise<void> {
    // The worker cannot write into memory of this thread.
    const read = await this.read(handle);
    new Uint8Array(into.buffer, into.byteOffset, into.byteLength).set(new Uint8Array(read.buffer, read.byteOffset, read.byteLength));
  }

  async show(handle: Handle): Promise<string> {
    return this.#link.ask<string>({ what: "show", id: idOf(handle) });
  }

  async kernels(handle: Handle): Promise<string[]> {
    return this.#link.ask<string[]>({ what: "kernels", id: idOf(handle) });
  }

  async eval(handles: readonly Handle[]): Promise<void> {
    return this.#link.ask<undefined>({ what: "eval", ids: handles.map(idOf) });
  }

  async profile(handle: Handle): Promise<PassTiming[]> {
    return this.#link.ask<PassTiming[]>({ what: "profile", id: idOf(handle) });
  }

  async selfCheck(): Promise<SelfCheck> {
    return this.#link.ask<SelfCheck>({ what: "selfCheck" });
  }

  async tune(seconds: number, onProgress: (next: string) => void): Promise<Tuned[]> {
    return this.#link.ask<Tuned[]>({ what: "tune", seconds }, onProgress);
  }

  async setChoices(choices: string): Promise<void> {
    return this.#link.ask<undefined>({ what: "setChoices", choices });
  }

  async stats(): Promise<Record<string, number>> {
    return this.#link.ask<Record<string, number>>({ what: "stats" });
  }

  async simulateLoss(): Promise<void> {
    return this.#link.ask<undefined>({ what: "simulateLoss" });
  }

  async reopen(): Promise<void> {
    return this.#link.ask<undefined>({ what: "reopen" });
  }

  free(handle: Handle): void {
    const { id, twin } = handle as RemoteHandle;
    this.#forgotten.unregister(handle);
    this.#twin.free(twin);
    this.#release(id);
  }

  dispose(): void {
    this.#link.close(new TileworkError("disposed", "the device was disposed of"));
    this.#twin.dispose();
  }

  #handle(twin: DirectHandle): RemoteHandle {
    const handle = new RemoteHandle(this.#nextId++, twin);
    this.#forgotten.register(handle, handle.id, handle);
    return handle;
  }

  #release(id: number): void {
    try {
      this.#link.send({ kind: "free", id });
    } catch {
      // The worker is gone, and its arrays with it.
    }
  }
}

/** Commands leave later; until then the caller may change its lists. */
function copyOf(attrs: Attrs): Attrs {
  return Object.fromEntries(Object.entries(attrs).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]));
}

function twinOf(input: Handle | number): DirectHandle | number {
  return typeof input === "number" ? input : (input as RemoteHandle).twin;
}

function remoteInput(input: Handle | number): RemoteInput {
  return typeof input === "number" ? input : [(input as RemoteHandle).id];
}

function idOf(handle: Handle): number {
  return (handle as RemoteHandle).id;
}
