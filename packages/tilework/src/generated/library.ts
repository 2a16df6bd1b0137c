// Generated from the functions of the library by crates/tilework-conformance/tests/typings.rs, which fails if this file is stale.
// Do not edit.

import type { Attrs, Operand } from "../backend.js";
import type { NdArray } from "../nd_array.js";
import { Operations } from "./ops.js";

/** The functions that start from an array. */
export abstract class LibraryMethods extends Operations {
  /** @internal */
  abstract callMany(name: string, inputs?: readonly Operand[], attrs?: Attrs): NdArray[];
  /** @internal */
  abstract callLater(name: string, inputs?: readonly Operand[], attrs?: Attrs): Promise<NdArray[]>;
}

/** The functions that start from nothing, or from several arrays alike. */
export abstract class LibraryFunctions {
  /** @internal */
  abstract call(name: string, inputs: readonly Operand[], attrs?: Attrs): NdArray;
  /** @internal */
  abstract callMany(name: string, inputs: readonly Operand[], attrs?: Attrs): NdArray[];
  /** @internal */
  abstract callLater(name: string, inputs: readonly Operand[], attrs?: Attrs): Promise<NdArray[]>;
}

/** The functions that draw. */
export abstract class LibraryDraws {
  /** @internal The next draw. */
  protected abstract next(name: string, attrs: Attrs, inputs?: readonly Operand[]): NdArray;
}
