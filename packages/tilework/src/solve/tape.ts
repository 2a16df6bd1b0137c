// What residual functions record onto: operations in the order they were made, equal ones once.

import { TileworkError } from "../errors.js";

/** Codes of nodes that are no operation; operations follow from 16 on. */
export const [NUMBER, PARAM, DATUM] = [0, 1, 2];

/** One argument of a function: a block of a set, or one block for each of many instances. */
export interface Argument {
  /** Number of the set. */
  readonly set: number;
  /** The block of this instance, or of every instance. */
  readonly block: number | Uint32Array;
}

/** Nodes are numbered by 23 bits, so that a code and two of them make one exact number: the key of an operation. */
const MAX_NODES = 2 ** 23;
const [CODE, FIRST] = [2 ** 46, 2 ** 23];

/** Nodes as plain arrays. The arguments of a node come before it. */
export class Tape {
  /** By node, what it is. */
  readonly codes: number[] = [];
  /** By node: the arguments of an operation; which argument and component; which datum. */
  readonly a: number[] = [];
  readonly b: number[] = [];
  readonly c: number[] = [];
  /** By node, how many arguments it has. */
  readonly arities: number[] = [];
  /** By node, the value of a number. */
  readonly values: number[] = [];
  /** Blocks that leaves read. */
  readonly args: Argument[] = [];
  /** Numbers of the instance, or one for each of many. */
  readonly data: (number | Float64Array)[] = [];
  readonly #numbers = new Map<number, number>();
  readonly #ops = new Map<number, number>();
  readonly #selects = new Map<string, number>();
  readonly #leaves = new Map<number, number>();
  readonly #argOf = new Map<number, Map<number, number>>();

  /** A number that is part of the function. */
  number(value: number): number {
    if (Number.isNaN(value)) throw new TileworkError("argument", "V.C: a number of the function is NaN");
    // 0 and −0 are one key of a map, and two numbers.
    if (Object.is(value, -0)) return this.#push(NUMBER, 0, 0, 0, value);
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const node = this.#push(NUMBER, 0, 0, 0, value);
    this.#numbers.set(value, node);
    return node;
  }

  /** A number that belongs to the instance. Every call is a number of its own, whatever its value: values do not make kernels. */
  datum(value: number | Float64Array): number {
    this.data.push(value);
    return this.#push(DATUM, this.data.length - 1, 0, 0, 0);
  }

  /** The argument that is block `block` of set `set`. */
  block(set: number, block: number): number {
    let blocks = this.#argOf.get(set);
    if (blocks === undefined) this.#argOf.set(set, (blocks = new Map<number, number>()));
    let arg = blocks.get(block);
    if (arg === undefined) blocks.set(block, (arg = this.argument({ set, block })));
    return arg;
  }

  /** A new argument. */
  argument(argument: Argument): number {
    this.args.push(argument);
    return this.args.length - 1;
  }

  /** Number `component` of an argument. */
  param(arg: number, component: number): number {
    const key = arg * FIRST + component;
    let node = this.#leaves.get(key);
    if (node === undefined) this.#leaves.set(key, (node = this.#push(PARAM, arg, component, 0, 0)));
    return node;
  }

  /** An operation on one to three nodes. */
  op(code: number, a: number, b?: number, c?: number): number {
    if (b !== undefined && c !== undefined) {
      const key = `${code},${a},${b},${c}`;
      let node = this.#selects.get(key);
      if (node === undefined) this.#selects.set(key, (node = this.#push(code, a, b, c, 0, 3)));
      return node;
    }
    const key = code * CODE + a * FIRST + (b ?? 0);
    let node = this.#ops.get(key);
    if (node === undefined) this.#ops.set(key, (node = this.#push(code, a, b ?? 0, 0, 0, b === undefined ? 1 : 2)));
    return node;
  }

  #push(code: number, a: number, b: number, c: number, value: number, arity = 0): number {
    const node = this.codes.length;
    if (node >= MAX_NODES) throw new TileworkError("too_large", `a recording has at most ${MAX_NODES} operations; add residuals by lists of indices`);
    this.codes.push(code);
    this.a.push(a);
    this.b.push(b);
    this.c.push(c);
    this.values.push(value);
    this.arities.push(arity);
    return node;
  }
}

let current: Tape | undefined;

/** The tape that is being recorded onto. */
export function tape(): Tape {
  if (current === undefined) throw new TileworkError("argument", "V: values are recorded inside of residual functions only");
  return current;
}

/** Runs `work` with everything it makes recorded onto `onto`. */
export function recordOnto<T>(onto: Tape, work: () => T): T {
  const before = current;
  current = onto;
  try {
    return work();
  } finally {
    current = before;
  }
}
