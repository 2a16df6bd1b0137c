// An expression on the engine: its kernel, its derivative's, and both as curves over x.
import type { NdArray, Tilework } from "tilework";
import { FUNCTIONS } from "./functions";
import type { Tree } from "./parser";

export const N_POINTS = 512;
// Enough work for a timestamp to mean something.
const N_PROFILE = 1 << 20;

export interface Question {
  readonly tree: Tree;
  /** Values of all variables but x. */
  readonly values: Readonly<Record<string, number>>;
  readonly from: number;
  readonly to: number;
  /** The variable of the derivative; null if the expression has none. */
  readonly by: string | null;
}

export interface Answer {
  readonly kernels: readonly string[];
  readonly slopeKernels: readonly string[];
  readonly xs: Float32Array;
  readonly ys: Float32Array;
  readonly slopes: Float32Array | null;
}

type Variables = (name: string) => NdArray;

/** An array, or a number as long as no array is involved. */
function evaluate(tree: Tree, variables: Variables, tw: Tilework): NdArray | number {
  if (tree.kind === "number") return tree.value;
  if (tree.kind === "variable") return variables(tree.name);
  const [first, second] = tree.args.map((arg) => evaluate(arg, variables, tw));
  const apply = FUNCTIONS[tree.name]?.apply;
  if (apply === undefined || first === undefined) throw new Error(`there is no function named ${tree.name}`);
  return apply(typeof first === "number" ? tw.scalar(first) : first, second ?? 0);
}

/** Every variable is an array of as many points as x, so that a derivative by it is a curve too. */
function inputs(tw: Tilework, question: Question, n: number): Map<string, NdArray> {
  const step = (question.to - question.from) / (n - 1);
  const arrays = new Map([["x", tw.array(Float32Array.from({ length: n }, (_, i) => question.from + i * step))]]);
  for (const [name, value] of Object.entries(question.values)) {
    if (name !== "x") arrays.set(name, tw.array(new Float32Array(n).fill(value)));
  }
  return arrays;
}

function curve(tw: Tilework, question: Question, arrays: ReadonlyMap<string, NdArray>, n: number): NdArray {
  const variables = (name: string) => arrays.get(name) ?? tw.scalar(0);
  const value = evaluate(question.tree, variables, tw);
  return (typeof value === "number" ? tw.scalar(value) : value).broadcastTo([n]);
}

export async function ask(tw: Tilework, question: Question): Promise<Answer> {
  const arrays = inputs(tw, question, N_POINTS);
  const y = curve(tw, question, arrays, N_POINTS);
  const kernels = await y.kernels();
  const slope = derivative(tw, question, arrays);
  const slopeKernels = slope === null ? [] : await slope.kernels();
  const xs = (await arrays.get("x")!.toArray()) as Float32Array;
  const ys = (await y.toArray()) as Float32Array;
  const slopes = slope === null ? null : ((await slope.toArray()) as Float32Array);
  for (const array of [y, slope, ...arrays.values()]) array?.dispose();
  return { kernels, slopeKernels, xs, ys, slopes };
}

function derivative(tw: Tilework, question: Question, arrays: ReadonlyMap<string, NdArray>): NdArray | null {
  const { by } = question;
  const at = by === null ? undefined : arrays.get(by);
  if (by === null || at === undefined) return null;
  // The sum's derivative by each point is the curve's slope there: the points do not touch each other.
  return tw.grad((variable) => curve(tw, question, new Map([...arrays, [by, variable]]), N_POINTS).sum(), at);
}

export type Pass = Awaited<ReturnType<Tilework["profile"]>>[number];

/** The passes of the expression over a million points, as the GPU's own clock sees them. */
export async function profile(tw: Tilework, question: Question): Promise<Pass[]> {
  const arrays = inputs(tw, question, N_PROFILE);
  const warm = curve(tw, question, arrays, N_PROFILE);
  const y = curve(tw, question, arrays, N_PROFILE);
  try {
    await tw.eval(warm);
    return await tw.profile(y);
  } finally {
    for (const array of [warm, y, ...arrays.values()]) array.dispose();
  }
}
