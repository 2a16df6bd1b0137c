// An open device.

import type { Attrs, Backend, DeviceInfo, Handle, Operand, PassTiming, SelfCheck, Tuned, TypeRules } from "./backend.js";
import { dispose } from "./dispose.js";
import type { DType, Elements } from "./dtypes.js";
import { TileworkError, toTileworkError } from "./errors.js";
import { choicesOf, keepChoices } from "./kept_choices.js";
import { NdArray } from "./nd_array.js";
import { Random } from "./random.js";
import { elementsOf, type NestedNumbers } from "./nested.js";
import { Transforms } from "./transforms.js";

/** How to tune. */
export interface TuneOptions {
  /** Time to spend at most, about; 5 seconds unless told. */
  readonly seconds?: number;
  /** Told what is measured next. */
  readonly onProgress?: (next: string) => void;
}

/** What to make of data. */
export interface ArrayOptions {
  /** Axis sizes; those of the lists, or one axis, unless told. */
  readonly shape?: readonly number[];
  /**
   * Element type. A typed array that stores it is taken as it is (a Uint16Array as the bits of halves, a Float32Array as pairs of real and
   * imaginary parts); anything else is converted.
   */
  readonly dtype?: DType;
}

interface ArangeOptions {
  readonly start?: number;
  readonly stop: number;
  readonly step?: number;
  readonly dtype?: DType;
}

/** An open device: where arrays are made and computed. */
export class Tilework extends Transforms {
  /** What it runs on. */
  readonly info: DeviceInfo;
  #backend: Backend | undefined;

  private constructor(info: DeviceInfo, backend: Backend) {
    super();
    this.info = info;
    this.#backend = backend;
  }

  /** @internal */
  static of(info: DeviceInfo, backend: Backend): Tilework {
    return new Tilework(info, backend);
  }

  get #open(): Backend {
    if (this.#backend === undefined) throw new TileworkError("disposed", "the device was disposed of");
    return this.#backend;
  }

  /** @internal */
  protected override get types(): TypeRules {
    return this.#open.types;
  }

  /** @internal Any operation by name. */
  override call(name: string, inputs: readonly Operand[], attrs: Attrs = {}): NdArray {
    const backend = this.#open;
    return NdArray.of(this, backend.call(name, this.#handles(inputs), attrs));
  }

  /** @internal Any function with several results by name. */
  override callMany(name: string, inputs: readonly Operand[], attrs: Attrs = {}): NdArray[] {
    const backend = this.#open;
    return backend.callMany(name, this.#handles(inputs), attrs).map((handle) => NdArray.of(this, handle));
  }

  /** @internal Any function by name, also one whose results have a size that depends on the data. */
  override async callLater(name: string, inputs: readonly Operand[], attrs: Attrs = {}): Promise<NdArray[]> {
    const handles = await this.ask((backend) => backend.callLater(name, this.#handles(inputs), attrs));
    return handles.map((handle) => NdArray.of(this, handle));
  }

  #handles(inputs: readonly Operand[]): (Handle | number)[] {
    return inputs.map((input) => (typeof input === "number" ? input : NdArray.handleOf(this, input)));
  }

  /** @internal A question whose every failure is a rejection. */
  async ask<T>(question: (backend: Backend) => Promise<T>): Promise<T> {
    try {
      return await question(this.#open);
    } catch (thrown) {
      throw toTileworkError(thrown);
    }
  }

  /** @internal */
  free(handle: Handle): void {
    this.#backend?.free(handle);
  }

  /**
   * An array from numbers, nested lists of numbers (both become float32 unless told), or a typed array in row-major order, whose type it
   * keeps. The shape is that of the lists, or one axis, unless told.
   */
  override array(data: NestedNumbers | Elements, options: readonly number[] | ArrayOptions = {}): NdArray {
    const backend = this.#open;
    const { shape, dtype }: ArrayOptions = isShape(options) ? { shape: options } : options;
    const made = elementsOf(data, dtype);
    const array = NdArray.of(this, backend.array(made.elements, shape ?? made.shape, made.dtype));
    if (made.cast === undefined) return array;
    const converted = array.cast(made.cast);
    array.dispose();
    return converted;
  }

  /** A single number. */
  scalar(value: number): NdArray {
    return this.full([], value);
  }

  /** `value` everywhere. */
  full(shape: number | readonly number[], value: number, options: { readonly dtype?: DType } = {}): NdArray {
    return this.call("full", [], { shape: typeof shape === "number" ? [shape] : shape, value, dtype: options.dtype });
  }

  /** Zeros. */
  zeros(shape: number | readonly number[], options: { readonly dtype?: DType } = {}): NdArray {
    return this.full(shape, 0, options);
  }

  /** Ones. */
  ones(shape: number | readonly number[], options: { readonly dtype?: DType } = {}): NdArray {
    return this.full(shape, 1, options);
  }

  /** 0, 1, 2 ... n - 1, as int32. */
  arange(n: number, options?: { readonly dtype?: DType }): NdArray;
  /** Numbers from `start` up to `stop`, which is not included, `step` (1) apart: int32 if all are whole, else float32. */
  arange(start: number, stop: number, step?: number, options?: { readonly dtype?: DType }): NdArray;
  /** The same by name. */
  arange(options: { readonly start?: number; readonly stop: number; readonly step?: number; readonly dtype?: DType }): NdArray;
  arange(first: number | ArangeOptions, second?: number | { readonly dtype?: DType }, step?: number, { dtype }: { readonly dtype?: DType } = {}): NdArray {
    if (typeof first === "object") return this.call("arange", [], { ...first });
    if (typeof second === "number") return this.call("arange", [], { start: first, stop: second, step, dtype });
    return this.call("arange", [], { n: first, dtype: second?.dtype });
  }

  /** `n` numbers (50) evenly spread from `start` to `stop`, which is the last of them unless `endpoint` is false. */
  linspace(start: number, stop: number, n = 50, options: { readonly endpoint?: boolean; readonly dtype?: DType } = {}): NdArray {
    return this.call("linspace", [], { start, stop, n, endpoint: options.endpoint, dtype: options.dtype });
  }

  /** A matrix with `n` rows and `m` columns (as many as rows) of zeros, with ones on diagonal `k` (the main one). */
  eye(n: number, options: { readonly m?: number; readonly k?: number; readonly dtype?: DType } = {}): NdArray {
    return this.call("eye", [], { n, m: options.m, k: options.k, dtype: options.dtype });
  }

  /** A generator of random arrays; the same seed, an integer, gives the same arrays everywhere. */
  random(seed: number): Random {
    if (!Number.isSafeInteger(seed) || seed < 0) throw new TileworkError("argument", `random: a seed is a whole number from 0 on, not ${seed}`);
    return new Random(this, seed);
  }

  /** The frequencies of `n` points, `spacing` apart, in the order of `fft`. */
  fftfreq(n: number, options: { readonly spacing?: number } = {}): NdArray {
    return this.call("fftfreq", [], { n, ...options });
  }

  /** The frequencies of `n` points, `spacing` apart, in the order of `rfft`. */
  rfftfreq(n: number, options: { readonly spacing?: number } = {}): NdArray {
    return this.call("rfftfreq", [], { n, ...options });
  }

  /** Arrays of equal shape side by side along a new axis, the first unless told. */
  stack(arrays: readonly NdArray[], options: { readonly axis?: number } = {}): NdArray {
    return this.call("stack", arrays, { axis: options.axis ?? 0 });
  }

  /** The shape that arrays of these shapes have once they meet. */
  broadcastShapes(...shapes: readonly (readonly number[])[]): number[] {
    return shapes.reduce<number[]>((known, shape) => {
      const rank = Math.max(known.length, shape.length);
      const size = (sizes: readonly number[], axis: number): number => sizes[axis - rank + sizes.length] ?? 1;
      return Array.from({ length: rank }, (_, axis) => {
        const [a, b] = [size(known, axis), size(shape, axis)];
        if (a !== b && a !== 1 && b !== 1) {
          throw new TileworkError("shape", `broadcastShapes: ${shapes.map((each) => `[${each}]`).join(" and ")} do not fit`);
        }
        return a === 1 ? b : a;
      });
    }, []);
  }

  /** Computes arrays together, sharing what they have in common, keeps the results and waits until the device is done. */
  eval(...arrays: NdArray[]): Promise<void> {
    return this.ask((backend) => backend.eval(arrays.map((array) => NdArray.handleOf(this, array))));
  }

  /** @internal */
  protected override gradientsOf(value: NdArray, inputs: readonly NdArray[]): NdArray[] {
    const handles = inputs.map((array) => NdArray.handleOf(this, array));
    return this.#open.gradients(NdArray.handleOf(this, value), handles).map((gradient) => NdArray.of(this, gradient));
  }

  /** Computes a handful of small things and compares them with the CPU. */
  selfCheck(): Promise<SelfCheck> {
    return this.ask((backend) => backend.selfCheck());
  }

  /**
   * Measures which kernels are fastest on this GPU and uses them from now on, on this page and, where the browser lets pages keep
   * something, whenever this adapter is opened again. Rejects with code "unsupported" without a GPU and with `ops: "core"`.
   */
  async tune({ seconds = 5, onProgress = () => {} }: TuneOptions = {}): Promise<Tuned[]> {
    if (!(seconds > 0)) throw new TileworkError("argument", `tune: seconds must be above 0, not ${seconds}`);
    const tuned = await this.ask((backend) => backend.tune(seconds, onProgress));
    keepChoices(this.info, tuned);
    return tuned;
  }

  /** Uses the kernels that tuning chose on another open device of the same adapter. */
  useTuned(tuned: readonly Tuned[]): Promise<void> {
    return this.ask((backend) => backend.setChoices(choicesOf(tuned)));
  }

  /** The time of every pass that computing `array` runs. Rejects with code "unsupported" without timestamp queries. */
  profile(array: NdArray): Promise<PassTiming[]> {
    return this.ask((backend) => backend.profile(NdArray.handleOf(this, array)));
  }

  /** Counts of what the device did. */
  stats(): Promise<Record<string, number>> {
    return this.ask((backend) => backend.stats());
  }

  /** Destroys the GPU device, as a driver's crash would; for tests and demonstrations. */
  simulateLoss(): Promise<void> {
    return this.ask((backend) => backend.simulateLoss());
  }

  /** Opens the GPU again after code "device_lost". Arrays whose only copy was on it are gone, those made of data are not. */
  reopen(): Promise<void> {
    return this.ask((backend) => backend.reopen());
  }

  /** Gives everything back. Later use of the device and its arrays throws with code "disposed". */
  dispose(): void {
    this.#backend?.dispose();
    this.#backend = undefined;
  }

  /** The same as `dispose`, for `using` declarations. */
  [dispose](): void {
    this.dispose();
  }
}

function isShape(options: readonly number[] | ArrayOptions): options is readonly number[] {
  return Array.isArray(options);
}
