// Generated from the functions of the library by crates/tilework-conformance/tests/typings.rs, which fails if this file is stale.
// Do not edit.

import type { Attrs, Operand } from "../backend.js";
import type { DType } from "../dtypes.js";
import { axesOf } from "../axes_of.js";
import { given } from "../given.js";
import type { NdArray } from "../nd_array.js";
import { Operations } from "./ops.js";

/** The functions that start from an array. */
export abstract class LibraryMethods extends Operations {
  /** @internal */
  abstract callMany(name: string, inputs?: readonly Operand[], attrs?: Attrs): NdArray[];
  /** @internal */
  abstract callLater(name: string, inputs?: readonly Operand[], attrs?: Attrs): Promise<NdArray[]>;

  /**
   * Zeros in the shape and type of x.
   *
   * - `dtype`: element type
   *
   * - `shape`: sizes of the axes; those of x unless told
   */
  zerosLike(options: { readonly dtype?: DType | undefined; readonly shape?: number | readonly number[] | undefined } = {}): NdArray {
    return this.call("zeros_like", [], { dtype: options.dtype, shape: options.shape });
  }

  /**
   * Ones in the shape and type of x.
   *
   * - `dtype`: element type
   *
   * - `shape`: sizes of the axes; those of x unless told
   */
  onesLike(options: { readonly dtype?: DType | undefined; readonly shape?: number | readonly number[] | undefined } = {}): NdArray {
    return this.call("ones_like", [], { dtype: options.dtype, shape: options.shape });
  }

  /**
   * An array in the shape and type of x that is to be filled: zeros.
   *
   * - `dtype`: element type
   *
   * - `shape`: sizes of the axes; those of x unless told
   */
  emptyLike(options: { readonly dtype?: DType | undefined; readonly shape?: number | readonly number[] | undefined } = {}): NdArray {
    return this.call("empty_like", [], { dtype: options.dtype, shape: options.shape });
  }

  /**
   * A number everywhere, in the shape and type of x.
   *
   * - `value`: what every element is
   *
   * - `dtype`: element type
   *
   * - `shape`: sizes of the axes; those of x unless told
   */
  fullLike(options: { readonly value: number; readonly dtype?: DType | undefined; readonly shape?: number | readonly number[] | undefined }): NdArray {
    return this.call("full_like", [], { value: options.value, dtype: options.dtype, shape: options.shape });
  }

  /**
   * x as an array, of another element type if one is named.
   *
   * - `dtype`: element type
   */
  asarray(options: { readonly dtype?: DType | undefined } = {}): NdArray {
    return this.call("asarray", [], { dtype: options.dtype });
  }

  /**
   * x converted to an element type: floats are truncated to integers, anything but 0 is true.
   *
   * - `dtype`: element type
   */
  astype(options: { readonly dtype?: DType | undefined } = {}): NdArray {
    return this.call("astype", [], { dtype: options.dtype });
  }

  /**
   * Zeros above diagonal k of the last two axes.
   *
   * - `k`: diagonal: 0 is the main one, positive ones lie above it
   */
  tril(options: { readonly k?: number | undefined } = {}): NdArray {
    return this.call("tril", [], { k: options.k });
  }

  /**
   * Zeros below diagonal k of the last two axes.
   *
   * - `k`: diagonal: 0 is the main one, positive ones lie above it
   */
  triu(options: { readonly k?: number | undefined } = {}): NdArray {
    return this.call("triu", [], { k: options.k });
  }

  /**
   * A matrix with the row x on diagonal k, or diagonal k of the matrix x.
   *
   * - `k`: diagonal: 0 is the main one, positive ones lie above it
   */
  diag(options: { readonly k?: number | undefined } = {}): NdArray {
    return this.call("diag", [], { k: options.k });
  }

  /**
   * A matrix with all elements on diagonal k.
   *
   * - `k`: diagonal: 0 is the main one, positive ones lie above it
   */
  diagflat(options: { readonly k?: number | undefined } = {}): NdArray {
    return this.call("diagflat", [], { k: options.k });
  }

  /**
   * A diagonal of the matrices in two axes, as the last axis of the result.
   *
   * - `offset`: diagonal; 0 unless told
   *
   * - `axis1`: axis of the rows; 0 unless told
   *
   * - `axis2`: axis of the columns; 1 unless told
   */
  diagonal(options: { readonly offset?: number | undefined; readonly axis1?: number | undefined; readonly axis2?: number | undefined } = {}): NdArray {
    return this.call("diagonal", [], { offset: options.offset, axis1: options.axis1, axis2: options.axis2 });
  }

  /**
   * A copy with values on the main diagonal, repeated as often as needed.
   *
   * - `wrap`: whether the diagonal of a tall matrix starts again
   */
  fillDiagonal(values: Operand, options: { readonly wrap?: boolean | undefined } = {}): NdArray {
    return this.call("fill_diagonal", [values], { wrap: options.wrap });
  }

  /**
   * The powers of the elements of a row, one row each, highest first.
   *
   * - `n`: number of columns; as many as elements unless told
   *
   * - `increasing`: lowest power first
   */
  vander(options: { readonly n?: number | undefined; readonly increasing?: boolean | undefined } = {}): NdArray {
    return this.call("vander", [], { n: options.n, increasing: options.increasing });
  }

  /**
   * The elements in another shape of any size: repeated from the start, or cut off.
   *
   * - `shape`: sizes of the axes
   */
  resize(options: { readonly shape: number | readonly number[] }): NdArray {
    return this.call("resize", [], { shape: options.shape });
  }

  /**
   * One axis.
   */
  ravel(): NdArray {
    return this.call("ravel", [], {});
  }

  /**
   * Axes moved to other positions; the others keep their order.
   *
   * - `source`: axes to move
   *
   * - `destination`: where each goes
   */
  moveaxis(options: { readonly source?: number | readonly number[] | undefined; readonly destination?: number | readonly number[] | undefined } = {}): NdArray {
    return this.call("moveaxis", [], { source: options.source, destination: options.destination });
  }

  /**
   * An axis moved back until it lies before the one at start.
   *
   * - `axis`: axis
   *
   * - `start`: 0 unless told
   */
  rollaxis(options: { readonly axis?: number | undefined; readonly start?: number | undefined } = {}): NdArray {
    return this.call("rollaxis", [], { axis: options.axis, start: options.start });
  }

  /**
   * Two axes exchanged.
   *
   * - `axis1`: an axis
   *
   * - `axis2`: another
   */
  swapaxes(options: { readonly axis1?: number | undefined; readonly axis2?: number | undefined } = {}): NdArray {
    return this.call("swapaxes", [], { axis1: options.axis1, axis2: options.axis2 });
  }

  /**
   * Axes in another order.
   *
   * - `axes`: axes in their new order; reversed unless told
   */
  permuteDims(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined } = {}): NdArray {
    return this.call("permute_dims", [], { axes: axesOf("permute_dims", options) });
  }

  /**
   * The last two axes exchanged.
   */
  matrixTranspose(): NdArray {
    return this.call("matrix_transpose", [], {});
  }

  /**
   * With at least one axis.
   */
  atleast1d(): NdArray {
    return this.call("atleast_1d", [], {});
  }

  /**
   * With at least two axes; a row becomes a matrix of one row.
   */
  atleast2d(): NdArray {
    return this.call("atleast_2d", [], {});
  }

  /**
   * With at least three axes.
   */
  atleast3d(): NdArray {
    return this.call("atleast_3d", [], {});
  }

  /**
   * The second axis in reverse.
   */
  fliplr(): NdArray {
    return this.call("fliplr", [], {});
  }

  /**
   * The first axis in reverse.
   */
  flipud(): NdArray {
    return this.call("flipud", [], {});
  }

  /**
   * Elements moved along axes, those that leave at one end coming back at the other.
   *
   * - `shift`: how far, for each axis or for all
   *
   * - `axes`: which axes; in row-major order without any
   */
  roll(options: { readonly shift?: number | readonly number[] | undefined; readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined } = {}): NdArray {
    return this.call("roll", [], { shift: options.shift, axes: axesOf("roll", options) });
  }

  /**
   * Turned by quarters in the plane of two axes.
   *
   * - `k`: how many quarter turns; 1 unless told
   *
   * - `axes`: the plane; 0 and 1 unless told
   */
  rot90(options: { readonly k?: number | undefined; readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined } = {}): NdArray {
    return this.call("rot90", [], { k: options.k, axes: axesOf("rot90", options) });
  }

  /**
   * Each element several times, along an axis or in row-major order.
   *
   * - `repeats`: how often, for all elements or for each of the axis
   *
   * - `axis`: axis
   */
  repeat(options: { readonly repeats: number | readonly number[]; readonly axis?: number | undefined }): NdArray {
    return this.call("repeat", [], { repeats: options.repeats, axis: options.axis });
  }

  /**
   * The whole array several times along its axes.
   *
   * - `reps`: how often along each axis
   */
  tile(options: { readonly reps: number | readonly number[] }): NdArray {
    return this.call("tile", [], { reps: options.reps });
  }

  /**
   * With borders. values, for constant and linear_ramp, are 0 unless given and broadcast to [n_axes, 2].
   *
   * - `widths`: one number for all borders, two for before and after every axis, or two for each axis
   *
   * - `mode`: what the borders hold; constant unless told
   *
   * - `parity`: for reflect and symmetric: as it is, or as twice the edge minus it; even unless told
   *
   * - `statLength`: for maximum, minimum, mean and median: how many elements next to the edge; all unless told
   */
  pad(options: { readonly values?: Operand | undefined; readonly widths: number | readonly number[]; readonly mode?: "constant" | "edge" | "linear_ramp" | "maximum" | "mean" | "median" | "minimum" | "reflect" | "symmetric" | "wrap" | "empty" | undefined; readonly parity?: "even" | "odd" | undefined; readonly statLength?: number | undefined }): NdArray {
    return this.call("pad", given("pad", [options.values]), { widths: options.widths, mode: options.mode, parity: options.parity, stat_length: options.statLength });
  }

  /**
   * With values at the end of an axis; without one, all elements in one row.
   *
   * - `axis`: axis
   */
  append(values: Operand, options: { readonly axis?: number | undefined } = {}): NdArray {
    return this.call("append", [values], { axis: options.axis });
  }

  /**
   * With values before elements of an axis, or of all elements in one row.
   *
   * - `position`: where all values go
   *
   * - `positions`: where each goes, instead
   *
   * - `axis`: axis
   */
  insert(values: Operand, options: { readonly position?: number | undefined; readonly positions?: number | readonly number[] | undefined; readonly axis?: number | undefined } = {}): NdArray {
    return this.call("insert", [values], { position: options.position, positions: options.positions, axis: options.axis });
  }

  /**
   * Without the elements at positions of an axis, or of all elements in one row.
   *
   * - `positions`: positions in the axis
   *
   * - `start`: start of a range, instead
   *
   * - `stop`: its end
   *
   * - `step`: its step
   *
   * - `axis`: axis
   */
  delete(options: { readonly positions?: number | readonly number[] | undefined; readonly start?: number | undefined; readonly stop?: number | undefined; readonly step?: number | undefined; readonly axis?: number | undefined } = {}): NdArray {
    return this.call("delete", [], { positions: options.positions, start: options.start, stop: options.stop, step: options.step, axis: options.axis });
  }

  /**
   * The parts of an axis, the first unless told, which disappears.
   *
   * - `axis`: axis
   */
  unstack(options: { readonly axis?: number | undefined } = {}): NdArray[] {
    return this.callMany("unstack", [], { axis: options.axis });
  }

  /**
   * Parts of equal size along an axis, or those between positions.
   *
   * - `sections`: how many parts
   *
   * - `indices`: where to cut, instead
   *
   * - `axis`: axis
   */
  split(options: { readonly sections?: number | undefined; readonly indices?: number | readonly number[] | undefined; readonly axis?: number | undefined } = {}): NdArray[] {
    return this.callMany("split", [], { sections: options.sections, indices: options.indices, axis: options.axis });
  }

  /**
   * Parts along an axis whose sizes differ by one at most, or those between positions.
   *
   * - `sections`: how many parts
   *
   * - `indices`: where to cut, instead
   *
   * - `axis`: axis
   */
  arraySplit(options: { readonly sections?: number | undefined; readonly indices?: number | readonly number[] | undefined; readonly axis?: number | undefined } = {}): NdArray[] {
    return this.callMany("array_split", [], { sections: options.sections, indices: options.indices, axis: options.axis });
  }

  /**
   * Parts along the second axis, of a row along its only one.
   *
   * - `sections`: how many parts
   *
   * - `indices`: where to cut, instead
   */
  hsplit(options: { readonly sections?: number | undefined; readonly indices?: number | readonly number[] | undefined } = {}): NdArray[] {
    return this.callMany("hsplit", [], { sections: options.sections, indices: options.indices });
  }

  /**
   * Parts along the first axis of a matrix.
   *
   * - `sections`: how many parts
   *
   * - `indices`: where to cut, instead
   */
  vsplit(options: { readonly sections?: number | undefined; readonly indices?: number | readonly number[] | undefined } = {}): NdArray[] {
    return this.callMany("vsplit", [], { sections: options.sections, indices: options.indices });
  }

  /**
   * Parts along the third axis.
   *
   * - `sections`: how many parts
   *
   * - `indices`: where to cut, instead
   */
  dsplit(options: { readonly sections?: number | undefined; readonly indices?: number | readonly number[] | undefined } = {}): NdArray[] {
    return this.callMany("dsplit", [], { sections: options.sections, indices: options.indices });
  }

  /**
   * Without the zeros before the first and after the last other element, along every axis.
   *
   * - `trim`: where: at the front, the back or both; both unless told
   */
  async trimZeros(options: { readonly trim?: "fb" | "f" | "b" | undefined } = {}): Promise<NdArray> {
    const [only] = await this.callLater("trim_zeros", [], { trim: options.trim });
    return only as NdArray;
  }

  /**
   * The elements an index names, in NumPy's way; for masks see get_later.
   *
   * - `index`: entries as Python has them, such as "1, ::2, ..., None, @1", where @k is input k: positions or a mask
   */
  get(arrays: readonly Operand[], options: { readonly index: string }): NdArray {
    return this.call("get", [...arrays], { index: options.index });
  }

  /**
   * Like get, also through masks.
   *
   * - `index`: entries as Python has them, such as "1, ::2, ..., None, @1", where @k is input k: positions or a mask
   */
  async getLater(arrays: readonly Operand[], options: { readonly index: string }): Promise<NdArray> {
    const [only] = await this.callLater("get_later", [...arrays], { index: options.index });
    return only as NdArray;
  }

  /**
   * A copy in which the elements an index names are values, the last input, which broadcast.
   *
   * - `index`: entries as Python has them, such as "1, ::2, ..., None, @1", where @k is input k: positions or a mask
   */
  set(arrays: readonly Operand[], values: Operand, options: { readonly index: string }): NdArray {
    return this.call("set", [...arrays, values], { index: options.index });
  }

  /**
   * A copy in which values, the last input, were added to the elements an index names, as often as it names them.
   *
   * - `index`: entries as Python has them, such as "1, ::2, ..., None, @1", where @k is input k: positions or a mask
   */
  addAt(arrays: readonly Operand[], values: Operand, options: { readonly index: string }): NdArray {
    return this.call("add_at", [...arrays, values], { index: options.index });
  }

  /**
   * Elements at positions of an axis, or of all elements in one row.
   *
   * - `axis`: axis
   *
   * - `mode`: what happens to positions out of range: they are moved to the nearest end, also those before the start, or start again; nearest unless told
   */
  take(indices: Operand, options: { readonly axis?: number | undefined; readonly mode?: "nearest" | "clip" | "wrap" | undefined } = {}): NdArray {
    return this.call("take", [indices], { axis: options.axis, mode: options.mode });
  }

  /**
   * For every place of indices, the element it names along an axis and that lies there otherwise.
   *
   * - `axis`: axis
   */
  takeAlongAxis(indices: Operand, options: { readonly axis?: number | undefined } = {}): NdArray {
    return this.call("take_along_axis", [indices], { axis: options.axis });
  }

  /**
   * A copy in which the elements at row-major positions are values, repeated as often as needed.
   *
   * - `mode`: what happens to positions out of range: they are moved to the nearest end, also those before the start, or start again; nearest unless told
   */
  put(indices: Operand, values: Operand, options: { readonly mode?: "nearest" | "clip" | "wrap" | undefined } = {}): NdArray {
    return this.call("put", [indices, values], { mode: options.mode });
  }

  /**
   * A copy in which, for every place of indices, the element it names along an axis is that of values there.
   *
   * - `axis`: axis
   */
  putAlongAxis(indices: Operand, values: Operand, options: { readonly axis?: number | undefined } = {}): NdArray {
    return this.call("put_along_axis", [indices, values], { axis: options.axis });
  }

  /**
   * A copy in which the k-th element for which mask is true is the k-th of values, repeated as often as needed.
   */
  place(mask: Operand, values: Operand): NdArray {
    return this.call("place", [mask, values], {});
  }

  /**
   * A copy in which elements for which mask is true are those of values at the same place, repeated as often as needed.
   */
  putmask(mask: Operand, values: Operand): NdArray {
    return this.call("putmask", [mask, values], {});
  }

  /**
   * The parts of an axis, or of all elements in one row, for which condition is true.
   *
   * - `axis`: axis
   */
  async compress(condition: Operand, options: { readonly axis?: number | undefined } = {}): Promise<NdArray> {
    const [only] = await this.callLater("compress", [condition], { axis: options.axis });
    return only as NdArray;
  }

  /**
   * The elements for which condition is true, in row-major order.
   */
  async extract(condition: Operand): Promise<NdArray> {
    const [only] = await this.callLater("extract", [condition], {});
    return only as NdArray;
  }

  /**
   * At every place the element of the choice that x names there.
   *
   * - `mode`: what happens to positions out of range: they are moved to the nearest end, also those before the start, or start again; nearest unless told
   */
  choose(choices: readonly Operand[], options: { readonly mode?: "nearest" | "clip" | "wrap" | undefined } = {}): NdArray {
    return this.call("choose", [...choices], { mode: options.mode });
  }

  /**
   * Elements of the type of x, of the value of the last condition that holds: conditions and values in turn, then what is there where none holds, 0 unless given.
   */
  piecewise(condition: Operand, value: Operand, more: readonly Operand[]): NdArray {
    return this.call("piecewise", [condition, value, ...more], {});
  }

  /**
   * Where elements are not 0: one row of positions for each axis.
   */
  async nonzero(): Promise<NdArray[]> {
    return await this.callLater("nonzero", [], {});
  }

  /**
   * Where elements are not 0: a row of positions for each of them.
   */
  async argwhere(): Promise<NdArray> {
    const [only] = await this.callLater("argwhere", [], {});
    return only as NdArray;
  }

  /**
   * Where elements in row-major order are not 0.
   */
  async flatnonzero(): Promise<NdArray> {
    const [only] = await this.callLater("flatnonzero", [], {});
    return only as NdArray;
  }

  /**
   * How many elements are not 0.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   */
  countNonzero(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("count_nonzero", [], { axes: axesOf("count_nonzero", options), keep_axes: options.keepAxes });
  }

  /**
   * Position of the smallest element along an axis, or of all in row-major order.
   *
   * - `axis`: axis
   *
   * - `keepAxes`: whether reduced axes stay
   */
  argmin(options: { readonly axis?: number | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("argmin", [], { axis: options.axis, keep_axes: options.keepAxes });
  }

  /**
   * Position of the largest element along an axis, or of all in row-major order.
   *
   * - `axis`: axis
   *
   * - `keepAxes`: whether reduced axes stay
   */
  argmax(options: { readonly axis?: number | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("argmax", [], { axis: options.axis, keep_axes: options.keepAxes });
  }

  /**
   * Elements along an axis in order. Equal elements keep their order; NaN comes last in either order.
   *
   * - `axis`: axis; the last unless told
   *
   * - `flat`: whether all elements are one row, instead of an axis
   *
   * - `descending`: whether the largest comes first
   *
   * - `stable`: accepted, and always so
   *
   * - `order`: the same as descending, by name
   *
   * - `output`: the elements, or their positions along the axis; values unless told
   */
  sort(options: { readonly axis?: number | undefined; readonly flat?: boolean | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined; readonly order?: "ascending" | "descending" | undefined; readonly output?: "values" | "indices" | undefined } = {}): NdArray {
    return this.call("sort", [], { axis: options.axis, flat: options.flat, descending: options.descending, stable: options.stable, order: options.order, output: options.output });
  }

  /**
   * The positions along an axis of the elements in order, the first of equals first.
   *
   * - `axis`: axis; the last unless told
   *
   * - `flat`: whether all elements are one row, instead of an axis
   *
   * - `descending`: whether the largest comes first
   *
   * - `stable`: accepted, and always so
   *
   * - `order`: the same as descending, by name
   */
  argsort(options: { readonly axis?: number | undefined; readonly flat?: boolean | undefined; readonly descending?: boolean | undefined; readonly stable?: boolean | undefined; readonly order?: "ascending" | "descending" | undefined } = {}): NdArray {
    return this.call("argsort", [], { axis: options.axis, flat: options.flat, descending: options.descending, stable: options.stable, order: options.order });
  }

  /**
   * Elements along an axis so that those at kth are where a sort puts them: all are sorted.
   *
   * - `kth`: which positions of the sorted axis
   *
   * - `axis`: axis; the last unless told
   *
   * - `flat`: whether all elements are one row, instead of an axis
   */
  partition(options: { readonly kth?: number | readonly number[] | undefined; readonly axis?: number | undefined; readonly flat?: boolean | undefined } = {}): NdArray {
    return this.call("partition", [], { kth: options.kth, axis: options.axis, flat: options.flat });
  }

  /**
   * The positions of the elements of partition.
   *
   * - `kth`: which positions of the sorted axis
   *
   * - `axis`: axis; the last unless told
   *
   * - `flat`: whether all elements are one row, instead of an axis
   */
  argpartition(options: { readonly kth?: number | readonly number[] | undefined; readonly axis?: number | undefined; readonly flat?: boolean | undefined } = {}): NdArray {
    return this.call("argpartition", [], { kth: options.kth, axis: options.axis, flat: options.flat });
  }

  /**
   * The distinct elements in ascending order; NaN is one value, the last.
   */
  async unique(): Promise<NdArray> {
    const [only] = await this.callLater("unique", [], {});
    return only as NdArray;
  }

  /**
   * The distinct elements in ascending order, every NaN on its own.
   */
  async uniqueValues(): Promise<NdArray> {
    const [only] = await this.callLater("unique_values", [], {});
    return only as NdArray;
  }

  /**
   * The distinct elements in ascending order, and how often each occurs.
   */
  async uniqueCounts(): Promise<{ values: NdArray; counts: NdArray }> {
    const [values, counts] = (await this.callLater("unique_counts", [], {})) as [NdArray, NdArray];
    return { values, counts };
  }

  /**
   * The distinct elements in ascending order, and where each element is among them.
   */
  async uniqueInverse(): Promise<{ values: NdArray; inverse: NdArray }> {
    const [values, inverse] = (await this.callLater("unique_inverse", [], {})) as [NdArray, NdArray];
    return { values, inverse };
  }

  /**
   * The distinct elements in ascending order, where each occurs first, where each element is among them, and how often each occurs.
   */
  async uniqueAll(): Promise<{ values: NdArray; indices: NdArray; inverse: NdArray; counts: NdArray }> {
    const [values, indices, inverse, counts] = (await this.callLater("unique_all", [], {})) as [NdArray, NdArray, NdArray, NdArray];
    return { values, indices, inverse, counts };
  }

  /**
   * Where each element is also one of others. NaN is none of them.
   *
   * - `invert`: where it is not, instead
   */
  isin(others: Operand, options: { readonly invert?: boolean | undefined } = {}): NdArray {
    return this.call("isin", [others], { invert: options.invert });
  }

  /**
   * Like isin, in one row.
   *
   * - `invert`: where it is not, instead
   */
  in1d(others: Operand, options: { readonly invert?: boolean | undefined } = {}): NdArray {
    return this.call("in1d", [others], { invert: options.invert });
  }

  /**
   * The distinct elements of both, in ascending order.
   */
  async intersect1d(other: Operand): Promise<NdArray> {
    const [only] = await this.callLater("intersect1d", [other], {});
    return only as NdArray;
  }

  /**
   * The distinct elements of either, in ascending order.
   */
  async union1d(other: Operand): Promise<NdArray> {
    const [only] = await this.callLater("union1d", [other], {});
    return only as NdArray;
  }

  /**
   * The distinct elements that are not in other, in ascending order.
   */
  async setdiff1d(other: Operand): Promise<NdArray> {
    const [only] = await this.callLater("setdiff1d", [other], {});
    return only as NdArray;
  }

  /**
   * The distinct elements that are in one of both only, in ascending order.
   */
  async setxor1d(other: Operand): Promise<NdArray> {
    const [only] = await this.callLater("setxor1d", [other], {});
    return only as NdArray;
  }

  /**
   * Eight elements as the bits of one byte, an int32; zeros are added at the end.
   *
   * - `axis`: axis
   *
   * - `bitorder`: which bit comes first; big unless told
   */
  packbits(options: { readonly axis?: number | undefined; readonly bitorder?: "big" | "little" | undefined } = {}): NdArray {
    return this.call("packbits", [], { axis: options.axis, bitorder: options.bitorder });
  }

  /**
   * The bits of bytes, as int32.
   *
   * - `axis`: axis
   *
   * - `bitorder`: which bit comes first; big unless told
   */
  unpackbits(options: { readonly axis?: number | undefined; readonly bitorder?: "big" | "little" | undefined } = {}): NdArray {
    return this.call("unpackbits", [], { axis: options.axis, bitorder: options.bitorder });
  }

  /**
   * Difference.
   */
  subtract(y: Operand): NdArray {
    return this.call("subtract", [y], {});
  }

  /**
   * Product.
   */
  multiply(y: Operand): NdArray {
    return this.call("multiply", [y], {});
  }

  /**
   * Quotient, of floats.
   */
  divide(y: Operand): NdArray {
    return this.call("divide", [y], {});
  }

  /**
   * Quotient, of floats.
   */
  trueDivide(y: Operand): NdArray {
    return this.call("true_divide", [y], {});
  }

  /**
   * Quotient rounded down. Integers divided by 0 give 0.
   */
  floorDivide(y: Operand): NdArray {
    return this.call("floor_divide", [y], {});
  }

  /**
   * Remainder with the sign of the divisor.
   */
  remainder(y: Operand): NdArray {
    return this.call("remainder", [y], {});
  }

  /**
   * Remainder with the sign of the divisor.
   */
  mod(y: Operand): NdArray {
    return this.call("mod", [y], {});
  }

  /**
   * The element with the other sign.
   */
  negative(): NdArray {
    return this.call("negative", [], {});
  }

  /**
   * Absolute value.
   */
  absolute(): NdArray {
    return this.call("absolute", [], {});
  }

  /**
   * Absolute value.
   */
  fabs(): NdArray {
    return this.call("fabs", [], {});
  }

  /**
   * Power, of floats.
   */
  floatPower(y: Operand): NdArray {
    return this.call("float_power", [y], {});
  }

  /**
   * One over the element, of floats.
   */
  reciprocal(): NdArray {
    return this.call("reciprocal", [], {});
  }

  /**
   * Inverse sine.
   */
  arcsin(): NdArray {
    return this.call("arcsin", [], {});
  }

  /**
   * Inverse cosine.
   */
  arccos(): NdArray {
    return this.call("arccos", [], {});
  }

  /**
   * Inverse tangent.
   */
  arctan(): NdArray {
    return this.call("arctan", [], {});
  }

  /**
   * Angle of the point (y, x), from -pi to pi.
   */
  arctan2(y: Operand): NdArray {
    return this.call("arctan2", [y], {});
  }

  /**
   * Inverse hyperbolic sine.
   */
  arcsinh(): NdArray {
    return this.call("arcsinh", [], {});
  }

  /**
   * Inverse hyperbolic cosine.
   */
  arccosh(): NdArray {
    return this.call("arccosh", [], {});
  }

  /**
   * Inverse hyperbolic tangent.
   */
  arctanh(): NdArray {
    return this.call("arctanh", [], {});
  }

  /**
   * Whether both are equal.
   */
  equal(y: Operand): NdArray {
    return this.call("equal", [y], {});
  }

  /**
   * Whether they differ.
   */
  notEqual(y: Operand): NdArray {
    return this.call("not_equal", [y], {});
  }

  /**
   * Whether the first is smaller.
   */
  less(y: Operand): NdArray {
    return this.call("less", [y], {});
  }

  /**
   * Whether the first is not larger.
   */
  lessEqual(y: Operand): NdArray {
    return this.call("less_equal", [y], {});
  }

  /**
   * Whether the first is larger.
   */
  greater(y: Operand): NdArray {
    return this.call("greater", [y], {});
  }

  /**
   * Whether the first is not smaller.
   */
  greaterEqual(y: Operand): NdArray {
    return this.call("greater_equal", [y], {});
  }

  /**
   * Whether both are true (not 0).
   */
  logicalAnd(y: Operand): NdArray {
    return this.call("logical_and", [y], {});
  }

  /**
   * Whether one is true (not 0).
   */
  logicalOr(y: Operand): NdArray {
    return this.call("logical_or", [y], {});
  }

  /**
   * Whether exactly one is true (not 0).
   */
  logicalXor(y: Operand): NdArray {
    return this.call("logical_xor", [y], {});
  }

  /**
   * Whether the element is false (0).
   */
  logicalNot(): NdArray {
    return this.call("logical_not", [], {});
  }

  /**
   * Whether it is NaN.
   */
  isnan(): NdArray {
    return this.call("isnan", [], {});
  }

  /**
   * Whether it is infinite.
   */
  isinf(): NdArray {
    return this.call("isinf", [], {});
  }

  /**
   * Whether it is neither infinite nor NaN.
   */
  isfinite(): NdArray {
    return this.call("isfinite", [], {});
  }

  /**
   * Bits moved up; zeros follow.
   */
  bitwiseLeftShift(y: Operand): NdArray {
    return this.call("bitwise_left_shift", [y], {});
  }

  /**
   * Bits moved up; zeros follow.
   */
  leftShift(y: Operand): NdArray {
    return this.call("left_shift", [y], {});
  }

  /**
   * Bits moved down; the sign follows.
   */
  bitwiseRightShift(y: Operand): NdArray {
    return this.call("bitwise_right_shift", [y], {});
  }

  /**
   * Bits moved down; the sign follows.
   */
  rightShift(y: Operand): NdArray {
    return this.call("right_shift", [y], {});
  }

  /**
   * The element itself.
   */
  positive(): NdArray {
    return this.call("positive", [], {});
  }

  /**
   * Remainder with the sign of the dividend.
   */
  fmod(y: Operand): NdArray {
    return this.call("fmod", [y], {});
  }

  /**
   * Quotient rounded down, and remainder with the sign of the divisor.
   */
  divmod(y: Operand): { quotient: NdArray; remainder: NdArray } {
    const [quotient, remainder] = (this.callMany("divmod", [y], {})) as [NdArray, NdArray];
    return { quotient, remainder };
  }

  /**
   * Power. Integers to a negative power are truncated.
   */
  power(y: Operand): NdArray {
    return this.call("power", [y], {});
  }

  /**
   * Logarithm of the sum of exponentials.
   */
  logaddexp(y: Operand): NdArray {
    return this.call("logaddexp", [y], {});
  }

  /**
   * Logarithm to base 2 of the sum of powers of 2.
   */
  logaddexp2(y: Operand): NdArray {
    return this.call("logaddexp2", [y], {});
  }

  /**
   * The larger one; a number wins against NaN.
   */
  fmax(y: Operand): NdArray {
    return this.call("fmax", [y], {});
  }

  /**
   * The smaller one; a number wins against NaN.
   */
  fmin(y: Operand): NdArray {
    return this.call("fmin", [y], {});
  }

  /**
   * Radians of degrees.
   */
  deg2rad(): NdArray {
    return this.call("deg2rad", [], {});
  }

  /**
   * Radians of degrees.
   */
  radians(): NdArray {
    return this.call("radians", [], {});
  }

  /**
   * Degrees of radians.
   */
  rad2deg(): NdArray {
    return this.call("rad2deg", [], {});
  }

  /**
   * Degrees of radians.
   */
  degrees(): NdArray {
    return this.call("degrees", [], {});
  }

  /**
   * Nearest integer, ties to even, as a float.
   */
  rint(): NdArray {
    return this.call("rint", [], {});
  }

  /**
   * Next integer towards zero; integers stay.
   */
  fix(): NdArray {
    return this.call("fix", [], {});
  }

  /**
   * Next integer below; integers stay.
   */
  floor(): NdArray {
    return this.call("floor", [], {});
  }

  /**
   * Next integer above; integers stay.
   */
  ceil(): NdArray {
    return this.call("ceil", [], {});
  }

  /**
   * Next integer towards zero; integers stay.
   */
  trunc(): NdArray {
    return this.call("trunc", [], {});
  }

  /**
   * To a number of decimals, ties to even; integers stay integers.
   *
   * - `decimals`: places after the point; before it if negative
   */
  round(options: { readonly decimals?: number | undefined } = {}): NdArray {
    return this.call("round", [], { decimals: options.decimals });
  }

  /**
   * To a number of decimals, ties to even; integers stay integers.
   *
   * - `decimals`: places after the point; before it if negative
   */
  around(options: { readonly decimals?: number | undefined } = {}): NdArray {
    return this.call("around", [], { decimals: options.decimals });
  }

  /**
   * Not below the lowest, not above the highest; each may be left out.
   *
   * - `min`: lowest result, if there is no array of them
   *
   * - `max`: highest result, if there is no array of them
   */
  clip(options: { readonly low?: Operand | undefined; readonly high?: Operand | undefined; readonly min?: number | undefined; readonly max?: number | undefined } = {}): NdArray {
    return this.call("clip", given("clip", [options.low, options.high]), { min: options.min, max: options.max });
  }

  /**
   * 0 below 0, 1 above, and the second argument at 0.
   */
  heaviside(atZero: Operand): NdArray {
    return this.call("heaviside", [atZero], {});
  }

  /**
   * Whether there is a minus sign.
   */
  signbit(): NdArray {
    return this.call("signbit", [], {});
  }

  /**
   * Whether it is minus infinity.
   */
  isneginf(): NdArray {
    return this.call("isneginf", [], {});
  }

  /**
   * Whether it is infinity.
   */
  isposinf(): NdArray {
    return this.call("isposinf", [], {});
  }

  /**
   * The next float in the direction of the second argument.
   */
  nextafter(y: Operand): NdArray {
    return this.call("nextafter", [y], {});
  }

  /**
   * Distance to the next float away from 0.
   */
  spacing(): NdArray {
    return this.call("spacing", [], {});
  }

  /**
   * Mantissa from 1/2 up to 1, and exponent of 2.
   */
  frexp(): { mantissa: NdArray; exponent: NdArray } {
    const [mantissa, exponent] = (this.callMany("frexp", [], {})) as [NdArray, NdArray];
    return { mantissa, exponent };
  }

  /**
   * The element times 2 to a whole power.
   */
  ldexp(exponent: Operand): NdArray {
    return this.call("ldexp", [exponent], {});
  }

  /**
   * Fraction and whole part.
   */
  modf(): { fraction: NdArray; whole: NdArray } {
    const [fraction, whole] = (this.callMany("modf", [], {})) as [NdArray, NdArray];
    return { fraction, whole };
  }

  /**
   * sin(pi x)/(pi x), 1 at 0.
   */
  sinc(): NdArray {
    return this.call("sinc", [], {});
  }

  /**
   * Modified Bessel function of the first kind, order 0.
   */
  i0(): NdArray {
    return this.call("i0", [], {});
  }

  /**
   * Greatest common divisor.
   */
  gcd(y: Operand): NdArray {
    return this.call("gcd", [y], {});
  }

  /**
   * Least common multiple.
   */
  lcm(y: Operand): NdArray {
    return this.call("lcm", [y], {});
  }

  /**
   * How many bits of the absolute value are 1.
   */
  bitwiseCount(): NdArray {
    return this.call("bitwise_count", [], {});
  }

  /**
   * Bits that are 1 in both.
   */
  bitwiseAnd(y: Operand): NdArray {
    return this.call("bitwise_and", [y], {});
  }

  /**
   * Bits that are 1 in one of them.
   */
  bitwiseOr(y: Operand): NdArray {
    return this.call("bitwise_or", [y], {});
  }

  /**
   * Bits that differ.
   */
  bitwiseXor(y: Operand): NdArray {
    return this.call("bitwise_xor", [y], {});
  }

  /**
   * All bits turned over.
   */
  bitwiseInvert(): NdArray {
    return this.call("bitwise_invert", [], {});
  }

  /**
   * All bits turned over.
   */
  bitwiseNot(): NdArray {
    return this.call("bitwise_not", [], {});
  }

  /**
   * All bits turned over.
   */
  invert(): NdArray {
    return this.call("invert", [], {});
  }

  /**
   * Whether both are nearly equal.
   *
   * - `rtol`: distance relative to the second number; 1e-5 unless told
   *
   * - `atol`: absolute distance; 1e-8 unless told
   *
   * - `equalNan`: whether NaN equals NaN
   */
  isclose(y: Operand, options: { readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined } = {}): NdArray {
    return this.call("isclose", [y], { rtol: options.rtol, atol: options.atol, equal_nan: options.equalNan });
  }

  /**
   * Whether all elements are nearly equal.
   *
   * - `rtol`: distance relative to the second number; 1e-5 unless told
   *
   * - `atol`: absolute distance; 1e-8 unless told
   *
   * - `equalNan`: whether NaN equals NaN
   */
  allclose(y: Operand, options: { readonly rtol?: number | undefined; readonly atol?: number | undefined; readonly equalNan?: boolean | undefined } = {}): NdArray {
    return this.call("allclose", [y], { rtol: options.rtol, atol: options.atol, equal_nan: options.equalNan });
  }

  /**
   * Whether shapes and all elements are equal.
   *
   * - `equalNan`: whether NaN equals NaN
   */
  arrayEqual(y: Operand, options: { readonly equalNan?: boolean | undefined } = {}): NdArray {
    return this.call("array_equal", [y], { equal_nan: options.equalNan });
  }

  /**
   * Whether both broadcast to the same elements.
   */
  arrayEquiv(y: Operand): NdArray {
    return this.call("array_equiv", [y], {});
  }

  /**
   * The middle element, or the mean of the two middle ones; NaN if there is a NaN.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   */
  median(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("median", [], { axes: axesOf("median", options), keep_axes: options.keepAxes });
  }

  /**
   * The value below which a fraction of the elements lies. Several fractions are an array, whose shape comes first.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   *
   * - `method`: how to choose between two elements; linear unless told
   */
  quantile(q: Operand, options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined; readonly method?: "linear" | "lower" | "higher" | "midpoint" | "nearest" | "inverted_cdf" | "averaged_inverted_cdf" | "closest_observation" | "interpolated_inverted_cdf" | "hazen" | "weibull" | "median_unbiased" | "normal_unbiased" | undefined } = {}): NdArray {
    return this.call("quantile", [q], { axes: axesOf("quantile", options), keep_axes: options.keepAxes, method: options.method });
  }

  /**
   * Quantiles of fractions in percent.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   *
   * - `method`: how to choose between two elements; linear unless told
   */
  percentile(q: Operand, options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined; readonly method?: "linear" | "lower" | "higher" | "midpoint" | "nearest" | "inverted_cdf" | "averaged_inverted_cdf" | "closest_observation" | "interpolated_inverted_cdf" | "hazen" | "weibull" | "median_unbiased" | "normal_unbiased" | undefined } = {}): NdArray {
    return this.call("percentile", [q], { axes: axesOf("percentile", options), keep_axes: options.keepAxes, method: options.method });
  }

  /**
   * Mean, weighted if there are weights: one for each element, or for each of an axis.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   */
  average(options: { readonly weights?: Operand | undefined; readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("average", given("average", [options.weights]), { axes: axesOf("average", options), keep_axes: options.keepAxes });
  }

  /**
   * Largest minus smallest element.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   */
  ptp(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("ptp", [], { axes: axesOf("ptp", options), keep_axes: options.keepAxes });
  }

  /**
   * Covariances of variables. An empty array stands for an input that is left out.
   *
   * - `rowvar`: whether rows are variables, and not columns; yes unless told
   *
   * - `bias`: whether sums are divided by the number of observations itself
   *
   * - `ddof`: what is taken off the number of observations; goes before bias
   */
  cov(options: { readonly y?: Operand | undefined; readonly fweights?: Operand | undefined; readonly aweights?: Operand | undefined; readonly rowvar?: boolean | undefined; readonly bias?: boolean | undefined; readonly ddof?: number | undefined } = {}): NdArray {
    return this.call("cov", given("cov", [options.y, options.fweights, options.aweights]), { rowvar: options.rowvar, bias: options.bias, ddof: options.ddof });
  }

  /**
   * Correlations of variables, from -1 to 1.
   *
   * - `rowvar`: whether rows are variables, and not columns; yes unless told
   */
  corrcoef(options: { readonly y?: Operand | undefined; readonly rowvar?: boolean | undefined } = {}): NdArray {
    return this.call("corrcoef", given("corrcoef", [options.y]), { rowvar: options.rowvar });
  }

  /**
   * Running sums.
   *
   * - `axis`: axis
   *
   * - `includeInitial`: whether the neutral element comes first
   */
  cumulativeSum(options: { readonly axis?: number | undefined; readonly includeInitial?: boolean | undefined } = {}): NdArray {
    return this.call("cumulative_sum", [], { axis: options.axis, include_initial: options.includeInitial });
  }

  /**
   * Running products.
   *
   * - `axis`: axis
   *
   * - `includeInitial`: whether the neutral element comes first
   */
  cumulativeProd(options: { readonly axis?: number | undefined; readonly includeInitial?: boolean | undefined } = {}): NdArray {
    return this.call("cumulative_prod", [], { axis: options.axis, include_initial: options.includeInitial });
  }

  /**
   * The edges of the bins of a histogram.
   *
   * - `low`: lowest edge; the smallest element unless told
   *
   * - `high`: highest edge; the largest element unless told
   */
  histogramBinEdges(options: { readonly bins?: Operand | undefined; readonly low?: number | undefined; readonly high?: number | undefined } = {}): NdArray {
    return this.call("histogram_bin_edges", given("histogram_bin_edges", [options.bins]), { low: options.low, high: options.high });
  }

  /**
   * How many points fall into each bin of a grid. One number of bins or array of edges is for both axes.
   *
   * - `xLow`: lowest edge of the first axis
   *
   * - `xHigh`: highest edge of the first axis
   *
   * - `yLow`: lowest edge of the second axis
   *
   * - `yHigh`: highest edge of the second axis
   *
   * - `density`: densities instead of counts
   */
  histogram2d(y: Operand, options: { readonly xBins?: Operand | undefined; readonly yBins?: Operand | undefined; readonly weights?: Operand | undefined; readonly xLow?: number | undefined; readonly xHigh?: number | undefined; readonly yLow?: number | undefined; readonly yHigh?: number | undefined; readonly density?: boolean | undefined } = {}): { counts: NdArray; xEdges: NdArray; yEdges: NdArray } {
    const [counts, xEdges, yEdges] = (this.callMany("histogram2d", given("histogram2d", [y, options.xBins, options.yBins, options.weights]), { x_low: options.xLow, x_high: options.xHigh, y_low: options.yLow, y_high: options.yHigh, density: options.density })) as [NdArray, NdArray, NdArray];
    return { counts, xEdges, yEdges };
  }

  /**
   * How many rows of an array [points, axes] fall into each bin of a grid: numbers of bins or arrays of edges, one for each axis or one for all. An empty array stands for weights that are left out.
   *
   * - `density`: densities instead of counts
   */
  histogramdd(bins: readonly Operand[], options: { readonly weights?: Operand | undefined; readonly density?: boolean | undefined } = {}): { counts: NdArray; edges: NdArray[] } {
    const [counts, ...edges] = (this.callMany("histogramdd", given("histogramdd", [options.weights, ...bins]), { density: options.density })) as [NdArray, ...NdArray[]];
    return { counts, edges };
  }

  /**
   * How often each integer from 0 on occurs, or the sum of the weights there. The number of results is read from the data unless n_bins says it.
   *
   * - `minlength`: how many counts there are at least
   *
   * - `nBins`: how many counts there are; larger integers are left out
   */
  async bincount(options: { readonly weights?: Operand | undefined; readonly minlength?: number | undefined; readonly nBins?: number | undefined } = {}): Promise<NdArray> {
    const [only] = await this.callLater("bincount", given("bincount", [options.weights]), { minlength: options.minlength, n_bins: options.nBins });
    return only as NdArray;
  }

  /**
   * The number of the bin each element falls into, for ascending or descending edges; 0 is before the first edge.
   *
   * - `right`: whether a bin holds its right edge, and not its left one
   */
  digitize(bins: Operand, options: { readonly right?: boolean | undefined } = {}): NdArray {
    return this.call("digitize", [bins], { right: options.right });
  }

  /**
   * Sum of what is not NaN.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   */
  nansum(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("nansum", [], { axes: axesOf("nansum", options), keep_axes: options.keepAxes });
  }

  /**
   * Product of what is not NaN.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   */
  nanprod(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("nanprod", [], { axes: axesOf("nanprod", options), keep_axes: options.keepAxes });
  }

  /**
   * Smallest of what is not NaN.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   */
  nanmin(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("nanmin", [], { axes: axesOf("nanmin", options), keep_axes: options.keepAxes });
  }

  /**
   * Largest of what is not NaN.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   */
  nanmax(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("nanmax", [], { axes: axesOf("nanmax", options), keep_axes: options.keepAxes });
  }

  /**
   * Mean of what is not NaN.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   */
  nanmean(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("nanmean", [], { axes: axesOf("nanmean", options), keep_axes: options.keepAxes });
  }

  /**
   * Variance of what is not NaN.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   *
   * - `correction`: what is taken off the number of elements; 0 unless told
   */
  nanvar(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined; readonly correction?: number | undefined } = {}): NdArray {
    return this.call("nanvar", [], { axes: axesOf("nanvar", options), keep_axes: options.keepAxes, correction: options.correction });
  }

  /**
   * Standard deviation of what is not NaN.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   *
   * - `correction`: what is taken off the number of elements; 0 unless told
   */
  nanstd(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined; readonly correction?: number | undefined } = {}): NdArray {
    return this.call("nanstd", [], { axes: axesOf("nanstd", options), keep_axes: options.keepAxes, correction: options.correction });
  }

  /**
   * Median of what is not NaN.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   */
  nanmedian(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("nanmedian", [], { axes: axesOf("nanmedian", options), keep_axes: options.keepAxes });
  }

  /**
   * Quantiles of what is not NaN.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   *
   * - `method`: how to choose between two elements; linear unless told
   */
  nanquantile(q: Operand, options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined; readonly method?: "linear" | "lower" | "higher" | "midpoint" | "nearest" | "inverted_cdf" | "averaged_inverted_cdf" | "closest_observation" | "interpolated_inverted_cdf" | "hazen" | "weibull" | "median_unbiased" | "normal_unbiased" | undefined } = {}): NdArray {
    return this.call("nanquantile", [q], { axes: axesOf("nanquantile", options), keep_axes: options.keepAxes, method: options.method });
  }

  /**
   * Percentiles of what is not NaN.
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   *
   * - `method`: how to choose between two elements; linear unless told
   */
  nanpercentile(q: Operand, options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined; readonly method?: "linear" | "lower" | "higher" | "midpoint" | "nearest" | "inverted_cdf" | "averaged_inverted_cdf" | "closest_observation" | "interpolated_inverted_cdf" | "hazen" | "weibull" | "median_unbiased" | "normal_unbiased" | undefined } = {}): NdArray {
    return this.call("nanpercentile", [q], { axes: axesOf("nanpercentile", options), keep_axes: options.keepAxes, method: options.method });
  }

  /**
   * Position of the smallest element that is not NaN; 0 where all are.
   *
   * - `axis`: axis
   */
  nanargmin(options: { readonly axis?: number | undefined } = {}): NdArray {
    return this.call("nanargmin", [], { axis: options.axis });
  }

  /**
   * Position of the largest element that is not NaN; 0 where all are.
   *
   * - `axis`: axis
   */
  nanargmax(options: { readonly axis?: number | undefined } = {}): NdArray {
    return this.call("nanargmax", [], { axis: options.axis });
  }

  /**
   * Running sums in which NaN counts as 0; of the flattened array without an axis.
   *
   * - `axis`: axis
   */
  nancumsum(options: { readonly axis?: number | undefined } = {}): NdArray {
    return this.call("nancumsum", [], { axis: options.axis });
  }

  /**
   * Running products in which NaN counts as 1; of the flattened array without an axis.
   *
   * - `axis`: axis
   */
  nancumprod(options: { readonly axis?: number | undefined } = {}): NdArray {
    return this.call("nancumprod", [], { axis: options.axis });
  }

  /**
   * Other numbers in the place of NaN and infinities.
   *
   * - `nan`: what stands for NaN; 0 unless told
   *
   * - `posinf`: what stands for infinity; the largest finite number unless told
   *
   * - `neginf`: what stands for minus infinity; the lowest finite number unless told
   */
  nanToNum(options: { readonly nan?: number | undefined; readonly posinf?: number | undefined; readonly neginf?: number | undefined } = {}): NdArray {
    return this.call("nan_to_num", [], { nan: options.nan, posinf: options.posinf, neginf: options.neginf });
  }

  /**
   * Differences of neighbors along an axis, the last unless told. An empty array stands for an input that is left out.
   *
   * - `n`: how many times; 1 unless told
   *
   * - `axis`: axis
   */
  diff(options: { readonly prepend?: Operand | undefined; readonly append?: Operand | undefined; readonly n?: number | undefined; readonly axis?: number | undefined } = {}): NdArray {
    return this.call("diff", given("diff", [options.prepend, options.append]), { n: options.n, axis: options.axis });
  }

  /**
   * Differences of neighbors of the flattened array, with other numbers before and after.
   */
  ediff1d(toBegin?: Operand, toEnd?: Operand): NdArray {
    return this.call("ediff1d", given("ediff1d", [toBegin, toEnd]), {});
  }

  /**
   * Slopes along each axis. A spacing is a number or an array of coordinates: one for all axes, or one for each.
   *
   * - `axes`: axes
   *
   * - `edgeOrder`: 1 or 2: slopes at the ends from two or three samples
   */
  gradient(spacing: readonly Operand[], options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly edgeOrder?: number | undefined } = {}): NdArray[] {
    return this.callMany("gradient", [...spacing], { axes: axesOf("gradient", options), edge_order: options.edgeOrder });
  }

  /**
   * Linear interpolation between points at ascending coordinates.
   *
   * - `left`: value left of all points; that of the first unless told
   *
   * - `right`: value right of all points; that of the last unless told
   *
   * - `period`: after which coordinates repeat
   */
  interp(xp: Operand, fp: Operand, options: { readonly left?: number | undefined; readonly right?: number | undefined; readonly period?: number | undefined } = {}): NdArray {
    return this.call("interp", [xp, fp], { left: options.left, right: options.right, period: options.period });
  }

  /**
   * Integral by trapezoids along an axis, the last unless told, between samples at coordinates or a distance apart.
   *
   * - `dx`: distance of samples; 1 unless told
   *
   * - `axis`: axis
   */
  trapezoid(options: { readonly at?: Operand | undefined; readonly dx?: number | undefined; readonly axis?: number | undefined } = {}): NdArray {
    return this.call("trapezoid", given("trapezoid", [options.at]), { dx: options.dx, axis: options.axis });
  }

  /**
   * Convolution of two rows; full unless told.
   *
   * - `mode`: wherever rows overlap, as many as the longer row has, or where the shorter lies within the longer
   */
  convolve(v: Operand, options: { readonly mode?: "full" | "same" | "valid" | undefined } = {}): NdArray {
    return this.call("convolve", [v], { mode: options.mode });
  }

  /**
   * Correlation of two rows; valid unless told.
   *
   * - `mode`: wherever rows overlap, as many as the longer row has, or where the shorter lies within the longer
   */
  correlate(v: Operand, options: { readonly mode?: "full" | "same" | "valid" | undefined } = {}): NdArray {
    return this.call("correlate", [v], { mode: options.mode });
  }

  /**
   * The real parts; real numbers as they are.
   */
  real(): NdArray {
    return this.call("real", [], {});
  }

  /**
   * The imaginary parts; zeros for real numbers.
   */
  imag(): NdArray {
    return this.call("imag", [], {});
  }

  /**
   * The complex conjugates; real numbers as they are.
   */
  conj(): NdArray {
    return this.call("conj", [], {});
  }

  /**
   * The same as conj.
   */
  conjugate(): NdArray {
    return this.call("conjugate", [], {});
  }

  /**
   * The angles of complex numbers from the positive real axis, in radians unless told.
   *
   * - `deg`: in degrees
   */
  angle(options: { readonly deg?: boolean | undefined } = {}): NdArray {
    return this.call("angle", [], { deg: options.deg });
  }

  /**
   * Pairs of floats in the last axis as complex numbers.
   */
  asComplex(): NdArray {
    return this.call("as_complex", [], {});
  }

  /**
   * The parts of complex numbers as floats, in a new last axis: real, then imaginary.
   */
  asPairs(): NdArray {
    return this.call("as_pairs", [], {});
  }

  /**
   * Fourier transform along an axis, the last unless told, as complex numbers.
   *
   * - `n`: number of points: more are left out, missing ones are 0; as many as there are unless told
   *
   * - `axis`: axis
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  fft(options: { readonly n?: number | undefined; readonly axis?: number | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("fft", [], { n: options.n, axis: options.axis, norm: options.norm });
  }

  /**
   * The inverse of fft.
   *
   * - `n`: number of points: more are left out, missing ones are 0; as many as there are unless told
   *
   * - `axis`: axis
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  ifft(options: { readonly n?: number | undefined; readonly axis?: number | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("ifft", [], { n: options.n, axis: options.axis, norm: options.norm });
  }

  /**
   * Fourier transform of n real numbers along an axis, the last unless told: the first n/2 + 1 points, as complex numbers. The others are their conjugates.
   *
   * - `n`: number of points: more are left out, missing ones are 0; as many as there are unless told
   *
   * - `axis`: axis
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  rfft(options: { readonly n?: number | undefined; readonly axis?: number | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("rfft", [], { n: options.n, axis: options.axis, norm: options.norm });
  }

  /**
   * The real numbers whose rfft this is.
   *
   * - `n`: number of real points; 2 (m - 1) for m complex ones unless told
   *
   * - `axis`: axis
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  irfft(options: { readonly n?: number | undefined; readonly axis?: number | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("irfft", [], { n: options.n, axis: options.axis, norm: options.norm });
  }

  /**
   * The real spectrum of a signal of which this is one half, the other being its conjugate.
   *
   * - `n`: number of real points; 2 (m - 1) for m complex ones unless told
   *
   * - `axis`: axis
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  hfft(options: { readonly n?: number | undefined; readonly axis?: number | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("hfft", [], { n: options.n, axis: options.axis, norm: options.norm });
  }

  /**
   * The inverse of hfft.
   *
   * - `n`: number of points: more are left out, missing ones are 0; as many as there are unless told
   *
   * - `axis`: axis
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  ihfft(options: { readonly n?: number | undefined; readonly axis?: number | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("ihfft", [], { n: options.n, axis: options.axis, norm: options.norm });
  }

  /**
   * Fourier transform along several axes, all of them unless told.
   *
   * - `axes`: axes
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  fftn(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("fftn", [], { axes: axesOf("fftn", options), norm: options.norm });
  }

  /**
   * The inverse of fftn.
   *
   * - `axes`: axes
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  ifftn(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("ifftn", [], { axes: axesOf("ifftn", options), norm: options.norm });
  }

  /**
   * rfft along the last of several axes, then fft along the others.
   *
   * - `axes`: axes
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  rfftn(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("rfftn", [], { axes: axesOf("rfftn", options), norm: options.norm });
  }

  /**
   * The inverse of rfftn; n is the number of real points along the last axis.
   *
   * - `n`: number of real points; 2 (m - 1) for m complex ones unless told
   *
   * - `axes`: axes
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  irfftn(options: { readonly n?: number | undefined; readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("irfftn", [], { n: options.n, axes: axesOf("irfftn", options), norm: options.norm });
  }

  /**
   * fftn along two axes, the last two unless told.
   *
   * - `axes`: axes
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  fft2(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("fft2", [], { axes: axesOf("fft2", options), norm: options.norm });
  }

  /**
   * The inverse of fft2.
   *
   * - `axes`: axes
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  ifft2(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("ifft2", [], { axes: axesOf("ifft2", options), norm: options.norm });
  }

  /**
   * rfftn along two axes, the last two unless told.
   *
   * - `axes`: axes
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  rfft2(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("rfft2", [], { axes: axesOf("rfft2", options), norm: options.norm });
  }

  /**
   * The inverse of rfft2; n is the number of real points along the last axis.
   *
   * - `n`: number of real points; 2 (m - 1) for m complex ones unless told
   *
   * - `axes`: axes
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  irfft2(options: { readonly n?: number | undefined; readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly norm?: "backward" | "ortho" | "forward" | undefined } = {}): NdArray {
    return this.call("irfft2", [], { n: options.n, axes: axesOf("irfft2", options), norm: options.norm });
  }

  /**
   * The frequency 0 moved from the beginning to the middle of axes, all of them unless told.
   *
   * - `axes`: axes
   */
  fftshift(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined } = {}): NdArray {
    return this.call("fftshift", [], { axes: axesOf("fftshift", options) });
  }

  /**
   * The inverse of fftshift.
   *
   * - `axes`: axes
   */
  ifftshift(options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined } = {}): NdArray {
    return this.call("ifftshift", [], { axes: axesOf("ifftshift", options) });
  }

  /**
   * Coefficients, highest power first, of the polynomial that fits values best in the sense of least squares.
   *
   * - `deg`: degree of the polynomial
   */
  polyfit(y: Operand, options: { readonly w?: Operand | undefined; readonly deg: number }): NdArray {
    return this.call("polyfit", given("polyfit", [y, options.w]), { deg: options.deg });
  }

  /**
   * The sum of products over the last axis of x and the last but one of the other (its only one, if it is a vector); with a single number, the product.
   */
  dot(other: Operand): NdArray {
    return this.call("dot", [other], {});
  }

  /**
   * The sum of products of all elements of two arrays of equally many, in row-major order.
   */
  vdot(other: Operand): NdArray {
    return this.call("vdot", [other], {});
  }

  /**
   * The sum of products of vectors along an axis, the last unless told; the other axes broadcast.
   *
   * - `axis`: axis
   */
  vecdot(other: Operand, options: { readonly axis?: number | undefined } = {}): NdArray {
    return this.call("vecdot", [other], { axis: options.axis });
  }

  /**
   * The sum of products over the last axis of both.
   */
  inner(other: Operand): NdArray {
    return this.call("inner", [other], {});
  }

  /**
   * All products of an element of one with an element of the other.
   */
  outer(other: Operand): NdArray {
    return this.call("outer", [other], {});
  }

  /**
   * Every element of x times all of the other: sizes of axes multiply.
   */
  kron(other: Operand): NdArray {
    return this.call("kron", [other], {});
  }

  /**
   * Matrices times vectors; the axes before those of the matrix and the vector broadcast.
   */
  matvec(vectors: Operand): NdArray {
    return this.call("matvec", [vectors], {});
  }

  /**
   * Vectors times matrices; the axes before those of the vector and the matrix broadcast.
   */
  vecmat(matrices: Operand): NdArray {
    return this.call("vecmat", [matrices], {});
  }

  /**
   * The vector product of vectors of three elements along an axis, the last unless told; the other axes broadcast.
   *
   * - `axis`: axis
   */
  cross(other: Operand, options: { readonly axis?: number | undefined } = {}): NdArray {
    return this.call("cross", [other], { axis: options.axis });
  }

  /**
   * The sum of products over axes of x and as many of the other; the remaining axes follow, those of x first.
   *
   * - `axes`: axes of x
   *
   * - `otherAxes`: axes of the other
   *
   * - `n`: instead of axes: how many, the last of x and the first of the other; 2 unless told
   */
  tensordot(other: Operand, options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly otherAxes?: number | readonly number[] | undefined; readonly n?: number | undefined } = {}): NdArray {
    return this.call("tensordot", [other], { axes: axesOf("tensordot", options), other_axes: options.otherAxes, n: options.n });
  }

  /**
   * The sum of a diagonal of the matrices in two axes.
   *
   * - `offset`: columns to the right of the main diagonal
   *
   * - `axes`: those of rows and columns, the last two unless told
   */
  trace(options: { readonly offset?: number | undefined; readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined } = {}): NdArray {
    return this.call("trace", [], { offset: options.offset, axes: axesOf("trace", options) });
  }

  /**
   * Singular vectors and values, descending: u times the diagonal s times vh is the matrix.
   *
   * - `vectors`: square matrices of vectors (full, unless told), or as many as there are values
   */
  svd(options: { readonly vectors?: "full" | "reduced" | undefined } = {}): { u: NdArray; s: NdArray; vh: NdArray } {
    const [u, s, vh] = (this.callMany("svd", [], { vectors: options.vectors })) as [NdArray, NdArray, NdArray];
    return { u, s, vh };
  }

  /**
   * Singular values, descending.
   */
  svdvals(): NdArray {
    return this.call("svdvals", [], {});
  }

  /**
   * Orthonormal columns times an upper triangle whose diagonal is not negative.
   *
   * - `mode`: how many columns q has; reduced unless told
   */
  qr(options: { readonly mode?: "reduced" | "complete" | undefined } = {}): { q: NdArray; r: NdArray } {
    const [q, r] = (this.callMany("qr", [], { mode: options.mode })) as [NdArray, NdArray];
    return { q, r };
  }

  /**
   * A permutation times a lower times an upper triangle, by partial pivoting.
   */
  lu(): { p: NdArray; l: NdArray; u: NdArray } {
    const [p, l, u] = (this.callMany("lu", [], {})) as [NdArray, NdArray, NdArray];
    return { p, l, u };
  }

  /**
   * Eigenvalues, ascending, and eigenvectors of symmetric matrices, of which the lower triangle is read.
   */
  eigh(): { eigenvalues: NdArray; eigenvectors: NdArray } {
    const [eigenvalues, eigenvectors] = (this.callMany("eigh", [], {})) as [NdArray, NdArray];
    return { eigenvalues, eigenvectors };
  }

  /**
   * Eigenvalues of symmetric matrices, ascending.
   */
  eigvalsh(): NdArray {
    return this.call("eigvalsh", [], {});
  }

  /**
   * Complex eigenvalues and eigenvectors of square matrices.
   */
  eig(): { eigenvalues: NdArray; eigenvectors: NdArray } {
    const [eigenvalues, eigenvectors] = (this.callMany("eig", [], {})) as [NdArray, NdArray];
    return { eigenvalues, eigenvectors };
  }

  /**
   * Complex eigenvalues of square matrices.
   */
  eigvals(): NdArray {
    return this.call("eigvals", [], {});
  }

  /**
   * Sign of the determinant and logarithm of its absolute value.
   */
  slogdet(): { sign: NdArray; logabsdet: NdArray } {
    const [sign, logabsdet] = (this.callMany("slogdet", [], {})) as [NdArray, NdArray];
    return { sign, logabsdet };
  }

  /**
   * Determinants.
   */
  det(): NdArray {
    return this.call("det", [], {});
  }

  /**
   * Inverses; infinities or NaN for singular matrices.
   */
  inv(): NdArray {
    return this.call("inv", [], {});
  }

  /**
   * Pseudoinverses.
   *
   * - `rcond`: singular values up to this times the largest count as 0
   */
  pinv(options: { readonly rcond?: number | undefined } = {}): NdArray {
    return this.call("pinv", [], { rcond: options.rcond });
  }

  /**
   * What the matrices have to be multiplied by to give b, which is a vector if it has one axis.
   */
  solve(b: Operand): NdArray {
    return this.call("solve", [b], {});
  }

  /**
   * The lower triangle whose product with its transpose is the symmetric positive definite matrix; NaN if it is not.
   */
  cholesky(): NdArray {
    return this.call("cholesky", [], {});
  }

  /**
   * The solution in the sense of least squares, sums of squared residuals, the rank and the singular values.
   *
   * - `rcond`: singular values up to this times the largest count as 0
   */
  lstsq(b: Operand, options: { readonly rcond?: number | undefined } = {}): { solution: NdArray; residuals: NdArray; rank: NdArray; s: NdArray } {
    const [solution, residuals, rank, s] = (this.callMany("lstsq", [b], { rcond: options.rcond })) as [NdArray, NdArray, NdArray, NdArray];
    return { solution, residuals, rank, s };
  }

  /**
   * What x has to be multiplied by, summed over all axes of the solution, to give b.
   *
   * - `axes`: axes
   */
  tensorsolve(b: Operand, options: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined } = {}): NdArray {
    return this.call("tensorsolve", [b], { axes: axesOf("tensorsolve", options) });
  }

  /**
   * The inverse for tensordot.
   *
   * - `n`: how many axes are one side of the matrix; 2 unless told
   */
  tensorinv(options: { readonly n?: number | undefined } = {}): NdArray {
    return this.call("tensorinv", [], { n: options.n });
  }

  /**
   * The norm of all elements, of vectors along one axis or of matrices in two.
   *
   * - `order`: fro, nuc, inf, -inf or a number
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   */
  norm(options: { readonly order?: string | undefined; readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("norm", [], { order: options.order, axes: axesOf("norm", options), keep_axes: options.keepAxes });
  }

  /**
   * The norm of the vectors that all elements along axes make; of order 2 and over all axes unless told.
   *
   * - `order`: fro, nuc, inf, -inf or a number
   *
   * - `axes`: axes
   *
   * - `keepAxes`: whether reduced axes stay
   *
   * - `axis`: a single axis
   */
  vectorNorm(options: { readonly order?: string | undefined; readonly axes?: readonly number[] | undefined; readonly keepAxes?: boolean | undefined; readonly axis?: number | undefined } = {}): NdArray {
    return this.call("vector_norm", [], { order: options.order, axes: options.axes, keep_axes: options.keepAxes, axis: options.axis });
  }

  /**
   * The norm of the matrices in the last two axes; that of Frobenius unless told.
   *
   * - `order`: fro, nuc, inf, -inf or a number
   *
   * - `keepAxes`: whether reduced axes stay
   */
  matrixNorm(options: { readonly order?: string | undefined; readonly keepAxes?: boolean | undefined } = {}): NdArray {
    return this.call("matrix_norm", [], { order: options.order, keep_axes: options.keepAxes });
  }

  /**
   * Condition numbers; by the 2-norm unless told.
   *
   * - `order`: fro, nuc, inf, -inf or a number
   */
  cond(options: { readonly order?: string | undefined } = {}): NdArray {
    return this.call("cond", [], { order: options.order });
  }

  /**
   * How many singular values are not 0.
   *
   * - `tol`: singular values up to this count as 0
   */
  matrixRank(options: { readonly tol?: number | undefined } = {}): NdArray {
    return this.call("matrix_rank", [], { tol: options.tol });
  }

  /**
   * The matrix product of n copies.
   *
   * - `n`: how often; negative for the inverse
   */
  matrixPower(options: { readonly n: number }): NdArray {
    return this.call("matrix_power", [], { n: options.n });
  }
}

/** The functions that start from nothing, or from several arrays alike. */
export abstract class LibraryFunctions {
  /** @internal */
  abstract call(name: string, inputs: readonly Operand[], attrs?: Attrs): NdArray;
  /** @internal */
  abstract callMany(name: string, inputs: readonly Operand[], attrs?: Attrs): NdArray[];
  /** @internal */
  abstract callLater(name: string, inputs: readonly Operand[], attrs?: Attrs): Promise<NdArray[]>;

  /**
   * base to the power of n numbers evenly spread from start to stop.
   *
   * - `start`: first number
   *
   * - `stop`: where to stop
   *
   * - `n`: how many; 50 unless told
   *
   * - `base`: 10 unless told
   *
   * - `endpoint`: whether stop is the last of them; true unless told
   *
   * - `dtype`: element type
   */
  logspace(options: { readonly start: number; readonly stop: number; readonly n?: number | undefined; readonly base?: number | undefined; readonly endpoint?: boolean | undefined; readonly dtype?: DType | undefined }): NdArray {
    return this.call("logspace", [], { start: options.start, stop: options.stop, n: options.n, base: options.base, endpoint: options.endpoint, dtype: options.dtype });
  }

  /**
   * n numbers from start to stop, each the same multiple of the one before.
   *
   * - `start`: first number
   *
   * - `stop`: where to stop
   *
   * - `n`: how many; 50 unless told
   *
   * - `endpoint`: whether stop is the last of them; true unless told
   *
   * - `dtype`: element type
   */
  geomspace(options: { readonly start: number; readonly stop: number; readonly n?: number | undefined; readonly endpoint?: boolean | undefined; readonly dtype?: DType | undefined }): NdArray {
    return this.call("geomspace", [], { start: options.start, stop: options.stop, n: options.n, endpoint: options.endpoint, dtype: options.dtype });
  }

  /**
   * An array that is to be filled: zeros.
   *
   * - `shape`: sizes of the axes
   *
   * - `dtype`: element type
   */
  empty(options: { readonly shape: number | readonly number[]; readonly dtype?: DType | undefined }): NdArray {
    return this.call("empty", [], { shape: options.shape, dtype: options.dtype });
  }

  /**
   * The identity matrix.
   *
   * - `n`: number of rows
   *
   * - `dtype`: element type
   */
  identity(options: { readonly n: number; readonly dtype?: DType | undefined }): NdArray {
    return this.call("identity", [], { n: options.n, dtype: options.dtype });
  }

  /**
   * For each axis of a shape the position along it, as int32: [n_axes, ..shape].
   *
   * - `shape`: sizes of the axes
   */
  indices(options: { readonly shape: number | readonly number[] }): NdArray {
    return this.call("indices", [], { shape: options.shape });
  }

  /**
   * For each row the array that repeats it over all others: coordinates of a grid.
   *
   * - `indexing`: whether the first row belongs to the second or the first axis; xy unless told
   */
  meshgrid(rows: readonly Operand[], options: { readonly indexing?: "xy" | "ij" | undefined } = {}): NdArray[] {
    return this.callMany("meshgrid", [...rows], { indexing: options.indexing });
  }

  /**
   * Ones at and below diagonal k, zeros above.
   *
   * - `n`: number of rows
   *
   * - `m`: number of columns; as many as rows unless told
   *
   * - `k`: diagonal: 0 is the main one, positive ones lie above it
   *
   * - `dtype`: element type
   */
  tri(options: { readonly n: number; readonly m?: number | undefined; readonly k?: number | undefined; readonly dtype?: DType | undefined }): NdArray {
    return this.call("tri", [], { n: options.n, m: options.m, k: options.k, dtype: options.dtype });
  }

  /**
   * Rows and columns of the elements at and below diagonal k, as int32.
   *
   * - `n`: number of rows
   *
   * - `k`: diagonal: 0 is the main one, positive ones lie above it
   *
   * - `m`: number of columns; as many as rows unless told
   */
  trilIndices(options: { readonly n: number; readonly k?: number | undefined; readonly m?: number | undefined }): { rows: NdArray; columns: NdArray } {
    const [rows, columns] = (this.callMany("tril_indices", [], { n: options.n, k: options.k, m: options.m })) as [NdArray, NdArray];
    return { rows, columns };
  }

  /**
   * Rows and columns of the elements at and above diagonal k, as int32.
   *
   * - `n`: number of rows
   *
   * - `k`: diagonal: 0 is the main one, positive ones lie above it
   *
   * - `m`: number of columns; as many as rows unless told
   */
  triuIndices(options: { readonly n: number; readonly k?: number | undefined; readonly m?: number | undefined }): { rows: NdArray; columns: NdArray } {
    const [rows, columns] = (this.callMany("triu_indices", [], { n: options.n, k: options.k, m: options.m })) as [NdArray, NdArray];
    return { rows, columns };
  }

  /**
   * The arrays in the shape to which all of them broadcast.
   */
  broadcastArrays(x: readonly Operand[]): NdArray[] {
    return this.callMany("broadcast_arrays", [...x], {});
  }

  /**
   * Arrays joined along an axis, the first unless told; their types are converted to a common one.
   *
   * - `axis`: axis
   *
   * - `flat`: whether all elements are joined in one row, instead of along an axis
   */
  concat(x: readonly Operand[], options: { readonly axis?: number | undefined; readonly flat?: boolean | undefined } = {}): NdArray {
    return this.call("concat", [...x], { axis: options.axis, flat: options.flat });
  }

  /**
   * The same as concat.
   *
   * - `axis`: axis
   *
   * - `flat`: whether all elements are joined in one row, instead of along an axis
   */
  concatenate(x: readonly Operand[], options: { readonly axis?: number | undefined; readonly flat?: boolean | undefined } = {}): NdArray {
    return this.call("concatenate", [...x], { axis: options.axis, flat: options.flat });
  }

  /**
   * Joined side by side: along the second axis, rows along their only one.
   */
  hstack(x: readonly Operand[]): NdArray {
    return this.call("hstack", [...x], {});
  }

  /**
   * Joined one above the other: along the first axis, rows as matrices of one row.
   */
  vstack(x: readonly Operand[]): NdArray {
    return this.call("vstack", [...x], {});
  }

  /**
   * Joined along the third axis.
   */
  dstack(x: readonly Operand[]): NdArray {
    return this.call("dstack", [...x], {});
  }

  /**
   * Rows as columns of a matrix; matrices are joined side by side.
   */
  columnStack(x: readonly Operand[]): NdArray {
    return this.call("column_stack", [...x], {});
  }

  /**
   * A matrix of blocks: each row of them is joined along the last axis, the results along the one before it.
   *
   * - `rows`: how many of the arrays are in each row of blocks; all in one unless told
   */
  block(x: readonly Operand[], options: { readonly rows?: number | readonly number[] | undefined } = {}): NdArray {
    return this.call("block", [...x], { rows: options.rows });
  }

  /**
   * The element of the first choice whose condition holds: conditions and choices in turn, then what is there where none holds, 0 unless given. NumPy's select.
   */
  selectFirst(condition: Operand, choice: Operand, more: readonly Operand[]): NdArray {
    return this.call("select_first", [condition, choice, ...more], {});
  }

  /**
   * a where condition holds, else b.
   */
  where(condition: Operand, a: Operand, b: Operand): NdArray {
    return this.call("where", [condition, a, b], {});
  }

  /**
   * Row-major positions in a shape of the elements with these positions along its axes.
   *
   * - `shape`: sizes of the axes
   *
   * - `mode`: what happens to positions out of range: they are moved to the nearest end, also those before the start, or start again; nearest unless told
   */
  ravelMultiIndex(positions: readonly Operand[], options: { readonly shape: number | readonly number[]; readonly mode?: "nearest" | "clip" | "wrap" | undefined }): NdArray {
    return this.call("ravel_multi_index", [...positions], { shape: options.shape, mode: options.mode });
  }

  /**
   * Positions along the axes of a shape of the elements with these row-major positions.
   *
   * - `shape`: sizes of the axes
   */
  unravelIndex(indices: Operand, options: { readonly shape: number | readonly number[] }): NdArray[] {
    return this.callMany("unravel_index", [indices], { shape: options.shape });
  }

  /**
   * The positions that sort by the last of the keys, equals of it by the one before it, and so on.
   *
   * - `axis`: axis; the last unless told
   */
  lexsort(keys: readonly Operand[], options: { readonly axis?: number | undefined } = {}): NdArray {
    return this.call("lexsort", [...keys], { axis: options.axis });
  }

  /**
   * Position in an ascending row, in the order of sorter if there is one, where each query belongs, as int32.
   *
   * - `side`: before or after equal elements; left unless told
   */
  searchsorted(sorted: Operand, queries: Operand, options: { readonly sorter?: Operand | undefined; readonly side?: "left" | "right" | undefined } = {}): NdArray {
    return this.call("searchsorted", given("searchsorted", [sorted, queries, options.sorter]), { side: options.side });
  }

  /**
   * A triangle.
   *
   * - `n`: number of points
   */
  bartlett(options: { readonly n: number }): NdArray {
    return this.call("bartlett", [], { n: options.n });
  }

  /**
   * Blackman's window.
   *
   * - `n`: number of points
   */
  blackman(options: { readonly n: number }): NdArray {
    return this.call("blackman", [], { n: options.n });
  }

  /**
   * Hamming's window.
   *
   * - `n`: number of points
   */
  hamming(options: { readonly n: number }): NdArray {
    return this.call("hamming", [], { n: options.n });
  }

  /**
   * The same as hanning.
   *
   * - `n`: number of points
   */
  hann(options: { readonly n: number }): NdArray {
    return this.call("hann", [], { n: options.n });
  }

  /**
   * Hann's window.
   *
   * - `n`: number of points
   */
  hanning(options: { readonly n: number }): NdArray {
    return this.call("hanning", [], { n: options.n });
  }

  /**
   * Kaiser's window.
   *
   * - `n`: number of points
   *
   * - `beta`: how narrow it is
   */
  kaiser(options: { readonly n: number; readonly beta: number }): NdArray {
    return this.call("kaiser", [], { n: options.n, beta: options.beta });
  }

  /**
   * Complex numbers of real and imaginary parts, which broadcast.
   */
  complex(real: Operand, imaginary: Operand): NdArray {
    return this.call("complex", [real, imaginary], {});
  }

  /**
   * Values of a polynomial.
   */
  polyval(p: Operand, x: Operand): NdArray {
    return this.call("polyval", [p, x], {});
  }

  /**
   * Sum of two polynomials.
   */
  polyadd(p: Operand, q: Operand): NdArray {
    return this.call("polyadd", [p, q], {});
  }

  /**
   * Difference of two polynomials.
   */
  polysub(p: Operand, q: Operand): NdArray {
    return this.call("polysub", [p, q], {});
  }

  /**
   * Product of two polynomials.
   */
  polymul(p: Operand, q: Operand): NdArray {
    return this.call("polymul", [p, q], {});
  }

  /**
   * Quotient and remainder of two polynomials; the remainder has one coefficient less than the divisor.
   */
  polydiv(u: Operand, v: Operand): { quotient: NdArray; remainder: NdArray } {
    const [quotient, remainder] = (this.callMany("polydiv", [u, v], {})) as [NdArray, NdArray];
    return { quotient, remainder };
  }

  /**
   * Derivative of a polynomial.
   *
   * - `m`: how many times; 1 unless told
   */
  polyder(p: Operand, options: { readonly m?: number | undefined } = {}): NdArray {
    return this.call("polyder", [p], { m: options.m });
  }

  /**
   * Integral of a polynomial, with constants of integration.
   *
   * - `m`: how many times; 1 unless told
   */
  polyint(p: Operand, options: { readonly k?: Operand | undefined; readonly m?: number | undefined } = {}): NdArray {
    return this.call("polyint", given("polyint", [p, options.k]), { m: options.m });
  }

  /**
   * The polynomial with these roots.
   */
  poly(roots: Operand): NdArray {
    return this.call("poly", [roots], {});
  }

  /**
   * Complex roots of a polynomial, by real, then imaginary part, in a last axis of size 2.
   */
  async roots(p: Operand): Promise<NdArray> {
    const [only] = await this.callLater("roots", [p], {});
    return only as NdArray;
  }

  /**
   * The sum of products that the subscripts describe: "ij,jk->ik" is the matrix product, "ii" the trace, and ... stands for axes that broadcast. Contracted two at a time in a greedy order.
   *
   * - `subscripts`: labels of axes, as "ij,jk->ik"
   */
  einsum(operands: readonly Operand[], options: { readonly subscripts: string }): NdArray {
    return this.call("einsum", [...operands], { subscripts: options.subscripts });
  }

  /**
   * The order in which einsum contracts: a row for each step with the positions of two operands, which are taken from the list and whose product is added to its end.
   *
   * - `subscripts`: labels of axes, as "ij,jk->ik"
   */
  einsumPath(operands: readonly Operand[], options: { readonly subscripts: string }): NdArray {
    return this.call("einsum_path", [...operands], { subscripts: options.subscripts });
  }

  /**
   * The product of all matrices in the order that takes the fewest multiplications; the first and the last may be vectors.
   */
  multiDot(arrays: readonly Operand[]): NdArray {
    return this.call("multi_dot", [...arrays], {});
  }
}

/** The functions that draw. */
export abstract class LibraryDraws {
  /** @internal The next draw. */
  protected abstract next(name: string, attrs: Attrs, inputs?: readonly Operand[]): NdArray;

  /**
   * Random numbers of the beta distribution.
   *
   * - `shape`: sizes of the draw
   */
  beta(a: Operand, b: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_beta", { shape: options.shape }, [a, b]);
  }

  /**
   * Random numbers of the chi-square distribution.
   *
   * - `shape`: sizes of the draw
   */
  chisquare(df: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_chisquare", { shape: options.shape }, [df]);
  }

  /**
   * Random numbers of Student's t distribution.
   *
   * - `shape`: sizes of the draw
   */
  standardT(df: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_standard_t", { shape: options.shape }, [df]);
  }

  /**
   * Random numbers of Fisher's F distribution.
   *
   * - `shape`: sizes of the draw
   */
  f(above: Operand, below: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_f", { shape: options.shape }, [above, below]);
  }

  /**
   * Random numbers of the Laplace distribution.
   *
   * - `shape`: sizes of the draw
   */
  laplace(center: Operand, scale: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_laplace", { shape: options.shape }, [center, scale]);
  }

  /**
   * Random numbers of the logistic distribution.
   *
   * - `shape`: sizes of the draw
   */
  logistic(center: Operand, scale: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_logistic", { shape: options.shape }, [center, scale]);
  }

  /**
   * Random numbers of the Gumbel distribution.
   *
   * - `shape`: sizes of the draw
   */
  gumbel(center: Operand, scale: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_gumbel", { shape: options.shape }, [center, scale]);
  }

  /**
   * Exponentials of random numbers of the normal distribution.
   *
   * - `shape`: sizes of the draw
   */
  lognormal(mean: Operand, deviation: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_lognormal", { shape: options.shape }, [mean, deviation]);
  }

  /**
   * Random numbers of the Pareto distribution of the second kind.
   *
   * - `shape`: sizes of the draw
   */
  pareto(a: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_pareto", { shape: options.shape }, [a]);
  }

  /**
   * Random numbers over [0, 1] with the density a times x to the power of a - 1.
   *
   * - `shape`: sizes of the draw
   */
  power(a: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_power", { shape: options.shape }, [a]);
  }

  /**
   * Random numbers of the Rayleigh distribution.
   *
   * - `shape`: sizes of the draw
   */
  rayleigh(scale: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_rayleigh", { shape: options.shape }, [scale]);
  }

  /**
   * Random numbers of the Weibull distribution with scale 1.
   *
   * - `shape`: sizes of the draw
   */
  weibull(a: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_weibull", { shape: options.shape }, [a]);
  }

  /**
   * Random numbers of the Cauchy distribution.
   *
   * - `shape`: sizes of the draw
   */
  standardCauchy(options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_standard_cauchy", { shape: options.shape }, []);
  }

  /**
   * Random numbers of the triangular distribution.
   *
   * - `shape`: sizes of the draw
   */
  triangular(left: Operand, mode: Operand, right: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_triangular", { shape: options.shape }, [left, mode, right]);
  }

  /**
   * How many tries it takes until one of probability p succeeds.
   *
   * - `shape`: sizes of the draw
   */
  geometric(p: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_geometric", { shape: options.shape }, [p]);
  }

  /**
   * Random counts of the Poisson distribution, as int32; -1 for a rate that is negative or NaN.
   *
   * - `shape`: sizes of the draw
   */
  poisson(rate: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_poisson", { shape: options.shape }, [rate]);
  }

  /**
   * How many of n tries succeed, each with probability p, as int32; -1 for parameters that are out of range.
   *
   * - `shape`: sizes of the draw
   */
  binomial(n: Operand, p: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_binomial", { shape: options.shape }, [n, p]);
  }

  /**
   * Random shares along a last axis that sum to 1.
   *
   * - `shape`: sizes of the draw
   */
  dirichlet(alpha: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_dirichlet", { shape: options.shape }, [alpha]);
  }

  /**
   * Random vectors along a last axis, normal with this mean and covariance.
   *
   * - `shape`: sizes of the draw
   */
  multivariateNormal(mean: Operand, covariance: Operand, options: { readonly shape: number | readonly number[] }): NdArray {
    return this.next("random_multivariate_normal", { shape: options.shape }, [mean, covariance]);
  }

  /**
   * Elements of an axis, the first unless told, picked with the probabilities p, with replacement.
   *
   * - `shape`: sizes of the draw
   *
   * - `axis`: axis
   */
  choiceWeighted(x: Operand, p: Operand, options: { readonly shape: number | readonly number[]; readonly axis?: number | undefined }): NdArray {
    return this.next("random_choice_weighted", { shape: options.shape, axis: options.axis }, [x, p]);
  }

  /**
   * n elements of an axis, the first unless told, no position twice, each picked with the probabilities p of those that are left.
   *
   * - `n`: how many
   *
   * - `axis`: axis
   */
  choiceWeightedDistinct(x: Operand, p: Operand, options: { readonly n: number; readonly axis?: number | undefined }): NdArray {
    return this.next("random_choice_weighted_distinct", { n: options.n, axis: options.axis }, [x, p]);
  }

  /**
   * The elements along an axis, the last unless told, in a random order, another one for every row.
   *
   * - `axis`: axis
   */
  permuted(x: Operand, options: { readonly axis?: number | undefined } = {}): NdArray {
    return this.next("random_permuted", { axis: options.axis }, [x]);
  }

  /**
   * Random bytes.
   *
   * - `n`: how many
   */
  bytes(options: { readonly n: number }): NdArray {
    return this.next("random_bytes", { n: options.n }, []);
  }
}
