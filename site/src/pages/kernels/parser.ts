// A small recursive-descent parser of arithmetic expressions. It never throws: what it cannot read is an error with a place.
//
//   sum     = product (("+" | "-") product)*
//   product = unary (("*" | "/" | "%") unary | factor directly after a number or a bracket)*
//   unary   = ("-" | "+") unary | power
//   power   = atom ("^" unary)?                      so -x^2 is -(x^2), and 2^3^2 is 2^(3^2)
//   atom    = number | name | name "(" sum ("," sum)* ")" | "(" sum ")"
import { CONSTANTS, FUNCTIONS } from "./functions";
import { tokenize, type Token } from "./tokens";

export type Tree =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Tree[] };

export interface ParseError {
  readonly message: string;
  /** First character it is about, and how many. */
  readonly at: number;
  readonly length: number;
}

export type Parsed =
  | { readonly ok: true; readonly tree: Tree; readonly variables: readonly string[] }
  | { readonly ok: false; readonly error: ParseError };

// Far beyond what anybody types; they keep a pasted book from filling the stack or the kernel.
const MAX_CHARACTERS = 2000;
const MAX_DEPTH = 50;
const MAX_NODES = 400;
const MAX_VARIABLES = 4;

export function parse(text: string): Parsed {
  if (text.length > MAX_CHARACTERS) return fail(`at most ${MAX_CHARACTERS} characters, please`, MAX_CHARACTERS, 1);
  if (text.trim() === "") return fail("type an expression, such as sin(x)", 0, 0);
  const tokens = tokenize(text);
  if (!Array.isArray(tokens)) return { ok: false, error: tokens };
  try {
    const parser = new Parser(tokens, text.length);
    const tree = parser.whole();
    return { ok: true, tree, variables: parser.variables };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, error: error.reason };
    return fail("this could not be read", 0, text.length);
  }
}

function fail(message: string, at: number, length: number): Parsed {
  return { ok: false, error: { message, at, length } };
}

/** Leaves the recursion; never leaves this file. */
class Stop extends Error {
  constructor(readonly reason: ParseError) {
    super(reason.message);
  }
}

class Parser {
  readonly variables: string[] = [];
  readonly #tokens: readonly Token[];
  readonly #end: number;
  #position = 0;
  #depth = 0;
  #nNodes = 0;

  constructor(tokens: readonly Token[], end: number) {
    this.#tokens = tokens;
    this.#end = end;
  }

  whole(): Tree {
    const tree = this.#sum();
    const rest = this.#next();
    if (rest !== undefined) this.#stop(rest.text === ")" ? "this bracket closes nothing" : `an operator is missing before “${rest.text}”`, rest);
    return tree;
  }

  #next(): Token | undefined {
    return this.#tokens[this.#position];
  }

  #take(...texts: string[]): Token | undefined {
    const token = this.#next();
    if (token?.kind !== "symbol" || !texts.includes(token.text)) return undefined;
    this.#position += 1;
    return token;
  }

  #stop(message: string, token: Token | undefined): never {
    throw new Stop({ message, at: token?.at ?? this.#end, length: token?.text.length ?? 1 });
  }

  #node(tree: Tree, token?: Token): Tree {
    this.#nNodes += 1;
    if (this.#nNodes > MAX_NODES) this.#stop(`at most ${MAX_NODES} operations, please`, token ?? this.#next());
    return tree;
  }

  #call(name: string, ...args: Tree[]): Tree {
    return this.#node({ kind: "call", name, args });
  }

  #sum(): Tree {
    let left = this.#product();
    for (let sign = this.#take("+", "-"); sign !== undefined; sign = this.#take("+", "-")) {
      left = this.#call(sign.text === "+" ? "add" : "sub", left, this.#product());
    }
    return left;
  }

  #product(): Tree {
    let left = this.#unary();
    for (;;) {
      const sign = this.#take("*", "/", "%");
      if (sign !== undefined) left = this.#call({ "*": "mul", "/": "div", "%": "rem" }[sign.text] ?? "mul", left, this.#unary());
      else if (this.#isFactorNext()) left = this.#call("mul", left, this.#power());
      else return left;
    }
  }

  /** 2x, 2(x + 1), (x + 1)(x - 1) and (x + 1)x are products; x y and x 2 are more likely mistakes. */
  #isFactorNext(): boolean {
    const before = this.#tokens[this.#position - 1];
    const next = this.#next();
    if (before === undefined || next === undefined) return false;
    return (before.kind === "number" || before.text === ")") && (next.kind === "name" || next.text === "(");
  }

  #unary(): Tree {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#stop(`at most ${MAX_DEPTH} levels, please`, this.#next());
    const sign = this.#take("-", "+");
    const tree = sign === undefined ? this.#power() : this.#signed(sign.text);
    this.#depth -= 1;
    return tree;
  }

  #signed(sign: string): Tree {
    const operand = this.#unary();
    if (sign === "+") return operand;
    return operand.kind === "number" ? { kind: "number", value: -operand.value } : this.#call("neg", operand);
  }

  #power(): Tree {
    const base = this.#atom();
    return this.#take("^") === undefined ? base : this.#call("pow", base, this.#unary());
  }

  #atom(): Tree {
    const token = this.#next();
    if (token === undefined) return this.#stop("something is missing at the end", token);
    if (token.kind === "number") {
      this.#position += 1;
      return this.#node({ kind: "number", value: token.value }, token);
    }
    if (token.kind === "name") return this.#name(token);
    if (this.#take("(") === undefined) return this.#stop(`a number, a name or a bracket is missing before “${token.text}”`, token);
    const inner = this.#sum();
    if (this.#take(")") === undefined) this.#stop("this bracket is never closed", this.#next() ?? token);
    return inner;
  }

  #name(token: Token): Tree {
    this.#position += 1;
    const isCall = this.#next()?.text === "(";
    if (Object.hasOwn(FUNCTIONS, token.text)) return isCall ? this.#function(token) : this.#stop(`${token.text} needs brackets: ${token.text}(x)`, token);
    if (isCall) return this.#stop(`there is no function named ${token.text}${nearest(token.text)}`, token);
    const constant = Object.hasOwn(CONSTANTS, token.text) ? CONSTANTS[token.text] : undefined;
    if (constant !== undefined) return this.#node({ kind: "number", value: constant }, token);
    if (!this.variables.includes(token.text)) {
      if (this.variables.length === MAX_VARIABLES) this.#stop(`at most ${MAX_VARIABLES} variables, please`, token);
      this.variables.push(token.text);
    }
    return this.#node({ kind: "variable", name: token.text }, token);
  }

  #function(token: Token): Tree {
    this.#take("(");
    const args = [this.#sum()];
    while (this.#take(",") !== undefined) args.push(this.#sum());
    if (this.#take(")") === undefined) this.#stop(`the bracket of ${token.text} is never closed`, this.#next() ?? token);
    const wanted = FUNCTIONS[token.text]?.nArgs ?? 1;
    if (args.length !== wanted) this.#stop(`${token.text} takes ${wanted === 1 ? "one argument" : `${wanted} arguments`}, not ${args.length}`, token);
    return this.#call(token.text, ...args);
  }
}

/** A hint where a letter or two are wrong. */
function nearest(name: string): string {
  const found = Object.keys(FUNCTIONS).find((known) => known.toLowerCase() === name.toLowerCase() || known.startsWith(name) || (name.length > 2 && name.startsWith(known)));
  return found === undefined ? "" : `; did you mean ${found}?`;
}
