// What is to be minimized: parameters, and residuals or energies over them.

import { TileworkError } from "../errors.js";
import { LOSSES, type ManifoldName, type MeshEnergyName } from "../generated/graph_ops.js";
import { CompiledResiduals, type CompileOptions } from "./compiled.js";
import { Recording, type Term } from "./encode.js";
import { type BlockOf, ParamSet } from "./params.js";
import { Scalar } from "./scalar.js";
import { Session } from "./session.js";
import { recordOnto, Tape } from "./tape.js";
import type { Loss, RunOptions, SolveOptions, Strategy, Summary } from "./types.js";
import { blockOf, flattened, type Residuals } from "./vectors.js";

/** Which block of a set each instance reads. */
export type Indices = Uint32Array | readonly number[];
/** An argument of many instances: a set, and the block of each. */
export type FamilyParam = readonly [ParamSet<number>, Indices];
/** Numbers of many instances: one to each, or `dim` to each. */
export type FamilyDatum = Float64Array | readonly number[] | { readonly dim: number; readonly values: Float64Array | readonly number[] };

/** Many instances of one function, by lists: the fast way. The function is called once. */
export interface Family<P extends readonly FamilyParam[], D extends readonly FamilyDatum[] = readonly FamilyDatum[]> {
  /** Name in errors and counts. */
  readonly name?: string;
  readonly params: P;
  readonly data?: D;
  /** How much residuals count; energies have none. */
  readonly loss?: Loss;
}

/** Instances one by one: the function is called for each, and equal maths is found. */
export interface Instances {
  readonly name?: string;
  readonly instances: number;
  readonly loss?: Loss;
}

/** What a function sees of the arguments of a family. */
export type BlocksOf<P extends readonly FamilyParam[]> = { [K in keyof P]: P[K] extends readonly [ParamSet<infer Dim>, unknown] ? BlockOf<Dim> : never };
/** What a function sees of the numbers of an instance: one, a vector, or a list. */
export type DataOf<D extends readonly FamilyDatum[]> = { [K in keyof D]: D[K] extends { readonly dim: infer Dim extends number } ? BlockOf<Dim> : Scalar };

/** @internal A set as it is handed over. */
export interface SetDescription {
  readonly dim: number;
  readonly values: Float64Array<ArrayBuffer>;
  readonly manifold: ManifoldName;
  readonly fixed: Uint32Array<ArrayBuffer>;
  /** Block, component, low and high, one after the other. */
  readonly bounds: readonly number[];
}

/** @internal Energies of a mesh as they are handed over. */
export interface MeshDescription {
  readonly set: number;
  readonly rest: Float64Array<ArrayBuffer>;
  readonly faces: Uint32Array<ArrayBuffer>;
  readonly energies: readonly string[];
  readonly weights: Float64Array<ArrayBuffer>;
}

/** @internal A problem as it is handed over. */
export interface Description {
  readonly meshes: readonly MeshDescription[];
  readonly sets: readonly SetDescription[];
  readonly recordings: readonly { readonly name: string; readonly words: Uint32Array<ArrayBuffer> }[];
}

interface SetState {
  readonly params: ParamSet<number>;
  values: Float64Array<ArrayBuffer>;
  readonly manifold: ManifoldName;
  readonly fixed: Set<number>;
  readonly bounds: number[];
}

/** A problem of nonlinear least squares, or of energies. Nothing is computed before it is solved. */
export class Problem {
  readonly #sets: SetState[] = [];
  readonly #meshes: MeshDescription[] = [];
  readonly #recordings: { name: string; words: Uint32Array<ArrayBuffer> }[] = [];

  /** Adds blocks of `dim` numbers each, `values` holding one block after the other. */
  addParams<Dim extends number>(dim: Dim, values: ArrayLike<number>, { manifold = "euclidean" }: { readonly manifold?: ManifoldName } = {}): ParamSet<Dim> {
    if (!Number.isInteger(dim) || dim < 1 || values.length % dim !== 0) {
      throw new TileworkError("shape", `addParams: ${values.length} numbers do not make blocks of ${dim}`);
    }
    const params = new ParamSet(dim, values.length / dim, this.#sets.length);
    this.#sets.push({ params, values: checked("addParams", values), manifold, fixed: new Set(), bounds: [] });
    return params;
  }

  /** Adds residuals: the cost grows by half the loss of the squared length of each instance's residuals. */
  addResiduals<const P extends readonly FamilyParam[], const D extends readonly FamilyDatum[] = []>(family: Family<P, D>, residuals: (params: BlocksOf<P>, data: DataOf<D>) => Residuals): void;
  addResiduals(instances: Instances, residuals: (instance: number) => Residuals): void;
  addResiduals(given: Family<readonly FamilyParam[]> | Instances, residuals: unknown): void {
    this.#add("addResiduals", given, termOf(given.loss), residuals);
  }

  /** Adds an energy: the cost grows by the sum of it over all instances. */
  addEnergy<const P extends readonly FamilyParam[], const D extends readonly FamilyDatum[] = []>(family: Omit<Family<P, D>, "loss">, energy: (params: BlocksOf<P>, data: DataOf<D>) => Scalar): void;
  addEnergy(instances: Omit<Instances, "loss">, energy: (instance: number) => Scalar): void;
  addEnergy(given: Omit<Family<readonly FamilyParam[]>, "loss"> | Omit<Instances, "loss">, energy: unknown): void {
    this.#add("addEnergy", given, { term: 1, loss: 0, lossNumbers: [1, 0] }, energy);
  }

  /**
   * Adds energies of a triangle mesh, by name and weight, as the engine knows them. Its vertices are a set of three numbers each, and
   * where they are now is the shape that energies refer to. `faces` has three vertices to a face, counter-clockwise seen from outside.
   */
  addMesh(vertices: ParamSet<3>, faces: Indices, energies: Readonly<Partial<Record<MeshEnergyName, number>>>): void {
    const { values, params } = this.#set("addMesh", vertices);
    if (params.dim !== 3 || faces.length % 3 !== 0) throw new TileworkError("shape", `addMesh: vertices have 3 numbers and faces 3 vertices, given ${params.dim} and ${faces.length} in all`);
    const entries = Object.entries(energies);
    const weights = Float64Array.from(entries, ([, weight]) => weight);
    this.#meshes.push({ set: params.number, rest: values.slice(), faces: checkedIndices("addMesh", params, faces), energies: entries.map(([name]) => name), weights });
  }

  /** Blocks that stay as they are, all of them unless told. */
  setFixed(set: ParamSet<number>, blocks?: Indices): void {
    const { fixed, params } = this.#set("setFixed", set);
    for (const block of blocks ?? Array(params.count).keys()) {
      if (!isIndex(block, params.count)) throw new TileworkError("argument", `setFixed: block ${block} of ${params.count}`);
      fixed.add(block);
    }
  }

  /** All blocks of a set are free again. */
  setFree(set: ParamSet<number>): void {
    this.#set("setFree", set).fixed.clear();
  }

  /** Keeps number `component` of block `block` between `low` and `high`. */
  setBounds(set: ParamSet<number>, block: number, component: number, low: number, high: number): void {
    const { params, bounds } = this.#set("setBounds", set);
    if (!isIndex(block, params.count) || !isIndex(component, params.dim)) {
      throw new TileworkError("argument", `setBounds: number ${component} of block ${block}; there are ${params.count} blocks of ${params.dim}`);
    }
    if (!(low <= high)) throw new TileworkError("argument", `setBounds: no number is between ${low} and ${high}`);
    bounds.push(block, component, low, high);
  }

  /** The numbers of a set, block after block: a copy. */
  values(set: ParamSet<number>): Float64Array<ArrayBuffer> {
    return this.#set("values", set).values.slice();
  }

  /** Replaces the numbers of a set. */
  setValues(set: ParamSet<number>, values: ArrayLike<number>): void {
    const state = this.#set("setValues", set);
    if (values.length !== state.values.length) throw new TileworkError("shape", `setValues: ${values.length} numbers for ${state.values.length}`);
    state.values = checked("setValues", values);
  }

  /** Compiles the problem once, to be solved step by step with values that change in between. */
  session(options: RunOptions & Strategy = {}): Promise<Session> {
    return Session.open(this.describe(), options);
  }

  /**
   * Compiles the problem once, to be evaluated as often as wanted: residuals come group after group, parameters set after set. A block on
   * a curved manifold has fewer directions than numbers; its derivatives are the first of them.
   */
  compile(options: CompileOptions = {}): Promise<CompiledResiduals> {
    return CompiledResiduals.ofProblem(this.describe(), options);
  }

  /** Looks for a minimum; afterwards `values` gives where it is. */
  async solve({ onIteration, signal, ...options }: SolveOptions = {}): Promise<Summary> {
    const startMs = performance.now();
    signal?.throwIfAborted();
    const session = await this.session(options);
    try {
      const summary = await session.run({ ...(onIteration && { onIteration }), ...(signal && { signal }) });
      for (const state of this.#sets) state.values = await session.values(state.params);
      return { ...summary, elapsedMs: performance.now() - startMs };
    } finally {
      session.dispose();
    }
  }

  /** @internal All of it, to be handed over. */
  describe(): Description {
    const sets = this.#sets.map(({ params, values, manifold, fixed, bounds }) => ({ dim: params.dim, values: values.slice(), manifold, fixed: Uint32Array.from(fixed), bounds: [...bounds] }));
    return { sets, meshes: [...this.#meshes], recordings: [...this.#recordings] };
  }

  #set(what: string, set: ParamSet<number>): SetState {
    const found = this.#sets[set.number];
    if (found?.params !== set) throw new TileworkError("argument", `${what}: these parameters belong to another problem`);
    return found;
  }

  #add(what: string, given: Omit<Family<readonly FamilyParam[]>, "loss"> | Omit<Instances, "loss">, term: Term, work: unknown): void {
    const name = given.name ?? what;
    const recording = new Recording();
    if ("instances" in given) this.#record(name, recording, given.instances, term, work as (instance: number) => Residuals);
    else this.#recordFamily(name, recording, given, term, work as (params: unknown[], data: unknown[]) => Residuals);
    if (recording.nGraphs > 0) this.#recordings.push({ name, words: recording.words() });
  }

  #record(name: string, recording: Recording, nInstances: number, term: Term, work: (instance: number) => Residuals): void {
    if (!isIndex(nInstances, 2 ** 31)) throw new TileworkError("argument", `${name}: ${nInstances} instances`);
    for (let instance = 0; instance < nInstances; instance++) {
      // A tape for each: values of one instance mean nothing to another.
      const tape = new Tape();
      recording.addInstance(tape, resultsOf(name, tape, () => work(instance)), term);
    }
  }

  #recordFamily(name: string, recording: Recording, family: Omit<Family<readonly FamilyParam[]>, "loss">, term: Term, work: (params: unknown[], data: unknown[]) => Residuals): void {
    const lists = family.params.map(([set, indices]) => {
      this.#set(name, set);
      return { set, indices: checkedIndices(name, set, indices) };
    });
    const data = (family.data ?? []).map((datum) => columnsOf(name, datum));
    const counts = [...lists.map(({ indices }) => indices.length), ...data.map(([column]) => column!.length)];
    const nInstances = counts[0] ?? 0;
    if (counts.some((count) => count !== nInstances)) throw new TileworkError("shape", `${name}: lists of instances differ in length: ${counts.join(", ")}`);
    const tape = new Tape();
    const results = resultsOf(name, tape, () => {
      const params = lists.map(({ set, indices }) => {
        const arg = tape.argument({ set: set.number, block: indices });
        return blockOf(Array.from({ length: set.dim }, (_, component) => new Scalar(tape, tape.param(arg, component))));
      });
      return work(params, data.map((columns) => blockOf(columns.map((column) => new Scalar(tape, tape.datum(column))))));
    });
    if (nInstances > 0) recording.addFamily(tape, results, term, nInstances);
  }
}

function resultsOf(name: string, tape: Tape, work: () => Residuals): Scalar[] {
  const results = recordOnto(tape, () => flattened(work()));
  if (results.length === 0) throw new TileworkError("argument", `${name}: the function gave no residual`);
  return results;
}

function termOf(loss: Loss = "squared"): Term {
  const { name, delta, alpha } = typeof loss === "string" ? { name: loss, delta: 1, alpha: 0 } : { alpha: 0, ...loss };
  const code = LOSSES.indexOf(name);
  if (code < 0) throw new TileworkError("argument", `loss: there is no loss "${name}"; there are ${LOSSES.join(", ")}`);
  if (!(delta > 0 && Number.isFinite(delta))) throw new TileworkError("argument", `loss: delta must be positive and finite, given ${delta}`);
  return { term: 0, loss: code, lossNumbers: [delta, alpha] };
}

function isIndex(value: number, count: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < count;
}

function checked(what: string, values: ArrayLike<number>): Float64Array<ArrayBuffer> {
  const copy = Float64Array.from(values);
  const at = copy.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) throw new TileworkError("argument", `${what}: number ${at} is ${copy[at]}`);
  return copy;
}

function checkedIndices(name: string, set: ParamSet<number>, indices: Indices): Uint32Array<ArrayBuffer> {
  for (const index of indices) {
    if (!isIndex(index, set.count)) throw new TileworkError("shape", `${name}: block ${index} of ${set.count}`);
  }
  return Uint32Array.from(indices);
}

/** The numbers of a datum by column. */
function columnsOf(name: string, datum: FamilyDatum): Float64Array[] {
  const { dim, values } = "dim" in datum ? datum : { dim: 1, values: datum };
  if (!Number.isInteger(dim) || dim < 1 || values.length % dim !== 0) throw new TileworkError("shape", `${name}: ${values.length} numbers, ${dim} to an instance`);
  const numbers = checked(name, values);
  return Array.from({ length: dim }, (_, k) => Float64Array.from({ length: numbers.length / dim }, (_, i) => numbers[i * dim + k]!));
}
