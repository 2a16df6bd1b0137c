// Generated from the scalar table and the registry of structured operations by
// crates/tilework-conformance/tests/typings.rs, which fails if this file is stale. Do not edit.

import type { Attrs, Operand } from "../backend.js";
import type { NdArray } from "../nd_array.js";

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

  /** `floor` of every element, for floats; integers are converted. */
  floor(): NdArray {
    return this.call("floor");
  }

  /** `ceil` of every element, for floats; integers are converted. */
  ceil(): NdArray {
    return this.call("ceil");
  }

  /** `round` of every element, for floats; integers are converted. */
  round(): NdArray {
    return this.call("round");
  }

  /** `trunc` of every element, for floats; integers are converted. */
  trunc(): NdArray {
    return this.call("trunc");
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
   * Joins arrays of equal element type along an axis; all other sizes must agree.
   *
   * - `axis`: axis along which they are joined
   */
  concat(others: readonly NdArray[], options: { axis: number }): NdArray {
    return this.call("concat", others, { axis: options.axis });
  }

  /**
   * Fourier transform of complex numbers along an axis. A complex array is a float array whose last axis has size 2: real and imaginary part. Any length of at least 1.
   *
   * - `axis`: axis of the points; the axis of the two parts is not counted, so that -1 is the last axis of points
   *
   * - `direction`: sign of the exponent; forward unless told
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  fft(options: { axis: number; direction?: "forward" | "inverse"; norm?: "backward" | "ortho" | "forward" }): NdArray {
    return this.call("fft", [], { axis: options.axis, direction: options.direction, norm: options.norm });
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
   * Real numbers from the first n/2 + 1 points of their Fourier transform (complex: the last axis has size 2). The imaginary part of the first point, and of the last if n is even, does not matter.
   *
   * - `axis`: axis of the points; the axis of the two parts is not counted, so that -1 is the last axis of points
   *
   * - `n`: number of real points; the axis must have n/2 + 1
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  irfft(options: { axis: number; n: number; norm?: "backward" | "ortho" | "forward" }): NdArray {
    return this.call("irfft", [], { axis: options.axis, n: options.n, norm: options.norm });
  }

  /**
   * Matrix product over the last two axes; the axes before them broadcast together.
   */
  matmul(b: NdArray): NdArray {
    return this.call("matmul", [b]);
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
   * Fourier transform of n real numbers along an axis: the first n/2 + 1 points, complex, as a new last axis of size 2 (real and imaginary part). The others are their conjugates.
   *
   * - `axis`: axis of the points; the axis of the two parts is not counted, so that -1 is the last axis of points
   *
   * - `norm`: which direction carries the factor 1/n (both, with its root: ortho); backward unless told
   */
  rfft(options: { axis: number; norm?: "backward" | "ortho" | "forward" }): NdArray {
    return this.call("rfft", [], { axis: options.axis, norm: options.norm });
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
   * Exponentials divided by their sum along an axis, computed from differences to the maximum. A row of only -inf gives zeros.
   *
   * - `axis`: axis that is normalised
   *
   * - `output`: which of the two is given; probability unless told
   */
  softmax(options: { axis: number; output?: "probability" | "logarithm" }): NdArray {
    return this.call("softmax", [], { axis: options.axis, output: options.output });
  }
}
