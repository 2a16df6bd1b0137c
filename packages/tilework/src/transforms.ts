// Functions of functions: gradients, Jacobians and products with them, and one slice's function for all slices.
//
// All of them call the function once, with arrays that are followed or that stand for slices, and build one lazy graph of it.

import type { NdArray } from "./nd_array.js";
import { TileworkError } from "./errors.js";
import { FileFunctions } from "./file_functions.js";

/** A function of arrays. */
type OfArrays = (...xs: NdArray[]) => NdArray;
/** A function of one array. */
type OfArray = (x: NdArray) => NdArray;

/** What a device inherits. */
export abstract class Transforms extends FileFunctions {
  /** @internal What each of `inputs`, which are followed, receives if `value` is the result. */
  protected abstract gradientsOf(value: NdArray, inputs: readonly NdArray[]): NdArray[];

  /** The derivative of `f`, which must give a single number, at `x`. */
  grad(f: OfArray, x: NdArray): NdArray {
    const { value, gradients } = this.valueAndGrad(f as OfArrays, [x]);
    value.dispose();
    return gradients[0] as NdArray;
  }

  /** The value of `f`, which must be a single number, and its derivative by each of `xs`, in their shapes. All are lazy. */
  valueAndGrad(f: OfArrays, xs: readonly NdArray[]): { value: NdArray; gradients: NdArray[] } {
    const traced = xs.map((x) => this.call("traced", [x]));
    try {
      const value = f(...traced);
      return { gradients: this.gradientsOf(value, traced), value: this.call("released", [value]) };
    } finally {
      for (const array of traced) array.dispose();
    }
  }

  /**
   * `f`, which is written for one slice, of all slices along `axis` (the first) of `xs` at once; the results lie along a first axis.
   *
   * `f` is called once, with stand-ins that have shapes and types but no values, so it cannot look at numbers. Its graph is then given
   * one more axis: nothing is repeated slice by slice but operations that cannot take one, such as convolutions.
   */
  vmap(f: OfArrays, xs: readonly NdArray[], { axis = 0 }: { readonly axis?: number } = {}): NdArray {
    if (xs.length === 0) throw new TileworkError("argument", "vmap: needs at least one array");
    const slices = xs.map((x) => this.call("stand_in", [x], { axis }));
    try {
      return this.call("batched", [f(...slices), ...slices, ...xs], { axis });
    } finally {
      for (const slice of slices) slice.dispose();
    }
  }

  /** The derivatives of all results of `f` by all elements of `x`: the shape of the result, then that of `x`. */
  jacobian(f: OfArray, x: NdArray): NdArray {
    return this.#followed(x, (traced) => {
      const y = f(traced);
      // The reverse rule of one result, made for all results at once.
      const unit = this.call("eye", [], { n: y.size }).cast(y.dtype).reshape([y.size, ...y.shape]);
      const rows = this.vmap((given) => this.#adjoint(traced, y, given as NdArray), [unit]);
      return this.call("released", [rows.reshape([...y.shape, ...x.shape])]);
    });
  }

  /** The second derivatives of `f`, which must give a single number: the shape of `x` twice. */
  hessian(f: OfArray, x: NdArray): NdArray {
    return this.jacobian((inner) => this.grad(f, inner), x);
  }

  /** The matrix of second derivatives of `f` times `v`, of the shape of `x`, without that matrix: for the price of a few gradients. */
  hvp(f: OfArray, x: NdArray, v: NdArray): NdArray {
    sameShape("hvp", x, v);
    return this.#followed(x, (traced) => this.call("released", [this.#adjoint(traced, this.grad(f, traced), v)]));
  }

  /** The value of `f` at `x`, and `u`, of its shape, times the Jacobian: what `x` receives if the result receives `u`. */
  vjp(f: OfArray, x: NdArray, u: NdArray): { value: NdArray; product: NdArray } {
    return this.#followed(x, (traced) => {
      const y = f(traced);
      sameShape("vjp", y, u);
      const product = this.#adjoint(traced, y, u);
      return { value: this.call("released", [y]), product };
    });
  }

  /** The value of `f` at `x`, and the Jacobian times `v`, of the shape of `x`: how the result changes in this direction. Exact. */
  jvp(f: OfArray, x: NdArray, v: NdArray): { value: NdArray; product: NdArray } {
    sameShape("jvp", x, v);
    return this.#followed(x, (traced) => {
      const y = f(traced);
      // The reverse rule is linear in what the result receives, so its own reverse rule goes forward. Any point will do for a linear
      // function but one where rules take an adjoint of 0 for one that stays 0: these numbers have no pattern that could cancel.
      const index = this.call("arange", [], { n: y.size }).cast(y.dtype).reshape(y.shape);
      const product = this.#followed(index.mul(0.6180339887).fract().add(0.5), (u) => {
        return this.#adjoint(u, this.#adjoint(traced, y, u), v);
      });
      return { value: this.call("released", [y]), product };
    });
  }

  /** What `x`, which is followed, receives if `y` receives `given`. */
  #adjoint(x: NdArray, y: NdArray, given: NdArray): NdArray {
    return this.gradientsOf(y.mul(given.cast(y.dtype)).sum(), [x])[0] as NdArray;
  }

  /** What `build` makes of `x` while it is followed. */
  #followed<T>(x: NdArray, build: (traced: NdArray) => T): T {
    const traced = this.call("traced", [x]);
    try {
      return build(traced);
    } finally {
      traced.dispose();
    }
  }
}

function sameShape(what: string, x: NdArray, other: NdArray): void {
  if (`${x.shape}` === `${other.shape}` && other.dtype !== "bool") return;
  throw new TileworkError("shape", `${what}: [${other.shape}] of ${other.dtype} is no direction for [${x.shape}]`);
}
