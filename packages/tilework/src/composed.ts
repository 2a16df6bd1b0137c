// Operations that the engine composes of others.

import type { Operand } from "./backend.js";
import { LibraryMethods } from "./generated/library.js";
import { given } from "./given.js";
import type { NdArray } from "./nd_array.js";

/** Which part of an image or a sequence a pooling sees at a time, by axis. */
export interface PoolOptions {
  readonly kernel: readonly number[];
  /** Steps between windows; the kernel's size unless told. */
  readonly stride?: readonly number[];
  readonly padding?: readonly number[];
  readonly dilation?: readonly number[];
}

/** Along which axis to go; through all elements in row-major order unless told. */
export interface ScanOptions {
  readonly axis?: number;
}

/** How to count. */
export interface HistogramOptions {
  /** A number of bins, 10 unless told, or an array of their edges. */
  readonly bins?: Operand;
  /** What each element counts; 1 unless told. */
  readonly weights?: NdArray;
  /** Where the first bin begins; at the smallest element unless told. */
  readonly low?: number;
  /** Where the last bin ends, itself included; at the largest element unless told. */
  readonly high?: number;
  /** Give counts that the area under them is 1. */
  readonly density?: boolean;
}

/** How a kernel moves over a sequence or an image, by axis. */
export interface ConvOptions {
  readonly stride?: readonly number[];
  readonly padding?: readonly number[];
  readonly dilation?: readonly number[];
  /** Channels are cut into this many groups, which do not see each other; 1 unless told. */
  readonly groups?: number;
}

/** What arrays inherit, after the operations of the engine's registry and the functions of its library. */
export abstract class Composed extends LibraryMethods {
  /** Sums of all elements up to each, along an axis or in row-major order. */
  cumsum(options: ScanOptions = {}): NdArray {
    return this.#scan("cumsum", options);
  }

  /** Products of all elements up to each, along an axis or in row-major order. */
  cumprod(options: ScanOptions = {}): NdArray {
    return this.#scan("cumprod", options);
  }

  /** The largest of all elements up to each, along an axis or in row-major order. */
  cummax(options: ScanOptions = {}): NdArray {
    return this.#scan("cummax", options);
  }

  /** The smallest of all elements up to each, along an axis or in row-major order. */
  cummin(options: ScanOptions = {}): NdArray {
    return this.#scan("cummin", options);
  }

  #scan(name: string, { axis }: ScanOptions): NdArray {
    return axis === undefined ? this.call("flatten").call(name, [], { axis: 0 }) : this.call(name, [], { axis });
  }

  /**
   * How many elements fall into each bin, and the edges of the bins: NumPy's `histogram`, with a number of bins (10 unless told) or an
   * array of edges, over the range from `low` to `high` or that of the elements.
   */
  histogram(options?: HistogramOptions): { counts: NdArray; edges: NdArray };
  /** How many elements lie in each of `nBins` equal parts of the range from `low` to `high`. */
  histogram(options: { readonly nBins: number; readonly low: number; readonly high: number }): NdArray;
  histogram(
    options: HistogramOptions & { readonly nBins?: number } = {},
  ): NdArray | { counts: NdArray; edges: NdArray } {
    const { nBins, low, high, density, bins, weights } = options;
    if (nBins !== undefined) return this.call("histogram", [], { n_bins: nBins, low, high });
    const inputs = given("histogram", [bins ?? (weights === undefined ? undefined : 10), weights]);
    const [counts, edges] = this.callMany("histogram", inputs, { low, high, density }) as [NdArray, NdArray];
    return { counts, edges };
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
}
