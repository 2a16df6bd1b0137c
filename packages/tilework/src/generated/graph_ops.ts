// Generated from the scalar table and the lists of the solver by crates/tilework-solve/tests/typings.rs, which fails if this
// file is stale. Do not edit.

import type { Operand, Scalar } from "../solve/scalar.js";

/** The first words of a recording: what it is, and which list of operations its codes belong to. */
export const [MAGIC, FINGERPRINT] = [0x31525754, 0x2bd44689];

/** Losses in the order of their codes. */
export const LOSSES = ["squared", "huber", "soft-l1", "cauchy", "arctan", "tukey", "geman-mcclure", "welsch", "barron"] as const;

/** What can be asked of a mesh. */
export type MeshEnergyName = "springs" | "even-edges" | "arap" | "smoothing" | "bending" | "developability" | "area" | "volume" | "shrink" | "inflate" | "box" | "hold";

/** Where blocks of parameters live. */
export type ManifoldName = "euclidean" | "sphere" | "quaternion" | "so2" | "so3" | "se2" | "se3";

/** Ways to a minimum. */
export type MethodName = "lm" | "dogleg" | "gauss-newton" | "lbfgs" | "newton";

/** Ways to solve linear systems. */
export type LinearName = "auto" | "qr" | "cholesky" | "schur" | "pcg";

/** A method for every operation of the table. */
export abstract class ScalarOps {
  /** @internal Records an operation with this as its first argument. */
  abstract apply(code: number, others: readonly Operand[]): Scalar;

  /** `add`. */
  add(other: Operand): Scalar {
    return this.apply(16, [other]);
  }

  /** `sub`. */
  sub(other: Operand): Scalar {
    return this.apply(17, [other]);
  }

  /** `mul`. */
  mul(other: Operand): Scalar {
    return this.apply(18, [other]);
  }

  /** `neg`. */
  neg(): Scalar {
    return this.apply(19, []);
  }

  /** `abs`. */
  abs(): Scalar {
    return this.apply(20, []);
  }

  /** `sign`. Its derivative is 0. */
  sign(): Scalar {
    return this.apply(21, []);
  }

  /** `minimum`. */
  minimum(other: Operand): Scalar {
    return this.apply(22, [other]);
  }

  /** `maximum`. */
  maximum(other: Operand): Scalar {
    return this.apply(23, [other]);
  }

  /** `rem`. */
  rem(other: Operand): Scalar {
    return this.apply(24, [other]);
  }

  /** `floor_div`. Its derivative is 0. */
  floorDiv(other: Operand): Scalar {
    return this.apply(25, [other]);
  }

  /** `div`. */
  div(other: Operand): Scalar {
    return this.apply(26, [other]);
  }

  /** `recip`. */
  recip(): Scalar {
    return this.apply(27, []);
  }

  /** `floor`. Its derivative is 0. */
  floor(): Scalar {
    return this.apply(28, []);
  }

  /** `ceil`. Its derivative is 0. */
  ceil(): Scalar {
    return this.apply(29, []);
  }

  /** `round`. Its derivative is 0. */
  round(): Scalar {
    return this.apply(30, []);
  }

  /** `trunc`. Its derivative is 0. */
  trunc(): Scalar {
    return this.apply(31, []);
  }

  /** `round_half`. */
  roundHalf(): Scalar {
    return this.apply(32, []);
  }

  /** `fract`. */
  fract(): Scalar {
    return this.apply(33, []);
  }

  /** `copysign`. */
  copysign(other: Operand): Scalar {
    return this.apply(34, [other]);
  }

  /** `sqrt`. */
  sqrt(): Scalar {
    return this.apply(35, []);
  }

  /** `rsqrt`. */
  rsqrt(): Scalar {
    return this.apply(36, []);
  }

  /** `cbrt`. */
  cbrt(): Scalar {
    return this.apply(37, []);
  }

  /** `pow`. */
  pow(other: Operand): Scalar {
    return this.apply(38, [other]);
  }

  /** `hypot`. */
  hypot(other: Operand): Scalar {
    return this.apply(39, [other]);
  }

  /** `exp`. */
  exp(): Scalar {
    return this.apply(40, []);
  }

  /** `exp2`. */
  exp2(): Scalar {
    return this.apply(41, []);
  }

  /** `expm1`. */
  expm1(): Scalar {
    return this.apply(42, []);
  }

  /** `log`. */
  log(): Scalar {
    return this.apply(43, []);
  }

  /** `log2`. */
  log2(): Scalar {
    return this.apply(44, []);
  }

  /** `log10`. */
  log10(): Scalar {
    return this.apply(45, []);
  }

  /** `log1p`. */
  log1p(): Scalar {
    return this.apply(46, []);
  }

  /** `sin`. */
  sin(): Scalar {
    return this.apply(47, []);
  }

  /** `cos`. */
  cos(): Scalar {
    return this.apply(48, []);
  }

  /** `tan`. */
  tan(): Scalar {
    return this.apply(49, []);
  }

  /** `asin`. */
  asin(): Scalar {
    return this.apply(50, []);
  }

  /** `acos`. */
  acos(): Scalar {
    return this.apply(51, []);
  }

  /** `atan`. */
  atan(): Scalar {
    return this.apply(52, []);
  }

  /** `atan2`. */
  atan2(other: Operand): Scalar {
    return this.apply(53, [other]);
  }

  /** `sinh`. */
  sinh(): Scalar {
    return this.apply(54, []);
  }

  /** `cosh`. */
  cosh(): Scalar {
    return this.apply(55, []);
  }

  /** `tanh`. */
  tanh(): Scalar {
    return this.apply(56, []);
  }

  /** `asinh`. */
  asinh(): Scalar {
    return this.apply(57, []);
  }

  /** `acosh`. */
  acosh(): Scalar {
    return this.apply(58, []);
  }

  /** `atanh`. */
  atanh(): Scalar {
    return this.apply(59, []);
  }

  /** `erf`. */
  erf(): Scalar {
    return this.apply(60, []);
  }

  /** `erfc`. */
  erfc(): Scalar {
    return this.apply(61, []);
  }

  /** `sigmoid`. */
  sigmoid(): Scalar {
    return this.apply(62, []);
  }

  /** `softplus`. */
  softplus(): Scalar {
    return this.apply(63, []);
  }

  /** `silu`. */
  silu(): Scalar {
    return this.apply(64, []);
  }

  /** `gelu`. */
  gelu(): Scalar {
    return this.apply(65, []);
  }

  /** `gelu_tanh`. */
  geluTanh(): Scalar {
    return this.apply(66, []);
  }

  /** `eq`; a truth value. Its derivative is 0. */
  eq(other: Operand): Scalar {
    return this.apply(67, [other]);
  }

  /** `ne`; a truth value. Its derivative is 0. */
  ne(other: Operand): Scalar {
    return this.apply(68, [other]);
  }

  /** `lt`; a truth value. Its derivative is 0. */
  lt(other: Operand): Scalar {
    return this.apply(69, [other]);
  }

  /** `le`; a truth value. Its derivative is 0. */
  le(other: Operand): Scalar {
    return this.apply(70, [other]);
  }

  /** `gt`; a truth value. Its derivative is 0. */
  gt(other: Operand): Scalar {
    return this.apply(71, [other]);
  }

  /** `ge`; a truth value. Its derivative is 0. */
  ge(other: Operand): Scalar {
    return this.apply(72, [other]);
  }

  /** `is_nan`; a truth value. Its derivative is 0. */
  isNan(): Scalar {
    return this.apply(73, []);
  }

  /** `is_inf`; a truth value. Its derivative is 0. */
  isInf(): Scalar {
    return this.apply(74, []);
  }

  /** `is_finite`; a truth value. Its derivative is 0. */
  isFinite(): Scalar {
    return this.apply(75, []);
  }

  /** `and`; a truth value. Its derivative is 0. */
  and(other: Operand): Scalar {
    return this.apply(76, [other]);
  }

  /** `or`; a truth value. Its derivative is 0. */
  or(other: Operand): Scalar {
    return this.apply(77, [other]);
  }

  /** `xor`; a truth value. Its derivative is 0. */
  xor(other: Operand): Scalar {
    return this.apply(78, [other]);
  }

  /** `not`; a truth value. Its derivative is 0. */
  not(): Scalar {
    return this.apply(79, []);
  }

  /** `bit_and`; of integers. Its derivative is 0. */
  bitAnd(other: Operand): Scalar {
    return this.apply(80, [other]);
  }

  /** `bit_or`; of integers. Its derivative is 0. */
  bitOr(other: Operand): Scalar {
    return this.apply(81, [other]);
  }

  /** `bit_xor`; of integers. Its derivative is 0. */
  bitXor(other: Operand): Scalar {
    return this.apply(82, [other]);
  }

  /** `bit_not`; of integers. Its derivative is 0. */
  bitNot(): Scalar {
    return this.apply(83, []);
  }

  /** `shift_left`; of integers. Its derivative is 0. */
  shiftLeft(other: Operand): Scalar {
    return this.apply(84, [other]);
  }

  /** `shift_right`; of integers. Its derivative is 0. */
  shiftRight(other: Operand): Scalar {
    return this.apply(85, [other]);
  }

  /** `round_bfloat`. */
  roundBfloat(): Scalar {
    return this.apply(86, []);
  }

  /** `ifTrue` where this is true, else `ifFalse`. */
  select(ifTrue: Operand, ifFalse: Operand): Scalar {
    return this.apply(87, [ifTrue, ifFalse]);
  }
}

/** A function for every operation of the table. */
export interface ScalarFunctions {
  /** `add`. */
  add(x: Operand, y: Operand): Scalar;
  /** `sub`. */
  sub(x: Operand, y: Operand): Scalar;
  /** `mul`. */
  mul(x: Operand, y: Operand): Scalar;
  /** `neg`. */
  neg(x: Operand): Scalar;
  /** `abs`. */
  abs(x: Operand): Scalar;
  /** `sign`. Its derivative is 0. */
  sign(x: Operand): Scalar;
  /** `minimum`. */
  minimum(x: Operand, y: Operand): Scalar;
  /** `maximum`. */
  maximum(x: Operand, y: Operand): Scalar;
  /** `rem`. */
  rem(x: Operand, y: Operand): Scalar;
  /** `floor_div`. Its derivative is 0. */
  floorDiv(x: Operand, y: Operand): Scalar;
  /** `div`. */
  div(x: Operand, y: Operand): Scalar;
  /** `recip`. */
  recip(x: Operand): Scalar;
  /** `floor`. Its derivative is 0. */
  floor(x: Operand): Scalar;
  /** `ceil`. Its derivative is 0. */
  ceil(x: Operand): Scalar;
  /** `round`. Its derivative is 0. */
  round(x: Operand): Scalar;
  /** `trunc`. Its derivative is 0. */
  trunc(x: Operand): Scalar;
  /** `round_half`. */
  roundHalf(x: Operand): Scalar;
  /** `fract`. */
  fract(x: Operand): Scalar;
  /** `copysign`. */
  copysign(x: Operand, y: Operand): Scalar;
  /** `sqrt`. */
  sqrt(x: Operand): Scalar;
  /** `rsqrt`. */
  rsqrt(x: Operand): Scalar;
  /** `cbrt`. */
  cbrt(x: Operand): Scalar;
  /** `pow`. */
  pow(x: Operand, y: Operand): Scalar;
  /** `hypot`. */
  hypot(x: Operand, y: Operand): Scalar;
  /** `exp`. */
  exp(x: Operand): Scalar;
  /** `exp2`. */
  exp2(x: Operand): Scalar;
  /** `expm1`. */
  expm1(x: Operand): Scalar;
  /** `log`. */
  log(x: Operand): Scalar;
  /** `log2`. */
  log2(x: Operand): Scalar;
  /** `log10`. */
  log10(x: Operand): Scalar;
  /** `log1p`. */
  log1p(x: Operand): Scalar;
  /** `sin`. */
  sin(x: Operand): Scalar;
  /** `cos`. */
  cos(x: Operand): Scalar;
  /** `tan`. */
  tan(x: Operand): Scalar;
  /** `asin`. */
  asin(x: Operand): Scalar;
  /** `acos`. */
  acos(x: Operand): Scalar;
  /** `atan`. */
  atan(x: Operand): Scalar;
  /** `atan2`. */
  atan2(x: Operand, y: Operand): Scalar;
  /** `sinh`. */
  sinh(x: Operand): Scalar;
  /** `cosh`. */
  cosh(x: Operand): Scalar;
  /** `tanh`. */
  tanh(x: Operand): Scalar;
  /** `asinh`. */
  asinh(x: Operand): Scalar;
  /** `acosh`. */
  acosh(x: Operand): Scalar;
  /** `atanh`. */
  atanh(x: Operand): Scalar;
  /** `erf`. */
  erf(x: Operand): Scalar;
  /** `erfc`. */
  erfc(x: Operand): Scalar;
  /** `sigmoid`. */
  sigmoid(x: Operand): Scalar;
  /** `softplus`. */
  softplus(x: Operand): Scalar;
  /** `silu`. */
  silu(x: Operand): Scalar;
  /** `gelu`. */
  gelu(x: Operand): Scalar;
  /** `gelu_tanh`. */
  geluTanh(x: Operand): Scalar;
  /** `eq`; a truth value. Its derivative is 0. */
  eq(x: Operand, y: Operand): Scalar;
  /** `ne`; a truth value. Its derivative is 0. */
  ne(x: Operand, y: Operand): Scalar;
  /** `lt`; a truth value. Its derivative is 0. */
  lt(x: Operand, y: Operand): Scalar;
  /** `le`; a truth value. Its derivative is 0. */
  le(x: Operand, y: Operand): Scalar;
  /** `gt`; a truth value. Its derivative is 0. */
  gt(x: Operand, y: Operand): Scalar;
  /** `ge`; a truth value. Its derivative is 0. */
  ge(x: Operand, y: Operand): Scalar;
  /** `is_nan`; a truth value. Its derivative is 0. */
  isNan(x: Operand): Scalar;
  /** `is_inf`; a truth value. Its derivative is 0. */
  isInf(x: Operand): Scalar;
  /** `is_finite`; a truth value. Its derivative is 0. */
  isFinite(x: Operand): Scalar;
  /** `and`; a truth value. Its derivative is 0. */
  and(x: Operand, y: Operand): Scalar;
  /** `or`; a truth value. Its derivative is 0. */
  or(x: Operand, y: Operand): Scalar;
  /** `xor`; a truth value. Its derivative is 0. */
  xor(x: Operand, y: Operand): Scalar;
  /** `not`; a truth value. Its derivative is 0. */
  not(x: Operand): Scalar;
  /** `bit_and`; of integers. Its derivative is 0. */
  bitAnd(x: Operand, y: Operand): Scalar;
  /** `bit_or`; of integers. Its derivative is 0. */
  bitOr(x: Operand, y: Operand): Scalar;
  /** `bit_xor`; of integers. Its derivative is 0. */
  bitXor(x: Operand, y: Operand): Scalar;
  /** `bit_not`; of integers. Its derivative is 0. */
  bitNot(x: Operand): Scalar;
  /** `shift_left`; of integers. Its derivative is 0. */
  shiftLeft(x: Operand, y: Operand): Scalar;
  /** `shift_right`; of integers. Its derivative is 0. */
  shiftRight(x: Operand, y: Operand): Scalar;
  /** `round_bfloat`. */
  roundBfloat(x: Operand): Scalar;
  /** `ifTrue` where `x` is true, else `ifFalse`. */
  select(x: Operand, ifTrue: Operand, ifFalse: Operand): Scalar;
}

/** Names and codes of the functions. */
export const CODES: Readonly<Record<keyof ScalarFunctions, number>> = {
  add: 16,
  sub: 17,
  mul: 18,
  neg: 19,
  abs: 20,
  sign: 21,
  minimum: 22,
  maximum: 23,
  rem: 24,
  floorDiv: 25,
  div: 26,
  recip: 27,
  floor: 28,
  ceil: 29,
  round: 30,
  trunc: 31,
  roundHalf: 32,
  fract: 33,
  copysign: 34,
  sqrt: 35,
  rsqrt: 36,
  cbrt: 37,
  pow: 38,
  hypot: 39,
  exp: 40,
  exp2: 41,
  expm1: 42,
  log: 43,
  log2: 44,
  log10: 45,
  log1p: 46,
  sin: 47,
  cos: 48,
  tan: 49,
  asin: 50,
  acos: 51,
  atan: 52,
  atan2: 53,
  sinh: 54,
  cosh: 55,
  tanh: 56,
  asinh: 57,
  acosh: 58,
  atanh: 59,
  erf: 60,
  erfc: 61,
  sigmoid: 62,
  softplus: 63,
  silu: 64,
  gelu: 65,
  geluTanh: 66,
  eq: 67,
  ne: 68,
  lt: 69,
  le: 70,
  gt: 71,
  ge: 72,
  isNan: 73,
  isInf: 74,
  isFinite: 75,
  and: 76,
  or: 77,
  xor: 78,
  not: 79,
  bitAnd: 80,
  bitOr: 81,
  bitXor: 82,
  bitNot: 83,
  shiftLeft: 84,
  shiftRight: 85,
  roundBfloat: 86,
  select: 87,
};
