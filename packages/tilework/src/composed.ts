// Operations that the engine composes of others.

import { LibraryMethods } from "./generated/library.js";
import type { NdArray } from "./nd_array.js";

/** How a spectrum is scaled: nothing forward and 1/n inverse ("backward", the default), 1/√n both ways, or the reverse of the first. */
export type FourierNorm = "backward" | "ortho" | "forward";

/** Which part of an image or a sequence a pooling sees at a time, by axis. */
export interface PoolOptions {
  readonly kernel: readonly number[];
  /** Steps between windows; the kernel's size unless told. */
  readonly stride?: readonly number[];
  readonly padding?: readonly number[];
  readonly dilation?: readonly number[];
}

/** How a kernel moves over a sequence or an image, by axis. */
export interface ConvOptions {
  readonly stride?: readonly number[];
  readonly padding?: readonly number[];
  readonly dilation?: readonly number[];
  /** Channels are cut into this many groups, which do not see each other; 1 unless told. */
  readonly groups?: number;
}

/** Which axes to transform, without that of the two parts of complex numbers; all of them unless told. */
export interface FourierOptions {
  readonly axes?: readonly number[];
  readonly norm?: FourierNorm;
}

/** What arrays inherit, after the operations of the engine's registry and the functions of its library. */
export abstract class Composed extends LibraryMethods {
  /** Sums of all elements up to each, along an axis. */
  cumsum(options: { readonly axis: number }): NdArray {
    return this.call("cumsum", [], { axis: options.axis });
  }

  /** Products of all elements up to each, along an axis. */
  cumprod(options: { readonly axis: number }): NdArray {
    return this.call("cumprod", [], { axis: options.axis });
  }

  /** The largest of all elements up to each, along an axis. */
  cummax(options: { readonly axis: number }): NdArray {
    return this.call("cummax", [], { axis: options.axis });
  }

  /** The smallest of all elements up to each, along an axis. */
  cummin(options: { readonly axis: number }): NdArray {
    return this.call("cummin", [], { axis: options.axis });
  }

  /** Positions that would sort an axis; equal elements keep their order, NaN comes last. */
  argsort(options: { readonly axis: number; readonly order?: "ascending" | "descending" }): NdArray {
    return this.call("argsort", [], { axis: options.axis, order: options.order });
  }

  /** NumPy's `dot`: of vectors the sum of products, of matrices their product. */
  dot(other: NdArray): NdArray {
    return this.call("dot", [other]);
  }

  /** The sum of products of all elements. */
  vdot(other: NdArray): NdArray {
    return this.call("vdot", [other]);
  }

  /** How many elements lie in each of `nBins` equal parts of the range from `low` to `high`. */
  histogram(options: { readonly nBins: number; readonly low: number; readonly high: number }): NdArray {
    return this.call("histogram", [], { n_bins: options.nBins, low: options.low, high: options.high });
  }

  /** Convolution of sequences [batch, channels, length] with [out, channels / groups, length], and an optional bias [out]. */
  conv1d(weight: NdArray, bias?: NdArray, options: ConvOptions = {}): NdArray {
    return this.call("conv1d", bias ? [weight, bias] : [weight], { ...options });
  }

  /** Convolution of images [batch, channels, height, width] with [out, channels / groups, height, width], and an optional bias [out]. */
  conv2d(weight: NdArray, bias?: NdArray, options: ConvOptions = {}): NdArray {
    return this.call("conv2d", bias ? [weight, bias] : [weight], { ...options });
  }

  /** The largest element of each window. */
  maxPool(options: PoolOptions): NdArray {
    return this.call("max_pool", [], { ...options });
  }

  /** The mean of each window. */
  meanPool(options: PoolOptions): NdArray {
    return this.call("mean_pool", [], { ...options });
  }

  /** The Fourier transform over several axes of complex numbers, whose parts are the last axis. */
  fftn(options: FourierOptions = {}): NdArray {
    return this.call("fftn", [], { ...options });
  }

  /** The inverse of `fftn`. */
  ifftn(options: FourierOptions = {}): NdArray {
    return this.call("ifftn", [], { ...options });
  }

  /** The Fourier transform over several axes of real numbers; half of the last axis is kept. */
  rfftn(options: FourierOptions = {}): NdArray {
    return this.call("rfftn", [], { ...options });
  }

  /** The inverse of `rfftn`, with `n` elements along the last axis. */
  irfftn(options: FourierOptions & { readonly n: number }): NdArray {
    return this.call("irfftn", [], { ...options });
  }

  /** Moves frequency 0 to the middle of each axis. */
  fftshift(options: { readonly axes?: readonly number[] } = {}): NdArray {
    return this.call("fftshift", [], { ...options });
  }

  /** The inverse of `fftshift`. */
  ifftshift(options: { readonly axes?: readonly number[] } = {}): NdArray {
    return this.call("ifftshift", [], { ...options });
  }
}
