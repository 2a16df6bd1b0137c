// Arrays: what users hold.

import { axesOf } from "./axes_of.js";
import type { Attrs, Handle, Operand } from "./backend.js";
import { Composed } from "./composed.js";
import { dispose } from "./dispose.js";
import { type DType, isComplex, isHalf, STORAGE, type TypedArray } from "./dtypes.js";
import { TileworkError } from "./errors.js";
import { contentOf } from "./file_functions.js";
import type { WriteOptions } from "./files/write_text.js";
import { hasMask, type IndexEntry, indexText, viewOf } from "./indexing.js";
import type { Tilework } from "./tilework.js";

/** Which axes a reduction goes over. */
export interface ReduceOptions {
  /** The axes; all of them unless told. Negative ones count from the end. */
  readonly axes?: readonly number[];
  /** The same, as NumPy calls it: one axis or several, instead of `axes`. */
  readonly axis?: number | readonly number[];
  /** Leave the reduced axes in place with size 1. */
  readonly keepAxes?: boolean;
}

/** Which axes a variance goes over, and how. */
export interface SpreadOptions extends ReduceOptions {
  /** What is taken off the number of elements that is divided by; 0 unless told. */
  readonly correction?: number;
}

/**
 * An array that is computed when its values are asked for. Methods give new arrays and compute nothing; mistakes (shapes that do
 * not fit, an axis out of range) are thrown at once as a TileworkError.
 */
export class NdArray extends Composed {
  /** Axis sizes, outermost first; empty for a single number. */
  readonly shape: readonly number[];
  /** Element type. */
  readonly dtype: DType;
  readonly #owner: Tilework;
  #handle: Handle | undefined;

  private constructor(owner: Tilework, handle: Handle) {
    super();
    this.#owner = owner;
    this.#handle = handle;
    this.shape = handle.shape;
    this.dtype = handle.dtype;
  }

  /** @internal */
  static of(owner: Tilework, handle: Handle): NdArray {
    return new NdArray(owner, handle);
  }

  /** @internal The array behind this one, for a call by `owner`. */
  static handleOf(owner: Tilework, array: NdArray): Handle {
    if (!(array instanceof NdArray)) throw new TileworkError("argument", "an input is neither an NdArray nor a number");
    if (array.#owner !== owner) throw new TileworkError("argument", "an input belongs to another device");
    if (array.#handle === undefined) throw new TileworkError("disposed", "an input was disposed of");
    return array.#handle;
  }

  /** @internal */
  override call(name: string, inputs: readonly Operand[] = [], attrs: Attrs = {}): NdArray {
    return this.#owner.call(name, [this, ...inputs], attrs);
  }

  /** @internal */
  override callMany(name: string, inputs: readonly Operand[] = [], attrs: Attrs = {}): NdArray[] {
    return this.#owner.callMany(name, [this, ...inputs], attrs);
  }

  /** @internal */
  override callLater(name: string, inputs: readonly Operand[] = [], attrs: Attrs = {}): Promise<NdArray[]> {
    return this.#owner.callLater(name, [this, ...inputs], attrs);
  }

  /** Number of axes. */
  get ndim(): number {
    return this.shape.length;
  }

  /** Number of elements. */
  get size(): number {
    return this.shape.reduce((product, size) => product * size, 1);
  }

  /** Sum; truth values are counted. */
  sum(options: ReduceOptions = {}): NdArray {
    return this.#reduce("sum", options);
  }

  /** Product. */
  prod(options: ReduceOptions = {}): NdArray {
    return this.#reduce("prod", options);
  }

  /** Smallest element; NaN if any is NaN. */
  min(options: ReduceOptions = {}): NdArray {
    return this.#reduce("min", options);
  }

  /** Largest element; NaN if any is NaN. */
  max(options: ReduceOptions = {}): NdArray {
    return this.#reduce("max", options);
  }

  /** Mean. */
  mean(options: ReduceOptions = {}): NdArray {
    return this.#reduce("mean", options);
  }

  /** Mean squared distance from the mean. */
  var(options: SpreadOptions = {}): NdArray {
    return this.#spread("var", options);
  }

  /** Square root of the variance. */
  std(options: SpreadOptions = {}): NdArray {
    return this.#spread("std", options);
  }

  /** Whether any element is true (not 0). */
  any(options: ReduceOptions = {}): NdArray {
    return this.#reduce("any", options);
  }

  /** Whether all elements are true (not 0). */
  all(options: ReduceOptions = {}): NdArray {
    return this.#reduce("all", options);
  }

  #reduce(name: string, options: ReduceOptions): NdArray {
    return this.call(name, [], { axes: axesOf(name, options), keep_axes: options.keepAxes });
  }

  #spread(name: string, options: SpreadOptions): NdArray {
    return this.call(name, [], { axes: axesOf(name, options), keep_axes: options.keepAxes, correction: options.correction });
  }

  /** Logarithm of the softmax, without leaving the range of floats. */
  logSoftmax(options: { readonly axis: number }): NdArray {
    return this.softmax({ axis: options.axis, output: "logarithm" });
  }

  /**
   * A copy in which the element that each of `indices` names along `axis` is replaced by that of `values` at the same place. The
   * indices have this array's shape except along the axis; where they are equal, the last wins.
   */
  putAlong(indices: NdArray, values: Operand, options: { readonly axis: number }): NdArray {
    return this.call("put_along", [indices, values], { axis: options.axis });
  }

  /** The element where positive, else 0. */
  relu(): NdArray {
    return this.call("relu");
  }

  /** The element where positive, else `slope` times it. */
  leakyRelu(slope = 0.01): NdArray {
    return this.call("leaky_relu", [], { slope });
  }

  /** The element where positive, else `alpha * (exp(x) - 1)`. */
  elu(alpha = 1): NdArray {
    return this.call("elu", [], { alpha });
  }

  /** Between `low` and `high`; NaN stays NaN. */
  clamp(low: Operand, high: Operand): NdArray {
    return this.call("clamp", [low, high]);
  }

  /** The square of every element. */
  square(): NdArray {
    return this.call("square");
  }

  /** The same elements in row-major order under another shape, of which one size may be -1. */
  reshape(shape: number | readonly number[]): NdArray {
    return this.call("reshape", [], { shape: listOf(shape) });
  }

  /** One axis. */
  flatten(): NdArray {
    return this.call("flatten");
  }

  /** Axes in another order: axis `i` of the result is axis `order[i]` of this. */
  permute(order: readonly number[]): NdArray {
    return this.call("permute", [], { order });
  }

  /** Axes in reverse order, or in this one. */
  transpose(order?: readonly number[]): NdArray {
    return order === undefined ? this.call("transpose") : this.permute(order);
  }

  /** Axes of size 1 repeated, and leading axes added, up to `shape`. */
  broadcastTo(shape: readonly number[]): NdArray {
    return this.call("broadcast_to", [], { shape });
  }

  /** New axes of size 1 at one position of the result, or at several. */
  expandDims(axis: number | readonly number[]): NdArray {
    return this.call("expand_dims", [], typeof axis === "number" ? { axis } : { axes: axis });
  }

  /** Without the axes of size 1 that `axes` names (all of them if it names none). */
  squeeze(axes?: number | readonly number[]): NdArray {
    return this.call("squeeze", [], { axes: listOf(axes) });
  }

  /** Elements of `axis` from `start` up to (not including) `stop`, every `step`-th, with Python's rules. */
  slice(axis: number, start?: number, stop?: number, step?: number): NdArray {
    return this.call("slice", [], { axis, start, stop, step });
  }

  /** One element of `axis`, which disappears. Negative positions count from the end. */
  index(axis: number, position: number): NdArray {
    return this.call("index", [], { axis, position });
  }

  /**
   * The elements that an index names, as `x[1, ::2, ..., None, rows]` does in NumPy: `x.at(1, slice(null, null, 2), ellipsis, newAxis, rows)`, or
   * without arrays as text, `x.at("1, ::2, ..., None")`. How many elements a mask chooses is not known at once: see `atLater`.
   */
  at(...index: IndexEntry[]): NdArray {
    if (hasMask(index)) throw new TileworkError("argument", "at: how many elements a mask chooses depends on the data: wait for them (atLater)");
    const { text, arrays } = indexText(index);
    return viewOf(this, index) ?? this.call("get", arrays, { index: text });
  }

  /** Like `at`, also with masks. */
  async atLater(...index: IndexEntry[]): Promise<NdArray> {
    const { text, arrays } = indexText(index);
    const [elements] = await this.callLater("get_later", arrays, { index: text });
    return elements as NdArray;
  }

  /** A copy in which the elements that an index names are `values`, which broadcast: `x[index] = values` of NumPy. */
  setAt(index: IndexEntry | readonly IndexEntry[], values: Operand): NdArray {
    const { text, arrays } = indexText(Array.isArray(index) ? index : [index as IndexEntry]);
    return this.call("set", [...arrays, values], { index: text });
  }

  /** Elements of the named axes in reverse (all axes if none is named). */
  flip(axes?: number | readonly number[]): NdArray {
    return this.call("flip", [], { axes: listOf(axes) });
  }

  /** Converted to another element type: floats are truncated to integers, anything but 0 is true. */
  cast(dtype: DType): NdArray {
    return this.call("cast", [], { dtype });
  }

  /**
   * Computes the array and gives its elements in row-major order: in a new typed array, or in `into`, which must be of the same type and
   * size. Whoever reads again and again, once a frame for example, saves the time that new memory takes, which can be more than the work.
   */
  toArray(): Promise<TypedArray>;
  toArray<T extends TypedArray>(into: T): Promise<T>;
  async toArray(into?: TypedArray): Promise<TypedArray> {
    if (into === undefined) return this.#owner.ask((backend) => backend.read(NdArray.handleOf(this.#owner, this)));
    const [type, size] = [STORAGE[this.dtype].name, this.size * (isComplex(this.dtype) ? 2 : 1)];
    if (into[Symbol.toStringTag] !== type) throw new TileworkError("dtype", `toArray: ${this.dtype} is read into a ${type}`);
    if (into.length !== size) throw new TileworkError("shape", `toArray: [${this.shape}] are ${size} numbers, the array to write into has ${into.length}`);
    await this.#owner.ask((backend) => backend.readInto(NdArray.handleOf(this.#owner, this), into));
    return into;
  }

  /** Computes the array, which must have one element, and gives it. */
  async item(): Promise<number> {
    if (this.size !== 1) throw new TileworkError("shape", `item: [${this.shape}] is not a single element`);
    if (isComplex(this.dtype)) throw new TileworkError("dtype", `item: a ${this.dtype} is no single number; read its parts by toArray`);
    const [value] = await (isHalf(this.dtype) ? this.cast("float32") : this).toArray();
    return Number(value);
  }

  /** Computes the array and gives a text like NumPy's. */
  show(): Promise<string> {
    return this.#owner.ask((backend) => backend.show(NdArray.handleOf(this.#owner, this)));
  }

  /** Computes the array and gives it as a `.npy` file. */
  async toNpy(): Promise<Uint8Array<ArrayBuffer>> {
    const { writeNpy } = await import("./files.js");
    return writeNpy(await contentOf(this));
  }

  /** Computes the array, of one or two axes, and gives it as text: NumPy's `savetxt`. */
  async toTxt(options: WriteOptions = {}): Promise<string> {
    const { writeTxt } = await import("./files.js");
    return writeTxt(await contentOf(isHalf(this.dtype) ? this.cast("float32") : this), options);
  }

  /** The kernels that computing this array would run on a GPU, as WGSL. */
  kernels(): Promise<string[]> {
    return this.#owner.ask((backend) => backend.kernels(NdArray.handleOf(this.#owner, this)));
  }

  /** Lets go of the array and its memory. What was computed from it is not affected; later use of it throws. */
  dispose(): void {
    if (this.#handle !== undefined) this.#owner.free(this.#handle);
    this.#handle = undefined;
  }

  /** The same as `dispose`, for `using` declarations. */
  [dispose](): void {
    this.dispose();
  }
}

/** One number or several, as a list. */
function listOf(numbers: number | readonly number[]): readonly number[];
function listOf(numbers: number | readonly number[] | undefined): readonly number[] | undefined;
function listOf(numbers: number | readonly number[] | undefined): readonly number[] | undefined {
  return typeof numbers === "number" ? [numbers] : numbers;
}
