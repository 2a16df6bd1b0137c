// Residuals compiled once and evaluated as often as wanted, without a solver.

import type { DeviceInfo } from "../backend.js";
import { dispose } from "../dispose.js";
import { TileworkError } from "../errors.js";
import { type Place, Recording, type Term } from "./encode.js";
import type { Opened } from "./engine.js";
import { type BlockOf, ParamSet } from "./params.js";
import type { Description } from "./problem.js";
import { openHere, openInWorker, type SolveRunner } from "./runner.js";
import { Scalar } from "./scalar.js";
import { recordOnto, Tape } from "./tape.js";
import { turn } from "./turn.js";
import type { CompiledCounts, RunOptions } from "./types.js";
import { blockOf, flattened, type Residuals } from "./vectors.js";

/** Parameters: one number each, or blocks of `dim` numbers. */
export type CompiledParams<Dim extends number = 1> = ArrayLike<number> | { readonly dim: Dim; readonly values: ArrayLike<number> };

/** How to compile. */
export interface CompileOptions extends RunOptions {
  /** Instances that one dispatch evaluates at most, which bounds the memory of its results; about a million unless told. */
  readonly batchSize?: number;
  /** With fewer instances, "auto" chooses the CPU without measuring; 256 unless told. */
  readonly fallbackThreshold?: number;
  /** Told how far it is. */
  readonly onProgress?: (progress: CompileProgress) => void;
  /** Ends compiling; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How far compiling is. */
export interface CompileProgress {
  readonly stage: "record" | "group" | "compile" | "ready";
  /** Residuals that are done, and in all. */
  readonly done: number;
  readonly total: number;
}

/** A sparse matrix, entry by entry. Entries of the same place add up. */
export interface SparseMatrix {
  readonly nRows: number;
  readonly nColumns: number;
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float64Array;
}

const USUAL_BATCH = 1 << 20;
const USUAL_THRESHOLD = 256;
/** After so many instances, progress is told and the page may breathe. */
const TELL_EVERY = 1000;

/** Residuals over some parameters, as kernels: equal maths is one of them. */
export class CompiledResiduals {
  /** The device. */
  readonly device: DeviceInfo;
  /** Residuals, in the order the function returned them; of a problem, group after group. */
  readonly nResiduals: number;
  /** Numbers of all parameters; of a problem, set after set, and then those that energies of meshes bring with them. */
  readonly nParams: number;
  readonly #runner: SolveRunner;
  /** By residual, its row in the engine's order. */
  readonly #rows: Uint32Array;
  #values: Float64Array<ArrayBuffer>;

  private constructor(runner: SolveRunner, rows: Uint32Array, device: DeviceInfo, values: Float64Array<ArrayBuffer>) {
    this.#runner = runner;
    this.#rows = rows;
    this.#values = values;
    this.device = device;
    this.nResiduals = rows.length;
    this.nParams = values.length;
  }

  /**
   * Calls `residuals` once with all parameters, and compiles what it returns. Each item of its list is an instance: one residual, or
   * several that belong together.
   */
  static async compile<const Dim extends number = 1>(
    params: CompiledParams<Dim>,
    residuals: (params: BlockOf<Dim>[]) => readonly Residuals[],
    options: CompileOptions = {},
  ): Promise<CompiledResiduals> {
    const { backend = "auto", worker = typeof Worker !== "undefined", onProgress = () => {}, signal } = options;
    signal?.throwIfAborted();
    const { dim, values } = "dim" in params ? params : { dim: 1 as Dim, values: params };
    const set = checkedSet(dim, values);
    onProgress({ stage: "record", done: 0, total: 0 });
    const tape = new Tape();
    const items = recordOnto(tape, () => residuals(blocksOf(tape, set)).map((item) => flattened(item)));
    const total = items.length;
    const tell = async (stage: CompileProgress["stage"], done: number): Promise<void> => {
      onProgress({ stage, done, total });
      if (stage === "group") await turn();
      signal?.throwIfAborted();
    };
    const { recording, places } = await record(tape, items, (done) => tell("group", done));
    await tell("compile", total);
    const numbers = Float64Array.from(values);
    const sets = [{ dim, values: numbers.slice(), manifold: "euclidean", fixed: new Uint32Array(), bounds: [] } as const];
    const recordings = total === 0 ? [] : [{ name: "residuals", words: recording.words() }];
    const runner = await open({ sets, meshes: [], recordings }, options, worker);
    const { info, runsOn } = runner.opened;
    await tell("ready", total);
    return new CompiledResiduals(runner, rowsOf(items, places, runner.opened), { ...info, runsOn, requested: backend, worker }, numbers);
  }

  /** @internal All of a problem, with residuals in the engine's order. */
  static async ofProblem(description: Description, options: CompileOptions): Promise<CompiledResiduals> {
    const { backend = "auto", worker = typeof Worker !== "undefined", onProgress = () => {}, signal } = options;
    signal?.throwIfAborted();
    onProgress({ stage: "compile", done: 0, total: 0 });
    const runner = await open(description, options, worker);
    const { info, runsOn, numbers, counts } = runner.opened;
    onProgress({ stage: "ready", done: counts.instances, total: counts.instances });
    return new CompiledResiduals(runner, Uint32Array.from({ length: counts.residuals }, (_, row) => row), { ...info, runsOn, requested: backend, worker }, numbers);
  }

  /** What was compiled, and what ran since. */
  async counts(): Promise<CompiledCounts> {
    return (await this.#runner.call({ name: "counts" })) as CompiledCounts;
  }

  /** All residuals at `params`; where they were last, unless told. */
  async evaluate(params?: ArrayLike<number>): Promise<Float64Array> {
    const [, , found] = await this.#evaluate("residuals", params);
    return Float64Array.from(this.#rows, (row) => found[row]!);
  }

  /** The derivatives of the cost: half the sum of squared residuals, plus energies. */
  async evaluateGradient(params?: ArrayLike<number>): Promise<Float64Array> {
    return (await this.evaluateSumWithGradient(params)).gradient;
  }

  /** The cost, and its derivatives. */
  async evaluateSumWithGradient(params?: ArrayLike<number>): Promise<{ readonly sum: number; readonly gradient: Float64Array }> {
    const [, , found] = await this.#evaluate("gradient", params);
    // Parameters that no residual reads have no direction, and no slope.
    const gradient = new Float64Array(this.nParams);
    this.#runner.opened.moving.forEach((number, direction) => (gradient[number] = found[direction + 1]!));
    return { sum: found[0]! + 0, gradient };
  }

  /** The derivatives of every residual by every parameter. */
  async evaluateJacobian(params?: ArrayLike<number>): Promise<SparseMatrix> {
    const [rows, columns, values] = await this.#evaluate("jacobian", params);
    const { moving } = this.#runner.opened;
    const residualOf = new Uint32Array(this.nResiduals);
    this.#rows.forEach((row, residual) => (residualOf[row] = residual));
    return { nRows: this.nResiduals, nColumns: this.nParams, rows: rows.map((row) => residualOf[row]!), columns: columns.map((column) => moving[column]!), values };
  }

  /** Lets go of the kernels and their memory. */
  dispose(): void {
    this.#runner.dispose();
  }

  /** For `using`. */
  [dispose](): void {
    this.dispose();
  }

  async #evaluate(what: "residuals" | "gradient" | "jacobian", params: ArrayLike<number> | undefined): Promise<readonly [Uint32Array, Uint32Array, Float64Array]> {
    if (params !== undefined) {
      if (params.length !== this.nParams) throw new TileworkError("shape", `evaluate: ${params.length} numbers for ${this.nParams} parameters`);
      this.#values = Float64Array.from(params);
    }
    return (await this.#runner.call({ name: "evaluate", what, x: this.#values.slice() })) as readonly [Uint32Array, Uint32Array, Float64Array];
  }
}

function checkedSet(dim: number, values: ArrayLike<number>): ParamSet<number> {
  if (!Number.isInteger(dim) || dim < 1 || values.length % dim !== 0) throw new TileworkError("shape", `compile: ${values.length} numbers do not make blocks of ${dim}`);
  return new ParamSet(dim, values.length / dim, 0);
}

function blocksOf<Dim extends number>(tape: Tape, set: ParamSet<number>): BlockOf<Dim>[] {
  return Array.from({ length: set.count }, (_, block) => {
    const arg = tape.block(0, block);
    return blockOf(Array.from({ length: set.dim }, (_, component) => new Scalar(tape, tape.param(arg, component)))) as BlockOf<Dim>;
  });
}

/** Groups instances by their maths. */
async function record(tape: Tape, items: readonly Scalar[][], tell: (done: number) => Promise<void>): Promise<{ recording: Recording; places: Place[] }> {
  const [recording, places]: [Recording, Place[]] = [new Recording(), []];
  const term: Term = { term: 0, loss: 0, lossNumbers: [1, 0] };
  for (const [index, roots] of items.entries()) {
    if (roots.length === 0) throw new TileworkError("argument", `compile: item ${index} has no residual`);
    places.push(recording.addInstance(tape, roots, term));
    if ((index + 1) % TELL_EVERY === 0) await tell(index + 1);
  }
  return { recording, places };
}

/** By residual, the row it has in the engine's order: group after group, instance after instance. */
function rowsOf(items: readonly Scalar[][], places: readonly Place[], { places: found }: Opened): Uint32Array {
  const graphs = found[0] ?? new Uint32Array();
  const sizes = new Map<number, { count: number; nRoots: number }>();
  const groupOf = (graph: number): [number, number] => [graphs[3 * graph]!, graphs[3 * graph + 1]!];
  places.forEach(({ graph }, index) => {
    const [group] = groupOf(graph);
    const size = sizes.get(group) ?? { count: 0, nRoots: items[index]?.length ?? 1 };
    sizes.set(group, { ...size, count: size.count + 1 });
  });
  const firsts: number[] = [];
  let first = 0;
  for (let group = 0; group < sizes.size; group++) {
    firsts.push(first);
    first += (sizes.get(group)?.count ?? 0) * (sizes.get(group)?.nRoots ?? 0);
  }
  return Uint32Array.from(
    places.flatMap(({ graph, instance }, index) => {
      const [group, before] = groupOf(graph);
      const n = items[index]?.length ?? 1;
      return Array.from({ length: n }, (_, k) => firsts[group]! + (before + instance) * n + k);
    }),
  );
}

function open(description: Description, { backend = "auto", precision = "f64", batchSize = USUAL_BATCH, fallbackThreshold = USUAL_THRESHOLD, wasm }: CompileOptions, worker: boolean): Promise<SolveRunner> {
  const opening = { device: backend, precision, description, strategy: undefined, fallbackThreshold, batchSize, wasm };
  return worker ? openInWorker(opening) : openHere(opening);
}
