// Sets of parameters, as functions refer to them.

import type { Scalar } from "./scalar.js";
import type { Vec2, Vec3, Vec4 } from "./vectors.js";

/** A set of blocks of `Dim` numbers each. */
export class ParamSet<Dim extends number> {
  /** Numbers of a block. */
  readonly dim: Dim;
  /** Blocks of the set. */
  readonly count: number;
  /** @internal Which set of its problem it is. */
  readonly number: number;

  /** @internal */
  constructor(dim: Dim, count: number, number: number) {
    this.dim = dim;
    this.count = count;
    this.number = number;
  }
}

/** What a function sees of a block of `Dim` numbers. */
export type BlockOf<Dim extends number> = number extends Dim
  ? Scalar | Vec2 | Vec3 | Vec4 | Scalar[]
  : Dim extends 1
    ? Scalar
    : Dim extends 2
      ? Vec2
      : Dim extends 3
        ? Vec3
        : Dim extends 4
          ? Vec4
          : Scalar[];
