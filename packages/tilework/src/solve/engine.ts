// A problem in this thread: compiled once, then solved step by step.

import type { DeviceChoice, EngineInfo } from "../backend.js";
import { guarded, TileworkError, toTileworkError } from "../errors.js";
import type { WasmSource } from "../load.js";
import { Waiting } from "../waiting.js";
import type { Session as EngineSession } from "../wasm/solve/tilework.js";
import { instantiate } from "./module.js";
import { turn } from "./turn.js";
import type { Description } from "./problem.js";
import type { CompiledCounts, Counts, Iteration, Precision, Reason, Strategy } from "./types.js";

/** What to open. */
export interface Opening {
  readonly device: DeviceChoice;
  readonly precision: Precision;
  readonly description: Description;
  /** Without one, the problem is evaluated and not solved. */
  readonly strategy: Strategy | undefined;
  /** With fewer instances the CPU evaluates. */
  readonly fallbackThreshold: number;
  /** Instances that are evaluated at once. */
  readonly batchSize: number;
  readonly wasm: WasmSource | undefined;
}

/** A compiled problem in words. */
export interface Opened {
  readonly info: EngineInfo;
  readonly counts: Counts;
  /** Where the instances of each graph of each recording went: group, first instance, number of instances. */
  readonly places: readonly Uint32Array[];
  /** The cost at the start; there if the problem is to be solved. */
  readonly start: Iteration | undefined;
  /** Where it runs. */
  readonly runsOn: "cpu" | "gpu";
  /** What it computes with, in words. */
  readonly precision: string;
  /** By direction of a gradient, the number it moves. */
  readonly moving: Uint32Array;
  /** The numbers of all sets; there if the problem is to be evaluated. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

/** How far to go. */
export interface Going {
  /** At most so many steps. */
  readonly steps: number;
  /** Sets whose values are wanted with every message. */
  readonly watch: readonly number[];
}

/** What happened since the last message. */
export interface Told {
  readonly iterations: readonly Iteration[];
  /** Of the sets that are watched. */
  readonly values: readonly Float64Array<ArrayBuffer>[];
}

/** Why there is no point in another step. */
export interface Ending {
  readonly name: Reason;
  readonly explanation: string;
  readonly converged: boolean;
}

/** The end of some steps: `ending` is there if there is no point in another one. */
export interface Went {
  readonly ending: Ending | undefined;
  readonly initialCost: number;
  readonly finalCost: number;
}

/** Time between two looks at what a page wants. */
const TURN_MS = 12;

/** A problem in this thread. */
export class SolveEngine {
  readonly opened: Opened;
  readonly #session: EngineSession;
  readonly #waiting: Waiting;
  /** Changes that wait for the end of a step. */
  readonly #changes: (() => void)[] = [];
  #isGoing = false;
  #last: Promise<unknown> = Promise.resolve();
  readonly #strategy: Strategy | undefined;

  private constructor(session: EngineSession, places: readonly Uint32Array[], strategy: Strategy | undefined) {
    this.#session = session;
    this.#strategy = strategy;
    const info = JSON.parse(session.info()) as EngineInfo;
    const counts = JSON.parse(session.counts()) as Counts;
    const start = strategy && this.#summary().start;
    const moving = strategy ? new Uint32Array() : session.movingNumbers();
    const numbers = (strategy ? new Float64Array() : session.allNumbers()) as Float64Array<ArrayBuffer>;
    this.opened = { info, counts, places, start, runsOn: session.runsOn() as Opened["runsOn"], precision: session.precisionWords(), moving, numbers };
    this.#waiting = new Waiting(info.runsOn === "cpu" ? undefined : () => session.nudge());
  }

  static async open(opening: Opening): Promise<SolveEngine> {
    const { device, precision, description, strategy, fallbackThreshold, batchSize } = opening;
    const module = await instantiate(opening.wasm);
    let session: EngineSession | undefined;
    try {
      session = await module.open(device, precision);
      const places = fill(session, description);
      if (strategy === undefined) await session.compileResiduals(batchSize, fallbackThreshold);
      else session.compile(strategy);
      return new SolveEngine(session, places, strategy);
    } catch (thrown) {
      session?.free();
      throw toTileworkError(thrown);
    }
  }

  /** Makes steps until one of many reasons to stop; `signal` ends it between two of them. */
  async go({ steps, watch }: Going, onTold: (told: Told) => void, signal: AbortSignal): Promise<Went> {
    if (this.#isGoing) throw new TileworkError("argument", "session: steps are being made already");
    this.#isGoing = true;
    let ending: Ending | undefined;
    try {
      let [iterations, sinceMs]: [Iteration[], number] = [[], performance.now()];
      for (let n = 0; n < steps && ending === undefined; n++) {
        const said = JSON.parse(await this.#waiting.on(guarded(() => this.#session.step(1)))) as { iterations: Iteration[]; reason: Ending | null };
        iterations.push(...said.iterations);
        ending = said.reason ?? undefined;
        if (ending === undefined && n + 1 < steps && performance.now() - sinceMs < TURN_MS) continue;
        onTold({ iterations, values: watch.map((set) => this.values(set)) });
        [iterations, sinceMs] = [[], performance.now()];
        // Messages to this thread are seen between turns: whether to stop, and values that changed.
        if (ending === undefined && n + 1 < steps) await turn();
        signal.throwIfAborted();
        this.#change();
      }
      const { initialCost, finalCost } = this.#summary();
      return { ending, initialCost, finalCost };
    } catch (thrown) {
      signal.throwIfAborted();
      throw toTileworkError(thrown);
    } finally {
      this.#isGoing = false;
      this.#change();
    }
  }

  values(set: number): Float64Array<ArrayBuffer> {
    return guarded(() => this.#session.values(set)) as Float64Array<ArrayBuffer>;
  }

  /** Replaces the numbers of a set, between two steps. */
  setValues(set: number, values: Float64Array): Promise<void> {
    return this.#between(() => this.#session.setValues(set, values));
  }

  /** Blocks of a set that stay as they are, no others; this makes a new plan. */
  setFixed(set: number, blocks: Uint32Array): Promise<void> {
    return this.#between(() => {
      this.#session.setFixed(set, blocks);
      this.#session.compile(this.#strategy ?? {});
    });
  }

  /** Evaluates at `x`: rows and columns, if there are any, and numbers. One evaluation after the other. */
  evaluate(what: string, x: Float64Array): Promise<readonly [Uint32Array, Uint32Array, Float64Array]> {
    const found = this.#last.then(() => this.#waiting.on(guarded(() => this.#session.evaluate(what, x)))).catch((thrown: unknown) => {
      throw toTileworkError(thrown);
    });
    this.#last = found.catch(() => {});
    return found;
  }

  /** What was compiled to be evaluated, and what ran since. */
  residualCounts(): CompiledCounts {
    return JSON.parse(guarded(() => this.#session.residualCounts())) as CompiledCounts;
  }

  dispose(): void {
    this.#waiting.reject(new TileworkError("disposed", "the session was disposed of"));
    this.#session.free();
  }

  #summary(): { initialCost: number; finalCost: number; start: Iteration } {
    return JSON.parse(guarded(() => this.#session.summary())) as { initialCost: number; finalCost: number; start: Iteration };
  }

  /** Runs `work` when no step is on its way. */
  #between(work: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#changes.push(() => {
        try {
          resolve(guarded(work));
        } catch (thrown) {
          reject(thrown as Error);
        }
      });
      if (!this.#isGoing) this.#change();
    });
  }

  #change(): void {
    for (const change of this.#changes.splice(0)) change();
  }
}

/** Hands a problem over; gives where its instances went. */
function fill(session: EngineSession, { sets, meshes, recordings }: Description): Uint32Array[] {
  for (const { dim, values, manifold, fixed, bounds } of sets) {
    const set = session.addParams(dim, values, manifold);
    if (fixed.length > 0) session.setFixed(set, fixed);
    for (let at = 0; at + 3 < bounds.length; at += 4) session.setBounds(set, bounds[at]!, bounds[at + 1]!, bounds[at + 2]!, bounds[at + 3]!);
  }
  for (const { set, rest, faces, energies, weights } of meshes) session.addMesh(set, rest, faces, [...energies], weights);
  return recordings.map(({ name, words }) => session.addRecording(name, words));
}
