// Vectors of recorded numbers.

import { type Operand, Scalar } from "./scalar.js";
import { V } from "./v.js";

/** What two to four recorded numbers have in common. `Self` is the class itself. */
abstract class Vector<Self extends Vector<Self>> {
  /** Its numbers. */
  abstract toArray(): Scalar[];
  /** @internal A vector of the same size. */
  abstract made(numbers: readonly Scalar[]): Self;

  /** The sum of both. */
  add(other: Self): Self {
    return this.#zip(other, (a, b) => a.add(b));
  }

  /** The difference of both. */
  sub(other: Self): Self {
    return this.#zip(other, (a, b) => a.sub(b));
  }

  /** Every number times `factor`, or times the number of a vector beside it. */
  mul(factor: Operand | Self): Self {
    return factor instanceof Vector ? this.#zip(factor, (a, b) => a.mul(b)) : this.#map((a) => a.mul(factor));
  }

  /** Every number divided by `divisor`. */
  div(divisor: Operand): Self {
    return this.#map((a) => a.div(divisor));
  }

  /** The opposite. */
  neg(): Self {
    return this.#map((a) => a.neg());
  }

  /** The scalar product. */
  dot(other: Self): Scalar {
    const others = other.toArray();
    return V.sum(this.toArray().map((a, k) => a.mul(others[k] ?? 0)));
  }

  /** The square of its length. */
  norm2(): Scalar {
    return V.sum(this.toArray().map((a) => a.mul(a)));
  }

  /** Its length; the derivative at zero is 0. */
  norm(): Scalar {
    return this.norm2().sqrt();
  }

  /** The vector of length 1 in its direction; zero stays zero, and nothing becomes infinite there. */
  normalize(): Self {
    const norm = this.norm();
    const isLong = norm.gt(0);
    const scale = isLong.select(isLong.select(norm, 1).recip(), 0);
    return this.#map((a) => a.mul(scale));
  }

  /** The distance between two points. */
  distance(other: Self): Scalar {
    return this.sub(other).norm();
  }

  /** The point `share` of the way to `other`. */
  lerp(other: Self, share: Operand): Self {
    return this.add(other.sub(this.made(this.toArray())).mul(share));
  }

  #map(each: (a: Scalar) => Scalar): Self {
    return this.made(this.toArray().map(each));
  }

  #zip(other: Self, each: (a: Scalar, b: Scalar) => Scalar): Self {
    const others = other.toArray();
    return this.made(this.toArray().map((a, k) => each(a, others[k] ?? V.C(0))));
  }
}

/** A recorded number, whatever was given. */
function scalar(operand: Operand | undefined): Scalar {
  return operand instanceof Scalar ? operand : V.C(operand ?? 0);
}

/** Two recorded numbers. */
export class Vec2 extends Vector<Vec2> {
  readonly x: Scalar;
  readonly y: Scalar;

  constructor(x: Operand, y: Operand) {
    super();
    [this.x, this.y] = [scalar(x), scalar(y)];
  }

  override toArray(): Scalar[] {
    return [this.x, this.y];
  }

  /** @internal */
  override made([x, y]: readonly Scalar[]): Vec2 {
    return new Vec2(scalar(x), scalar(y));
  }

  /** `x·y' − y·x'`: the area both span, with a sign. */
  cross(other: Vec2): Scalar {
    return this.x.mul(other.y).sub(this.y.mul(other.x));
  }

  /** Turned by a quarter, counter-clockwise. */
  perpendicular(): Vec2 {
    return new Vec2(this.y.neg(), this.x);
  }
}

/** Three recorded numbers. */
export class Vec3 extends Vector<Vec3> {
  readonly x: Scalar;
  readonly y: Scalar;
  readonly z: Scalar;

  constructor(x: Operand, y: Operand, z: Operand) {
    super();
    [this.x, this.y, this.z] = [scalar(x), scalar(y), scalar(z)];
  }

  override toArray(): Scalar[] {
    return [this.x, this.y, this.z];
  }

  /** @internal */
  override made([x, y, z]: readonly Scalar[]): Vec3 {
    return new Vec3(scalar(x), scalar(y), scalar(z));
  }

  /** The vector product. */
  cross(other: Vec3): Vec3 {
    const minor = (a: Scalar, b: Scalar, c: Scalar, d: Scalar): Scalar => a.mul(d).sub(b.mul(c));
    const [x, y, z] = [minor(this.y, this.z, other.y, other.z), minor(this.z, this.x, other.z, other.x), minor(this.x, this.y, other.x, other.y)];
    return new Vec3(x, y, z);
  }
}

/** Four recorded numbers. */
export class Vec4 extends Vector<Vec4> {
  readonly x: Scalar;
  readonly y: Scalar;
  readonly z: Scalar;
  readonly w: Scalar;

  constructor(x: Operand, y: Operand, z: Operand, w: Operand) {
    super();
    [this.x, this.y, this.z, this.w] = [scalar(x), scalar(y), scalar(z), scalar(w)];
  }

  override toArray(): Scalar[] {
    return [this.x, this.y, this.z, this.w];
  }

  /** @internal */
  override made([x, y, z, w]: readonly Scalar[]): Vec4 {
    return new Vec4(scalar(x), scalar(y), scalar(z), scalar(w));
  }
}

/** What a residual function may return: any number of residuals. */
export type Residuals = Scalar | Vec2 | Vec3 | Vec4 | readonly Residuals[];

/** All recorded numbers of a result, one after the other. */
export function flattened(result: Residuals): Scalar[] {
  if (result instanceof Scalar) return [result];
  if (result instanceof Vec2 || result instanceof Vec3 || result instanceof Vec4) return result.toArray();
  return Array.isArray(result) ? result.flatMap(flattened) : [scalar(result as never)];
}

/** A block of `dim` numbers as what functions see of it. */
export function blockOf(numbers: readonly Scalar[]): Scalar | Vec2 | Vec3 | Vec4 | Scalar[] {
  const [x, y, z, w] = numbers;
  if (numbers.length === 1) return scalar(x);
  if (numbers.length === 2) return new Vec2(scalar(x), scalar(y));
  if (numbers.length === 3) return new Vec3(scalar(x), scalar(y), scalar(z));
  return numbers.length === 4 ? new Vec4(scalar(x), scalar(y), scalar(z), scalar(w)) : [...numbers];
}
