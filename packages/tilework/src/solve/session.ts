// A compiled problem that is solved step by step.

import type { DeviceInfo } from "../backend.js";
import { dispose } from "../dispose.js";
import { TileworkError } from "../errors.js";
import type { Ending, Told, Went } from "./engine.js";
import type { ParamSet } from "./params.js";
import type { Description, Indices } from "./problem.js";
import { openHere, openInWorker, type SolveRunner } from "./runner.js";
import type { Counts, Iteration, Reason, RunOptions, Strategy, Summary } from "./types.js";

/** How to go on. */
export interface RunRequest {
  /** At most so many steps; what the session was opened with, unless told. */
  readonly maxIterations?: number;
  /** Told of every step, a few milliseconds late at most. */
  readonly onIteration?: (iteration: Iteration) => void;
  /** Sets whose values are wanted on the way, with `onValues`. */
  readonly watch?: readonly ParamSet<number>[];
  /** Told of the values of the sets that are watched, every few milliseconds. */
  readonly onValues?: (values: readonly Float64Array<ArrayBuffer>[]) => void;
  /** Ends the work within an iteration; the promise then rejects with the signal's reason. Values stay where they are. */
  readonly signal?: AbortSignal;
}

/** What some steps brought. */
export interface Stepped {
  readonly iterations: readonly Iteration[];
  /** Values of the sets that are watched. */
  readonly values: readonly Float64Array<ArrayBuffer>[];
  /** Why there is no point in another step, unless values change. */
  readonly reason: Reason | undefined;
}

const USUAL_ITERATIONS = 50;
const NO_START: Iteration = { number: 0, cost: NaN, decrease: 0, gradientMax: NaN, stepNorm: 0, radius: 0, accepted: true, seconds: 0 };

/** A problem made ready: it keeps what was compiled, planned and learned from step to step. */
export class Session {
  /** The device it runs on. */
  readonly device: DeviceInfo;
  /** What the problem was compiled to. */
  readonly counts: Counts;
  /** What it computes with, in words: for double-floats also what a self-test of the device found. */
  readonly precision: string;
  /** The start: its cost before the first step. */
  readonly start: Iteration;
  readonly #runner: SolveRunner;
  readonly #maxIterations: number;

  private constructor(runner: SolveRunner, device: DeviceInfo, maxIterations: number) {
    this.#runner = runner;
    this.#maxIterations = maxIterations;
    this.device = device;
    this.counts = runner.opened.counts;
    this.precision = runner.opened.precision;
    this.start = runner.opened.start ?? NO_START;
  }

  /** @internal */
  static async open(
    description: Description,
    { backend = "auto", precision = "mixed", worker = typeof Worker !== "undefined", wasm, ...strategy }: RunOptions & Strategy,
  ): Promise<Session> {
    const { maxIterations = USUAL_ITERATIONS } = strategy;
    const opening = { device: backend, precision, description, strategy: known(strategy), fallbackThreshold: 0, batchSize: 1, wasm };
    const runner = await (worker ? openInWorker(opening) : openHere(opening));
    return new Session(runner, { ...runner.opened.info, runsOn: runner.opened.runsOn, requested: backend, worker }, maxIterations);
  }

  /** Makes at most `n` steps. */
  async step(n = 1, { watch = [] }: Pick<RunRequest, "watch"> = {}): Promise<Stepped> {
    const [iterations, last]: [Iteration[], { values: Told["values"] }] = [[], { values: [] }];
    const went = await this.#go(n, watch, (told) => {
      iterations.push(...told.iterations);
      last.values = told.values;
    });
    return { iterations, values: last.values, reason: went.ending?.name };
  }

  /** Makes steps until there is a reason to stop. */
  async run({ maxIterations = this.#maxIterations, onIteration, watch = [], onValues, signal }: RunRequest = {}): Promise<Summary> {
    const startMs = performance.now();
    const iterations = [this.start];
    onIteration?.(this.start);
    const went = await this.#go(maxIterations, watch, (told) => {
      iterations.push(...told.iterations);
      if (onIteration) told.iterations.forEach(onIteration);
      onValues?.(told.values);
    }, signal);
    const limit: Ending = { name: "iterations", explanation: "the limit of iterations was reached", converged: false };
    const { name: reason, explanation, converged } = went.ending ?? limit;
    const runsOn = this.device.runsOn === "gpu" ? "gpu" : "cpu";
    const { initialCost, finalCost } = went;
    return { initialCost, finalCost, reason, explanation, converged, iterations, counts: this.counts, runsOn, elapsedMs: performance.now() - startMs };
  }

  /** The numbers of a set, where the session is. */
  async values(set: ParamSet<number>): Promise<Float64Array<ArrayBuffer>> {
    return (await this.#runner.call({ name: "values", set: set.number })) as Float64Array<ArrayBuffer>;
  }

  /** Replaces the numbers of a set, without another plan; while steps are being made, between two of them. */
  async setValues(set: ParamSet<number>, values: ArrayLike<number>): Promise<void> {
    await this.#runner.call({ name: "setValues", set: set.number, values: Float64Array.from(values) });
  }

  /** The blocks of a set that stay as they are, and no others. This makes another plan. */
  async setFixed(set: ParamSet<number>, blocks: Indices): Promise<void> {
    await this.#runner.call({ name: "setFixed", set: set.number, blocks: Uint32Array.from(blocks) });
  }

  /** Lets go of the problem and its memory. What is being computed rejects. */
  dispose(): void {
    this.#runner.dispose();
  }

  /** For `using`. */
  [dispose](): void {
    this.dispose();
  }

  async #go(steps: number, watch: readonly ParamSet<number>[], onTold: (told: Told) => void, signal?: AbortSignal): Promise<Went> {
    if (!(Number.isInteger(steps) && steps >= 0)) throw new TileworkError("argument", `session: ${steps} steps`);
    const going = { steps, watch: watch.map((set) => set.number) };
    return (await this.#runner.call({ name: "go", going }, onTold, signal)) as Went;
  }
}

/** Options as they cross to a worker: what is undefined was left out. */
function known(strategy: Strategy): Strategy {
  return Object.fromEntries(Object.entries(strategy).filter(([, value]) => value !== undefined));
}
