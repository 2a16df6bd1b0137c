// Questions about element types, by NumPy's names.

import type { TypeRules } from "./backend.js";
import { type DType, isDType } from "./dtypes.js";
import { TileworkError } from "./errors.js";
import { LibraryFunctions } from "./generated/library.js";

/** A type, or an array of it. */
export type Typed = DType | { readonly dtype: DType };

/** What a type of floats can hold; of a complex type, its parts. */
export interface FloatInfo {
  readonly dtype: DType;
  readonly bits: number;
  /** Distance from 1 to the next number. */
  readonly eps: number;
  readonly max: number;
  readonly min: number;
  /** The smallest positive number with all digits. */
  readonly smallestNormal: number;
  /** Decimal digits that are kept, as a power of ten. */
  readonly resolution: number;
}

/** What a type of integers can hold. */
export interface IntegerInfo {
  readonly dtype: DType;
  readonly bits: number;
  /** A BigInt for 64-bit types, whose ends are no numbers of JavaScript. */
  readonly min: number | bigint;
  readonly max: number | bigint;
}

/** Kinds of types, as the array API names them. */
export type TypeKind = "bool" | "signed integer" | "unsigned integer" | "integral" | "real floating" | "complex floating" | "numeric";

/** What a kind that is several has. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  integral: ["signed integer", "unsigned integer"],
  numeric: ["signed integer", "unsigned integer", "real floating", "complex floating"],
};
const NAMES: readonly string[] = ["bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"];

/** What a device inherits. */
export abstract class TypeFunctions extends LibraryFunctions {
  /** @internal */
  protected abstract get types(): TypeRules;

  /** The type that all of these become when they meet in an operation. */
  resultType(...of: readonly Typed[]): DType {
    return this.types.resultType(of.map(nameOf));
  }

  /** Whether every value of one type is one of the other, too. */
  canCast(from: Typed, to: DType): boolean {
    return this.types.canCast(nameOf(from), to);
  }

  /** What a type of floats can hold. */
  finfo(of: Typed): FloatInfo {
    const dtype = nameOf(of);
    const [bits, eps, max, smallestNormal, resolution] = this.types.finfo(dtype) as [number, number, number, number, number];
    return { dtype, bits, eps, max, min: -max, smallestNormal, resolution };
  }

  /** What a type of integers can hold. */
  iinfo(of: Typed): IntegerInfo {
    const dtype = nameOf(of);
    const [low, high] = this.types.iinfo(dtype) as [string, string];
    const bits = Number(dtype.replace(/^u?int/, ""));
    const value = bits > 32 ? BigInt : Number;
    return { dtype, bits, min: value(low), max: value(high) };
  }

  /** Whether a type is another one, or of a kind, or any of several of those. */
  isdtype(of: Typed, kind: TypeKind | DType | readonly (TypeKind | DType)[]): boolean {
    if (typeof kind !== "string") return kind.some((one) => this.isdtype(of, one));
    const dtype = nameOf(of);
    const own = this.types.kindOf(dtype);
    if (NAMES.includes(kind)) return own === kind || (KINDS[kind]?.includes(own) ?? false);
    if (!isDType(kind)) throw new TileworkError("argument", `isdtype: there is no kind "${kind}"`);
    return dtype === kind;
  }
}

function nameOf(of: Typed): DType {
  return typeof of === "string" ? of : of.dtype;
}
