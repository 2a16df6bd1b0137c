// Generated from the scalar table and the registry of structured operations by
// crates/tilework-conformance/tests/typings.rs, which fails if this file is stale. Do not edit.

import type { Attrs, Operand } from "../backend.js";
import type { NdArray } from "../nd_array.js";

/** The inputs that were not left out. */
function given(inputs: readonly (NdArray | undefined)[]): NdArray[] {
  return inputs.filter((input): input is NdArray => input !== undefined);
}

/** A method for every scalar and every structured operation. */
export abstract class Operations {
  /** @internal Runs an operation with this array as the first input. */
  abstract call(name: string, inputs?: readonly Operand[], attrs?: Attrs): NdArray;

  /** `add` of every element, for floats and integers. Differentiable. */
  add(other: Operand): NdArray {
    return this.call("add", [other]);
  }

  /** `sub` of every element, for floats and integers. Differentiable. */
  sub(other: Operand): NdArray {
    return this.call("sub", [other]);
  }

  /** `mul` of every element, for floats and integers. Differentiable. */
  mul(other: Operand): NdArray {
    return this.call("mul", [other]);
  }

  /** `neg` of every element, for floats and integers. Differentiable. */
  neg(): NdArray {
    return this.call("neg");
  }

  /** `abs` of every element, for floats and integers. Differentiable. */
  abs(): NdArray {
    return this.call("abs");
  }

  /** `sign` of every element, for floats and integers. */
  sign(): NdArray {
    return this.call("sign");
  }

  /** `minimum` of every element, for floats and integers. Differentiable. */
  minimum(other: Operand): NdArray {
    return this.call("minimum", [other]);
  }

  /** `maximum` of every element, for floats and integers. Differentiable. */
  maximum(other: Operand): NdArray {
    return this.call("maximum", [other]);
  }

  /** `rem` of every element, for floats and integers. Differentiable. */
  rem(other: Operand): NdArray {
    return this.call("rem", [other]);
  }

  /** `floor_div` of every element, for floats and integers. */
  floorDiv(other: Operand): NdArray {
    return this.call("floor_div", [other]);
  }

  /** `div` of every element, for floats; integers are converted. Differentiable. */
  div(other: Operand): NdArray {
    return this.call("div", [other]);
  }

  /** `recip` of every element, for floats; integers are converted. Differentiable. */
  recip(): NdArray {
    return this.call("recip");
  }

  /** `round_half` of every element, for floats; integers are converted. Differentiable. */
  roundHalf(): NdArray {
    return this.call("round_half");
  }

  /** `fract` of every element, for floats; integers are converted. Differentiable. */
  fract(): NdArray {
    return this.call("fract");
  }

  /** `copysign` of every element, for floats; integers are converted. Differentiable. */
  copysign(other: Operand): NdArray {
    return this.call("copysign", [other]);
  }

  /** `sqrt` of every element, for floats; integers are converted. Differentiable. */
  sqrt(): NdArray {
    return this.call("sqrt");
  }

  /** `rsqrt` of every element, for floats; integers are converted. Differentiable. */
  rsqrt(): NdArray {
    return this.call("rsqrt");
  }

  /** `cbrt` of every element, for floats; integers are converted. Differentiable. */
  cbrt(): NdArray {
    return this.call("cbrt");
  }

  /** `pow` of every element, for floats; integers are converted. Differentiable. */
  pow(other: Operand): NdArray {
    return this.call("pow", [other]);
  }

  /** `hypot` of every element, for floats; integers are converted. Differentiable. */
  hypot(other: Operand): NdArray {
    return this.call("hypot", [other]);
  }

  /** `exp` of every element, for floats; integers are converted. Differentiable. */
  exp(): NdArray {
    return this.call("exp");
  }

  /** `exp2` of every element, for floats; integers are converted. Differentiable. */
  exp2(): NdArray {
    return this.call("exp2");
  }

  /** `expm1` of every element, for floats; integers are converted. Differentiable. */
  expm1(): NdArray {
    return this.call("expm1");
  }

  /** `log` of every element, for floats; integers are converted. Differentiable. */
  log(): NdArray {
    return this.call("log");
  }

  /** `log2` of every element, for floats; integers are converted. Differentiable. */
  log2(): NdArray {
    return this.call("log2");
  }

  /** `log10` of every element, for floats; integers are converted. Differentiable. */
  log10(): NdArray {
    return this.call("log10");
  }

  /** `log1p` of every element, for floats; integers are converted. Differentiable. */
  log1p(): NdArray {
    return this.call("log1p");
  }

  /** `sin` of every element, for floats; integers are converted. Differentiable. */
  sin(): NdArray {
    return this.call("sin");
  }

  /** `cos` of every element, for floats; integers are converted. Differentiable. */
  cos(): NdArray {
    return this.call("cos");
  }

  /** `tan` of every element, for floats; integers are converted. Differentiable. */
  tan(): NdArray {
    return this.call("tan");
  }

  /** `asin` of every element, for floats; integers are converted. Differentiable. */
  asin(): NdArray {
    return this.call("asin");
  }

  /** `acos` of every element, for floats; integers are converted. Differentiable. */
  acos(): NdArray {
    return this.call("acos");
  }

  /** `atan` of every element, for floats; integers are converted. Differentiable. */
  atan(): NdArray {
    return this.call("atan");
  }

  /** `atan2` of every element, for floats; integers are converted. Differentiable. */
  atan2(other: Operand): NdArray {
    return this.call("atan2", [other]);
  }

  /** `sinh` of every element, for floats; integers are converted. Differentiable. */
  sinh(): NdArray {
    return this.call("sinh");
  }

  /** `cosh` of every element, for floats; integers are converted. Differentiable. */
  cosh(): NdArray {
    return this.call("cosh");
  }

  /** `tanh` of every element, for floats; integers are converted. Differentiable. */
  tanh(): NdArray {
    return this.call("tanh");
  }

  /** `asinh` of every element, for floats; integers are converted. Differentiable. */
  asinh(): NdArray {
    return this.call("asinh");
  }

  /** `acosh` of every element, for floats; integers are converted. Differentiable. */
  acosh(): NdArray {
    return this.call("acosh");
  }

  /** `atanh` of every element, for floats; integers are converted. Differentiable. */
  atanh(): NdArray {
    return this.call("atanh");
  }

  /** `erf` of every element, for floats; integers are converted. Differentiable. */
  erf(): NdArray {
    return this.call("erf");
  }

  /** `erfc` of every element, for floats; integers are converted. Differentiable. */
  erfc(): NdArray {
    return this.call("erfc");
  }

  /** `sigmoid` of every element, for floats; integers are converted. Differentiable. */
  sigmoid(): NdArray {
    return this.call("sigmoid");
  }

  /** `softplus` of every element, for floats; integers are converted. Differentiable. */
  softplus(): NdArray {
    return this.call("softplus");
  }

  /** `silu` of every element, for floats; integers are converted. Differentiable. */
  silu(): NdArray {
    return this.call("silu");
  }

  /** `gelu` of every element, for floats; integers are converted. Differentiable. */
  gelu(): NdArray {
    return this.call("gelu");
  }

  /** `gelu_tanh` of every element, for floats; integers are converted. Differentiable. */
  geluTanh(): NdArray {
    return this.call("gelu_tanh");
  }

  /** `eq` of every element, compares floats or integers; gives truth values. */
  eq(other: Operand): NdArray {
    return this.call("eq", [other]);
  }

  /** `ne` of every element, compares floats or integers; gives truth values. */
  ne(other: Operand): NdArray {
    return this.call("ne", [other]);
  }

  /** `lt` of every element, compares floats or integers; gives truth values. */
  lt(other: Operand): NdArray {
    return this.call("lt", [other]);
  }

  /** `le` of every element, compares floats or integers; gives truth values. */
  le(other: Operand): NdArray {
    return this.call("le", [other]);
  }

  /** `gt` of every element, compares floats or integers; gives truth values. */
  gt(other: Operand): NdArray {
    return this.call("gt", [other]);
  }

  /** `ge` of every element, compares floats or integers; gives truth values. */
  ge(other: Operand): NdArray {
    return this.call("ge", [other]);
  }

  /** `is_nan` of every element, tests floats; gives truth values. */
  isNan(): NdArray {
    return this.call("is_nan");
  }

  /** `is_inf` of every element, tests floats; gives truth values. */
  isInf(): NdArray {
    return this.call("is_inf");
  }

  /** `is_finite` of every element, tests floats; gives truth values. */
  isFinite(): NdArray {
    return this.call("is_finite");
  }

  /** `and` of every element, of truth values. */
  and(other: Operand): NdArray {
    return this.call("and", [other]);
  }

  /** `or` of every element, of truth values. */
  or(other: Operand): NdArray {
    return this.call("or", [other]);
  }

  /** `xor` of every element, of truth values. */
  xor(other: Operand): NdArray {
    return this.call("xor", [other]);
  }

  /** `not` of every element, of truth values. */
  not(): NdArray {
    return this.call("not");
  }

  /** `bit_and` of every element, of integers. */
  bitAnd(other: Operand): NdArray {
    return this.call("bit_and", [other]);
  }

  /** `bit_or` of every element, of integers. */
  bitOr(other: Operand): NdArray {
    return this.call("bit_or", [other]);
  }

  /** `bit_xor` of every element, of integers. */
  bitXor(other: Operand): NdArray {
    return this.call("bit_xor", [other]);
  }

  /** `bit_not` of every element, of integers. */
  bitNot(): NdArray {
    return this.call("bit_not");
  }

  /** `shift_left` of every element, of integers. */
  shiftLeft(other: Operand): NdArray {
    return this.call("shift_left", [other]);
  }

  /** `shift_right` of every element, of integers. */
  shiftRight(other: Operand): NdArray {
    return this.call("shift_right", [other]);
  }

  /** `round_bfloat` of every element, for floats; integers are converted. Differentiable. */
  roundBfloat(): NdArray {
    return this.call("round_bfloat");
  }

  /** The first operand where this array is true, else the second. */
  select(ifTrue: Operand, ifFalse: Operand): NdArray {
    return this.call("select", [ifTrue, ifFalse]);
  }

  /**
   * Position of the smallest or largest element. The first of equals; a NaN counts as the extreme.
   *
   * - `extreme`: which end is looked for
   *
   * - `axis`: axis to search; none means the flattened array
   *
   * - `keepAxes`: leave the searched axis in place with size 1
   */
  argReduce(options: { extreme: "min" | "max"; axis?: number; keepAxes?: boolean }): NdArray {
    return this.call("arg_reduce", [], { extreme: options.extreme, axis: options.axis, keep_axes: options.keepAxes });
  }

  /**
   * Mean of values weighted by the softmax of query-key products, for [batch, heads, positions, elements]; heads of queries may share heads of keys. Inputs after the values: an additive mask of floats that broadcasts to [batch, heads, queries, keys], and n_past, one integer: entries of the cache before these queries, which n_past + queries are valid of. A query that sees nothing gives zeros.
   *
   * - `mask`: which keys a query sees: all that are valid, those up to its own position, or the last of those; none unless told
   *
   * - `window`: keys that a windowed query sees, its own included
   *
   * - `scale`: factor of the products; 1/sqrt(elements) unless told
   *
   * - `softCap`: bound of the scores, by a hyperbolic tangent; none unless told
   */
  attention(k: NdArray, v: NdArray, mask?: NdArray, nPast?: NdArray, options: { mask?: "none" | "causal" | "windowed"; window?: number; scale?: number; softCap?: number } = {}): NdArray {
    return this.call("attention", given([k, v, mask, nPast]), { mask: options.mask, window: options.window, scale: options.scale, soft_cap: options.softCap });
  }

  /**
   * Joins arrays of equal element type along an axis; all other sizes must agree.
   *
   * - `axis`: axis along which they are joined
   */
  concat(others: readonly NdArray[], options: { axis: number }): NdArray {
    return this.call("concat", others, { axis: options.axis });
  }

  /**
   * Convolution of x [n, c_in, spatial…] with weight [c_out, c_in / groups, kernel…] over one or two spatial axes, as neural networks mean it: the kernel is not turned around, and padding is zeros. A kernel that has no place in the padded input is an error.
   *
   * - `stride`: elements between neighbouring positions of the kernel, for each spatial axis or for all; 1 unless told
   *
   * - `padding`: elements added around the input: one number for all sides, one for each spatial axis, or before and after of each axis in turn; 0 unless told
   *
   * - `dilation`: elements between neighbouring taps of the kernel, for each spatial axis or for all; 1 unless told
   *
   * - `groups`: groups of channels that are convolved by themselves; 1 unless told
   */
  conv(weight: NdArray, options: { stride?: number | readonly number[]; padding?: number | readonly number[]; dilation?: number | readonly number[]; groups?: number } = {}): NdArray {
    return this.call("conv", [weight], { stride: options.stride, padding: options.padding, dilation: options.dilation, groups: options.groups });
  }

  /**
   * Transposed convolution of x [n, c_in, spatial…] with weight [c_in, c_out / groups, kernel…] over one or two spatial axes: what the input of the convolution with these weights receives if its result receives x. An axis of s elements becomes (s − 1)·stride + dilation·(kernel − 1) + 1 − padding before − padding after + output_padding.
   *
   * - `stride`: elements between neighbouring positions of the kernel, for each spatial axis or for all; 1 unless told
   *
   * - `padding`: elements added around the input: one number for all sides, one for each spatial axis, or before and after of each axis in turn; 0 unless told
   *
   * - `outputPadding`: elements at the end of each spatial axis that no position of the convolution reached, fewer than the stride; 0 unless told
   *
   * - `dilation`: elements between neighbouring taps of the kernel, for each spatial axis or for all; 1 unless told
   *
   * - `groups`: groups of channels that are convolved by themselves; 1 unless told
   */
  convTranspose(weight: NdArray, options: { stride?: number | readonly number[]; padding?: number | readonly number[]; outputPadding?: number | readonly number[]; dilation?: number | readonly number[]; groups?: number } = {}): NdArray {
    return this.call("conv_transpose", [weight], { stride: options.stride, padding: options.padding, output_padding: options.outputPadding, dilation: options.dilation, groups: options.groups });
  }

  /**
   * Eigenvalues of square matrices in the last two axes, packed into one axis: the values by real, then imaginary part, then the eigenvectors of length 1 as columns, the largest element of each real and positive. Complex numbers are pairs. CPU only.
   *
   * - `vectors`: whether eigenvectors come with the values; reduced unless told
   */
  eigPacked(options: { vectors?: "none" | "reduced" | "full" } = {}): NdArray {
    return this.call("eig_packed", [], { vectors: options.vectors });
  }

  /**
   * Eigenvalues of symmetric matrices in the last two axes, of which the lower triangle is read, packed into one axis: the values in ascending order, then the eigenvectors as columns, the largest element of each positive. CPU only.
   *
   * - `vectors`: whether eigenvectors come with the values; reduced unless told
   */
  eighPacked(options: { vectors?: "none" | "reduced" | "full" } = {}): NdArray {
    return this.call("eigh_packed", [], { vectors: options.vectors });
  }

  /**
   * Picks along an axis by integer indices; their shape takes the axis' place. Negative indices count from the end, and those out of range are moved to the nearest end.
   *
   * - `axis`: axis that is indexed
   */
  gather(indices: NdArray, options: { axis: number }): NdArray {
    return this.call("gather", [indices], { axis: options.axis });
  }

  /**
   * Normalises [samples, channels, ..] over each group of channels and all positions; then multiplied by weight and increased by bias, if they are given (each of the number of channels, bias only with weight).
   *
   * - `nGroups`: groups the channels (axis 1) are split into
   *
   * - `epsilon`: added to the variance; 1e-5 unless told
   */
  groupNorm(weight: NdArray | undefined, bias: NdArray | undefined, options: { nGroups: number; epsilon?: number }): NdArray {
    return this.call("group_norm", given([weight, bias]), { n_groups: options.nGroups, epsilon: options.epsilon });
  }

  /**
   * Differences to the mean along an axis, divided by the root of their mean square plus epsilon; then multiplied by weight and increased by bias, if they are given (each of the size of the axis, bias only with weight).
   *
   * - `axis`: axis that is normalised; the last unless told
   *
   * - `epsilon`: added to the mean square; 1e-5 unless told
   */
  layerNorm(weight?: NdArray, bias?: NdArray, options: { axis?: number; epsilon?: number } = {}): NdArray {
    return this.call("layer_norm", given([weight, bias]), { axis: options.axis, epsilon: options.epsilon });
  }

  /**
   * LU factorization with partial pivoting of m × n matrices in the last two axes, packed into one axis: m × n elements with L below the diagonal (its own is 1) and U on and above it, then for each row the row of A it came from. CPU only.
   */
  luPacked(): NdArray {
    return this.call("lu_packed", []);
  }

  /**
   * Matrix product over the last two axes; the axes before them broadcast together.
   */
  matmul(b: NdArray): NdArray {
    return this.call("matmul", [b]);
  }

  /**
   * The way back from pool with kind max: every element goes to the place its window's maximum came from, as pool with kind argmax gives it. Elements for one place are added; elsewhere there are zeros. A place outside of its window receives nothing.
   *
   * - `sizes`: spatial sizes of the result
   *
   * - `kernel`: size of a window, for each spatial axis or for all
   *
   * - `stride`: elements between neighbouring windows, for each spatial axis or for all; the size of a window unless told
   *
   * - `padding`: elements added around the input: one number for all sides, one for each spatial axis, or before and after of each axis in turn; 0 unless told
   *
   * - `dilation`: elements between neighbouring taps of the kernel, for each spatial axis or for all; 1 unless told
   */
  maxUnpool(places: NdArray, options: { sizes: number | readonly number[]; kernel: number | readonly number[]; stride?: number | readonly number[]; padding?: number | readonly number[]; dilation?: number | readonly number[] }): NdArray {
    return this.call("max_unpool", [places], { sizes: options.sizes, kernel: options.kernel, stride: options.stride, padding: options.padding, dilation: options.dilation });
  }

  /**
   * Attention of every position of [batch, heads, height, width, elements] to a square window of positions around it, which is moved inward at the borders.
   *
   * - `window`: positions of a window along each axis; odd
   *
   * - `dilation`: distance of the positions of a window; 1 unless told
   *
   * - `scale`: factor of the products; 1/sqrt(elements) unless told
   */
  neighborhoodAttention(k: NdArray, v: NdArray, options: { window: number; dilation?: number; scale?: number }): NdArray {
    return this.call("neighborhood_attention", [k, v], { window: options.window, dilation: options.dilation, scale: options.scale });
  }

  /**
   * Maximum or mean of every window of x [n, channels, spatial…] over one or two spatial axes. NaN is larger than everything else; padding takes no part in a maximum. A window in the padding alone has maximum -inf, place -1 and mean 0.
   *
   * - `kind`: what becomes of a window; mean leaves padding out, mean_with_padding counts it as zeros, argmax is the place of the maximum in its plane
   *
   * - `kernel`: size of a window, for each spatial axis or for all
   *
   * - `stride`: elements between neighbouring windows, for each spatial axis or for all; the size of a window unless told
   *
   * - `padding`: elements added around the input: one number for all sides, one for each spatial axis, or before and after of each axis in turn; 0 unless told
   *
   * - `dilation`: elements between neighbouring taps of the kernel, for each spatial axis or for all; 1 unless told
   */
  pool(options: { kind: "max" | "mean" | "mean_with_padding" | "argmax"; kernel: number | readonly number[]; stride?: number | readonly number[]; padding?: number | readonly number[]; dilation?: number | readonly number[] }): NdArray {
    return this.call("pool", [], { kind: options.kind, kernel: options.kernel, stride: options.stride, padding: options.padding, dilation: options.dilation });
  }

  /**
   * QR factorization of m × n matrices in the last two axes, packed into one axis: Q with orthonormal columns, then R, upper triangular with a diagonal that is not negative. CPU only.
   *
   * - `mode`: how many columns Q has: min(m, n) or m; reduced unless told
   */
  qrPacked(options: { mode?: "reduced" | "complete" } = {}): NdArray {
    return this.call("qr_packed", [], { mode: options.mode });
  }

  /**
   * Random counts of the binomial distribution: how many of n tries (int32) succeed with probability p (float32), by waiting times (means below 10) or by transformed rejection (Hörmann, 1993) from each element's own stream of random words, as int32. The state is as in random_bits. A negative n and a p that is not in [0, 1] give -1.
   */
  randomBinomialCounts(n: NdArray, p: NdArray): NdArray {
    return this.call("random_binomial_counts", [n, p]);
  }

  /**
   * Random 32-bit words by Philox4x32-10, the same on every machine. The state is four uint32 words: the key, and the two high words of every counter.
   *
   * - `n`: number of words
   */
  randomBits(options: { n: number }): NdArray {
    return this.call("random_bits", [], { n: options.n });
  }

  /**
   * Random numbers of the gamma distribution with scale 1 and the shape parameters alpha, by rejection (Marsaglia and Tsang) from each element's own stream of random words. The state is as in random_bits. A shape that is not positive gives NaN.
   */
  randomGamma(alpha: NdArray): NdArray {
    return this.call("random_gamma", [alpha]);
  }

  /**
   * Random counts of the Poisson distribution with these rates, by products of even numbers (rates below 10) or by transformed rejection (Hörmann, 1993) from each element's own stream of random words, as int32. The state is as in random_bits. A rate that is negative or NaN gives -1, one above 2147000000 gives 2147483647.
   */
  randomPoissonCounts(rate: NdArray): NdArray {
    return this.call("random_poisson_counts", [rate]);
  }

  /**
   * Combines all elements along some axes into one. Minimum and maximum of nothing are errors; other empty reductions give the neutral element.
   *
   * - `combine`: how two elements become one
   *
   * - `axes`: axes to reduce; none means all
   *
   * - `keepAxes`: leave the reduced axes in place with size 1
   */
  reduce(options: { combine: "sum" | "prod" | "min" | "max" | "any" | "all"; axes?: readonly number[]; keepAxes?: boolean }): NdArray {
    return this.call("reduce", [], { combine: options.combine, axes: options.axes, keep_axes: options.keepAxes });
  }

  /**
   * Elements divided by the root of their mean square plus epsilon along an axis; then multiplied by weight, if it is given (of the size of the axis).
   *
   * - `axis`: axis that is normalised; the last unless told
   *
   * - `epsilon`: added to the mean square; 1e-5 unless told
   */
  rmsNorm(weight?: NdArray, options: { axis?: number; epsilon?: number } = {}): NdArray {
    return this.call("rms_norm", given([weight]), { axis: options.axis, epsilon: options.epsilon });
  }

  /**
   * Rotary position embedding of [.., sequence, elements]: pairs of elements are turned by position times frequency. Positions are one integer, that of the first place, or one for each place; frequencies are a table made by rope_frequencies. Elements beyond its pairs stay.
   *
   * - `pairing`: whether neighbours are a pair, or elements half of the turned ones apart
   *
   * - `amplitude`: what turned elements are multiplied with; 1 unless told
   */
  rope(positions: NdArray, frequencies: NdArray, options: { pairing: "interleaved" | "half"; amplitude?: number }): NdArray {
    return this.call("rope", [positions, frequencies], { pairing: options.pairing, amplitude: options.amplitude });
  }

  /**
   * Running sums, products or extremes along an axis, NaN from the first NaN on. An exclusive scan begins with the neutral element; a scan of nothing is nothing.
   *
   * - `combine`: how two elements become one
   *
   * - `axis`: axis that is walked along
   *
   * - `reach`: with or without the element itself; inclusive unless told
   *
   * - `direction`: which end it starts from; forward unless told
   */
  scan(options: { combine: "sum" | "prod" | "min" | "max"; axis: number; reach?: "inclusive" | "exclusive"; direction?: "forward" | "backward" }): NdArray {
    return this.call("scan", [], { combine: options.combine, axis: options.axis, reach: options.reach, direction: options.direction });
  }

  /**
   * A copy of x in which the places that integer indices name along an axis are replaced by rows, in whose shape that of the indices takes the axis' place. Where indices are equal, the last wins. Negative indices count from the end, and those out of range are moved to the nearest end.
   *
   * - `axis`: axis that is indexed
   */
  scatter(indices: NdArray, rows: NdArray, options: { axis: number }): NdArray {
    return this.call("scatter", [indices, rows], { axis: options.axis });
  }

  /**
   * Adds each row of x to the place of the result that its index names, in order, so that the sum is reproducible. The reverse of gather.
   *
   * - `axis`: axis of the result that is indexed
   *
   * - `nAxis`: its size
   */
  scatterAdd(indices: NdArray, options: { axis: number; nAxis: number }): NdArray {
    return this.call("scatter_add", [indices], { axis: options.axis, n_axis: options.nAxis });
  }

  /**
   * Position in an ascending row where each query belongs, as int32. NaN belongs to the end, where a sort puts it, and 0 equals -0.
   *
   * - `side`: before or after equal elements; left unless told
   */
  searchsorted(queries: NdArray, options: { side?: "left" | "right" } = {}): NdArray {
    return this.call("searchsorted", [queries], { side: options.side });
  }

  /**
   * Exponentials divided by their sum along an axis, computed from differences to the maximum. A row of only -inf gives zeros.
   *
   * - `axis`: axis that is normalised
   *
   * - `output`: which of the two is given; probability unless told
   */
  softmax(options: { axis: number; output?: "probability" | "logarithm" }): NdArray {
    return this.call("softmax", [], { axis: options.axis, output: options.output });
  }

  /**
   * Singular values of m × n matrices in the last two axes, packed into one axis: U, the values in descending order, the transpose of V. The largest element of each right vector is positive. CPU only.
   *
   * - `vectors`: which singular vectors come with the values: none, min(m, n) on both sides, or square matrices; reduced unless told
   */
  svdPacked(options: { vectors?: "none" | "reduced" | "full" } = {}): NdArray {
    return this.call("svd_packed", [], { vectors: options.vectors });
  }

  /**
   * The k largest elements along an axis, the largest first, or their positions. The first of equals comes first; NaN comes after all numbers. k may be 0; more than there are is an error.
   *
   * - `k`: how many are kept, at most the size of the axis
   *
   * - `axis`: axis that is searched
   *
   * - `extreme`: which end is looked for; largest unless told
   *
   * - `output`: the elements, or their positions along the axis; values unless told
   */
  topK(options: { k: number; axis: number; extreme?: "largest" | "smallest"; output?: "values" | "indices" }): NdArray {
    return this.call("top_k", [], { k: options.k, axis: options.axis, extreme: options.extreme, output: options.output });
  }

  /**
   * X with T·X = B, where T is a triangle of the matrices A in the last two axes and the last axis of B counts right hand sides. A 0 on the diagonal divides by 0.
   *
   * - `side`: which triangle is read; lower unless told
   *
   * - `form`: whether the triangle is transposed; plain unless told
   *
   * - `diagonal`: the diagonal of the matrix, or ones whatever stands there; stored unless told
   */
  triangularSolve(b: NdArray, options: { side?: "lower" | "upper"; form?: "plain" | "transposed"; diagonal?: "stored" | "unit" } = {}): NdArray {
    return this.call("triangular_solve", [b], { side: options.side, form: options.form, diagonal: options.diagonal });
  }
}
