// The functions an expression may call, by the names of the engine's scalar table.
import type { NdArray } from "tilework";

interface ScalarFunction {
  readonly nArgs: number;
  readonly apply: (x: NdArray, y: NdArray | number) => NdArray;
}

function unary(apply: (x: NdArray) => NdArray): ScalarFunction {
  return { nArgs: 1, apply };
}

function binary(apply: (x: NdArray, y: NdArray | number) => NdArray): ScalarFunction {
  return { nArgs: 2, apply };
}

export const CONSTANTS: Record<string, number> = { pi: Math.PI, tau: 2 * Math.PI, e: Math.E };

export const FUNCTIONS: Record<string, ScalarFunction> = {
  sin: unary((x) => x.sin()), cos: unary((x) => x.cos()), tan: unary((x) => x.tan()),
  asin: unary((x) => x.asin()), acos: unary((x) => x.acos()), atan: unary((x) => x.atan()),
  sinh: unary((x) => x.sinh()), cosh: unary((x) => x.cosh()), tanh: unary((x) => x.tanh()),
  asinh: unary((x) => x.asinh()), acosh: unary((x) => x.acosh()), atanh: unary((x) => x.atanh()),
  exp: unary((x) => x.exp()), exp2: unary((x) => x.exp2()), expm1: unary((x) => x.expm1()),
  log: unary((x) => x.log()), ln: unary((x) => x.log()), log2: unary((x) => x.log2()), log10: unary((x) => x.log10()), log1p: unary((x) => x.log1p()),
  sqrt: unary((x) => x.sqrt()), rsqrt: unary((x) => x.rsqrt()), cbrt: unary((x) => x.cbrt()), recip: unary((x) => x.recip()),
  abs: unary((x) => x.abs()), sign: unary((x) => x.sign()), floor: unary((x) => x.floor()), ceil: unary((x) => x.ceil()),
  round: unary((x) => x.round()), trunc: unary((x) => x.trunc()), fract: unary((x) => x.fract()),
  erf: unary((x) => x.erf()), erfc: unary((x) => x.erfc()), sigmoid: unary((x) => x.sigmoid()), softplus: unary((x) => x.softplus()),
  silu: unary((x) => x.silu()), gelu: unary((x) => x.gelu()), gelu_tanh: unary((x) => x.geluTanh()), relu: unary((x) => x.relu()),
  neg: unary((x) => x.neg()), square: unary((x) => x.square()),
  add: binary((x, y) => x.add(y)), sub: binary((x, y) => x.sub(y)), mul: binary((x, y) => x.mul(y)), div: binary((x, y) => x.div(y)),
  rem: binary((x, y) => x.rem(y)), pow: binary((x, y) => (y === 2 ? x.square() : x.pow(y))), hypot: binary((x, y) => x.hypot(y)),
  atan2: binary((x, y) => x.atan2(y)), min: binary((x, y) => x.minimum(y)), max: binary((x, y) => x.maximum(y)), copysign: binary((x, y) => x.copysign(y)),
};
