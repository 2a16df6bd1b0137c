// Random numbers.

import type { Attrs, Operand } from "./backend.js";
import { LibraryDraws } from "./generated/library.js";
import type { NdArray } from "./nd_array.js";
import type { Tilework } from "./tilework.js";

/**
 * A generator of random arrays. It counts its draws: the same seed gives the same sequence of arrays, on every device. Nothing is
 * kept on the device but the arrays.
 */
export class Random extends LibraryDraws {
  readonly #owner: Tilework;
  readonly seed: number;
  #draw = 0;

  /** @internal */
  constructor(owner: Tilework, seed: number) {
    super();
    this.#owner = owner;
    this.seed = seed;
  }

  /** Evenly spread from `low` (0) up to, but not including, `high` (1). */
  uniform(shape: readonly number[], options: { readonly low?: number; readonly high?: number } = {}): NdArray {
    return this.next("random_uniform", { shape, ...options });
  }

  /** Normally distributed, around `mean` (0) with this standard `deviation` (1). */
  normal(shape: readonly number[], options: { readonly mean?: number; readonly deviation?: number } = {}): NdArray {
    return this.next("random_normal", { shape, ...options });
  }

  /** Exponentially distributed, with mean `scale` (1). */
  exponential(shape: readonly number[], options: { readonly scale?: number } = {}): NdArray {
    return this.next("random_exponential", { shape, ...options });
  }

  /** True with probability `p`. */
  bernoulli(shape: readonly number[], options: { readonly p: number }): NdArray {
    return this.next("random_bernoulli", { shape, ...options });
  }

  /** Integers from `low` up to, but not including, `high`. */
  integers(shape: readonly number[], options: { readonly low: number; readonly high: number }): NdArray {
    return this.next("random_integers", { shape, ...options });
  }

  /** All 32 bits, as uint32. */
  bits(shape: readonly number[]): NdArray {
    return this.next("random_words", { shape });
  }

  /** Slices of `array` along `axis` (0), drawn with replacement. */
  choice(array: NdArray, shape: readonly number[], options: { readonly axis?: number } = {}): NdArray {
    return this.next("random_choice", { shape, ...options }, [array]);
  }

  /** The numbers 0, 1 ... n - 1 in random order, as int32, or the slices of an array along its first axis. */
  permutation(of: number | NdArray): NdArray {
    return typeof of === "number" ? this.next("random_permutation", { n: of }) : this.shuffle(of);
  }

  /** The slices of `array` along `axis` (0) in random order: a new array, as arrays do not change. */
  shuffle(array: NdArray, options: { readonly axis?: number } = {}): NdArray {
    return this.next("random_shuffle", options, [array]);
  }

  /** `n` slices of `array` along `axis` (0), none of them twice. */
  choiceDistinct(array: NdArray, n: number, options: { readonly axis?: number } = {}): NdArray {
    return this.next("random_choice_distinct", { n, ...options }, [array]);
  }

  /** @internal */
  protected override next(name: string, attrs: Attrs, inputs: readonly Operand[] = []): NdArray {
    const array = this.#owner.call(name, inputs, { ...attrs, seed: this.seed, draw: this.#draw });
    this.#draw += 1;
    return array;
  }
}
