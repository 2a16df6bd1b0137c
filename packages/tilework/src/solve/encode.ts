// From recorded functions to the one array of words that the engine reads (crates/tilework-solve/src/wire/mod.rs).

import { FINGERPRINT, MAGIC } from "../generated/graph_ops.js";
import { Scalar } from "./scalar.js";
import { DATUM, NUMBER, PARAM, type Tape } from "./tape.js";

/** What instances add to the cost: half the loss of their squared residuals, or an energy. */
export interface Term {
  /** 0 residuals, 1 an energy. */
  readonly term: 0 | 1;
  /** Code of the loss. */
  readonly loss: number;
  /** Its `delta` and, for Barron's, its shape. */
  readonly lossNumbers: readonly [number, number];
}

/** One function with the instances that turned out to be it. */
interface Graph {
  readonly term: Term;
  readonly sets: readonly number[];
  /** Nodes; numbers of the function are counted from its own first one. */
  readonly words: readonly number[];
  /** Where in `words` such a number is named. */
  readonly numberPlaces: readonly number[];
  readonly numbers: readonly number[];
  readonly nNodes: number;
  readonly roots: readonly number[];
  /** By argument, the block of every instance. */
  readonly blocks: number[][] | readonly Uint32Array[];
  /** By column, the number of every instance. */
  readonly data: number[][] | readonly Float64Array[];
  nInstances: number;
}

/** A function as it was walked: in the order its results meet their arguments. */
interface Walked extends Pick<Graph, "words" | "numberPlaces" | "numbers" | "nNodes" | "roots"> {
  /** Arguments and data of the tape that it reads. */
  readonly args: readonly number[];
  readonly data: readonly number[];
}

/** Where instance `index` of a recording went: to which of its graphs, and which instance of that it is. */
export interface Place {
  readonly graph: number;
  readonly instance: number;
}

/** Collects functions and writes them as words. */
export class Recording {
  readonly #graphs: Graph[] = [];
  readonly #known = new Map<string, number>();

  /** How many different functions there are. */
  get nGraphs(): number {
    return this.#graphs.length;
  }

  /** Adds one instance, whose arguments are blocks. */
  addInstance(tape: Tape, roots: readonly Scalar[], term: Term): Place {
    const walked = walk(tape, roots);
    const sets = walked.args.map((arg) => tape.args[arg]?.set ?? 0);
    const key = JSON.stringify([term, sets, walked.data.length, walked.words, walked.numbers.map(spelled), walked.roots]);
    let number = this.#known.get(key);
    if (number === undefined) {
      number = this.#graphs.length;
      const { args, data, ...rest } = walked;
      this.#graphs.push({ ...rest, term, sets, blocks: args.map(() => []), data: data.map(() => []), nInstances: 0 });
      this.#known.set(key, number);
    }
    const graph = this.#graphs[number]!;
    walked.args.forEach((arg, k) => (graph.blocks[k] as number[]).push(tape.args[arg]?.block as number));
    walked.data.forEach((datum, k) => (graph.data[k] as number[]).push(tape.data[datum] as number));
    return { graph: number, instance: graph.nInstances++ };
  }

  /** Adds many instances of one function, whose arguments and data are lists. */
  addFamily(tape: Tape, roots: readonly Scalar[], term: Term, nInstances: number): void {
    const { args, data, ...rest } = walk(tape, roots);
    const blocks = args.map((arg) => tape.args[arg]?.block as Uint32Array);
    const columns = data.map((datum) => tape.data[datum] as Float64Array);
    this.#graphs.push({ ...rest, term, sets: args.map((arg) => tape.args[arg]?.set ?? 0), blocks, data: columns, nInstances });
  }

  /** All of it as words. */
  words(): Uint32Array<ArrayBuffer> {
    const nNumbers = this.#graphs.reduce((sum, graph) => sum + 2 + graph.numbers.length + graph.data.length * graph.nInstances, 0);
    const nWords = this.#graphs.reduce((sum, graph) => sum + 9 + graph.sets.length * (1 + graph.nInstances) + graph.words.length + graph.roots.length, 4 + 2 * nNumbers);
    const words = new Uint32Array(nWords);
    words.set([MAGIC, FINGERPRINT, this.#graphs.length, nNumbers]);
    // The numbers begin at 16 bytes, where 64-bit floats may lie.
    const numbers = new Float64Array(words.buffer, 16, nNumbers);
    let [at, number] = [4 + 2 * nNumbers, 0];
    for (const graph of this.#graphs) [at, number] = write(graph, words, at, numbers, number);
    return words;
  }
}

/** Writes one graph; gives where the next one begins. */
function write(graph: Graph, words: Uint32Array, at: number, numbers: Float64Array, number: number): [number, number] {
  const { term, sets, blocks, data, nInstances, roots } = graph;
  numbers.set(term.lossNumbers, number);
  const firstNumber = number + 2;
  numbers.set(graph.numbers, firstNumber);
  const firstDatum = firstNumber + graph.numbers.length;
  data.forEach((column, k) => numbers.set(column, firstDatum + k * nInstances));
  words.set([term.term, term.loss, number, sets.length, data.length, nInstances, graph.nNodes, roots.length, firstDatum], at);
  words.set(sets, at + 9);
  const firstBlock = at + 9 + sets.length;
  blocks.forEach((column, k) => words.set(column, firstBlock + k * nInstances));
  const firstNode = firstBlock + sets.length * nInstances;
  words.set(graph.words, firstNode);
  for (const place of graph.numberPlaces) words[firstNode + place] = firstNumber + (graph.words[place] ?? 0);
  words.set(roots, firstNode + graph.words.length);
  return [firstNode + graph.words.length + roots.length, firstDatum + data.length * nInstances];
}

/** The nodes that results are made of, arguments first. */
function walk(tape: Tape, results: readonly Scalar[]): Walked {
  const position = new Map<number, number>();
  const [args, data, words, numbers, numberPlaces] = [new Map<number, number>(), new Map<number, number>(), [] as number[], [] as number[], [] as number[]];
  const numbered = (known: Map<number, number>, item: number): number => {
    let at = known.get(item);
    if (at === undefined) known.set(item, (at = known.size));
    return at;
  };
  const visit = (root: number): number => {
    // By hand: expressions can be deeper than the stack.
    const stack = [root];
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      const isKnown = position.has(node);
      const missing = isKnown ? [] : operandsOf(tape, node).filter((operand) => !position.has(operand));
      if (missing.length > 0) {
        stack.push(...missing.reverse());
        continue;
      }
      stack.pop();
      if (isKnown) continue;
      const code = tape.codes[node]!;
      if (code === NUMBER) {
        numberPlaces.push(words.length + 1);
        words.push(NUMBER, numbers.push(tape.values[node]!) - 1);
      } else if (code === PARAM) words.push(PARAM, numbered(args, tape.a[node]!), tape.b[node]!);
      else if (code === DATUM) words.push(DATUM, numbered(data, tape.a[node]!));
      else words.push(code, ...operandsOf(tape, node).map((operand) => position.get(operand)!));
      position.set(node, position.size);
    }
    return position.get(root)!;
  };
  const roots = results.map((result) => visit(Scalar.nodeOf(result, tape)));
  return { words, numbers, numberPlaces, nNodes: position.size, roots, args: [...args.keys()], data: [...data.keys()] };
}

/** A number as text: JSON knows no infinity, and no difference between 0 and −0. */
function spelled(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function operandsOf(tape: Tape, node: number): number[] {
  const n = tape.arities[node]!;
  const all = [tape.a[node]!, tape.b[node]!, tape.c[node]!];
  return all.slice(0, n);
}
