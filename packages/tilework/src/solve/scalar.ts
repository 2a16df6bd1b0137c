// Recorded numbers: what a residual function computes with instead of numbers.

import { TileworkError } from "../errors.js";
import { ScalarOps } from "../generated/graph_ops.js";
import { type Tape, tape } from "./tape.js";

/** What operations take: a recorded number, or a plain one, which becomes part of the function. */
export type Operand = Scalar | number;

/** A number of a residual function. It has a method for every operation: `x.mul(y).sin()`. */
export class Scalar extends ScalarOps {
  readonly #tape: Tape;
  readonly #node: number;

  /** @internal */
  constructor(onto: Tape, node: number) {
    super();
    this.#tape = onto;
    this.#node = node;
  }

  /** @internal The node of an operand on a tape: the one that is being recorded onto, unless told. */
  static nodeOf(operand: Operand, onto: Tape = tape()): number {
    if (typeof operand === "number") return onto.number(operand);
    if (!(operand instanceof Scalar)) throw new TileworkError("argument", `V: ${describe(operand)} is neither a number nor a recorded one`);
    if (operand.#tape !== onto) throw new TileworkError("argument", "V: a value of another residual function; values live as long as the call that made them");
    return operand.#node;
  }

  /** @internal */
  override apply(code: number, others: readonly Operand[]): Scalar {
    return record(code, [this, ...others]);
  }

  /** Its square. */
  square(): Scalar {
    return this.mul(this);
  }

  /** At least `low` and at most `high`. */
  clamp(low: Operand, high: Operand): Scalar {
    return this.maximum(low).minimum(high);
  }

  /** Arithmetic with operators would silently give NaN; this says what to write instead. */
  [Symbol.toPrimitive](): never {
    throw new TileworkError("argument", "V: recorded numbers have no operators; write a.add(b), a.mul(b) and so on");
  }
}

/** Records an operation. */
export function record(code: number, operands: readonly Operand[]): Scalar {
  const onto = tape();
  const [a = 0, b, c] = operands.map((operand) => Scalar.nodeOf(operand));
  return new Scalar(onto, onto.op(code, a, b, c));
}

function describe(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}
