// `V`: everything a residual function is made of.

import { TileworkError } from "../errors.js";
import { CODES, type ScalarFunctions } from "../generated/graph_ops.js";
import type { ParamSet } from "./params.js";
import { type Operand, record, Scalar } from "./scalar.js";
import { tape } from "./tape.js";

/** Ways to make recorded numbers that are no operation. */
export interface ScalarSources {
  /** A number that is part of the function: other numbers make other kernels. Plain numbers in operations are the same. */
  C(value: number): Scalar;
  /** A number of this instance: instances that differ in it share their kernel. */
  W(value: number): Scalar;
  /** Number `component` of block `block`. */
  param(set: ParamSet<number>, block: number, component?: number): Scalar;
  /** All numbers of block `block`. */
  params(set: ParamSet<number>, block: number): Scalar[];
  /** The sum of all. */
  sum(values: readonly Operand[]): Scalar;
  /** `x²`. */
  square(x: Operand): Scalar;
  /** At least `low` and at most `high`. */
  clamp(x: Operand, low: Operand, high: Operand): Scalar;
}

function params(set: ParamSet<number>, block: number): Scalar[] {
  const onto = tape();
  if (!Number.isInteger(block) || block < 0 || block >= set.count) throw new TileworkError("shape", `V.param: block ${block} of ${set.count}`);
  const arg = onto.block(set.number, block);
  return Array.from({ length: set.dim }, (_, component) => new Scalar(onto, onto.param(arg, component)));
}

function param(set: ParamSet<number>, block: number, component = 0): Scalar {
  const found = params(set, block)[component];
  if (found === undefined) throw new TileworkError("shape", `V.param: number ${component} of a block of ${set.dim}`);
  return found;
}

function sum(values: readonly Operand[]): Scalar {
  const [first, ...rest] = values;
  if (first === undefined) return sources.C(0);
  return rest.reduce<Scalar>((total, value) => total.add(value), first instanceof Scalar ? first : sources.C(first));
}

const sources: ScalarSources = {
  C: (value) => new Scalar(tape(), tape().number(value)),
  W(value) {
    if (!Number.isFinite(value)) throw new TileworkError("argument", `V.W: a number of the instance is ${value}`);
    return new Scalar(tape(), tape().datum(value));
  },
  param,
  params,
  sum,
  square: (x) => V.mul(x, x),
  clamp: (x, low, high) => V.minimum(V.maximum(x, low), high),
};

const functions = Object.fromEntries(
  Object.entries(CODES).map(([name, code]) => [name, (...operands: Operand[]): Scalar => record(code, operands)]),
) as unknown as ScalarFunctions;

/** Records residual functions: numbers, parameters, and a function for every operation of the engine's table. */
export const V: Readonly<ScalarSources & ScalarFunctions> = { ...functions, ...sources };
