// Operations that the engine composes of others.

import { LibraryMethods } from "./generated/library.js";
import type { NdArray } from "./nd_array.js";

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

/** What arrays inherit, after the operations of the engine's registry and the functions of its library. */
export abstract class Composed extends LibraryMethods {
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
