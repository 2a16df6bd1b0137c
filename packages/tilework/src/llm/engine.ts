// The model in this thread: opens it from its parts and answers requests one after the other.

import type { DeviceChoice, EngineInfo } from "../backend.js";
import { TileworkError, toTileworkError } from "../errors.js";
import type { WasmSource } from "../load.js";
import { Waiting } from "../waiting.js";
import type { LanguageModel as EngineModel } from "../wasm/llm/tilework.js";
import { instantiate, type LlmModule } from "./module.js";
import { type ByteSource, headOf, nameOf, sourceOf } from "./parts.js";
import type { ModelPart, ModelSummary, OpenProgress, Timings, Usage } from "./types.js";

/** What to open. */
export interface Opening {
  readonly device: DeviceChoice;
  readonly parts: readonly ModelPart[];
  /** Tokens of the longest conversation; 0: what the model was trained with, 2048 at most. */
  readonly contextLength: number;
  /** Whether downloads are kept. */
  readonly keep: boolean;
  readonly wasm: WasmSource | undefined;
}

/** Told while a model is opened. */
export interface Hearing {
  onProgress(progress: OpenProgress): void;
  onSummary(summary: ModelSummary): void;
}

/** An open model in words. */
export interface Opened {
  readonly info: EngineInfo;
  readonly summary: ModelSummary;
  readonly contextLength: number;
  /** Why the model's own chat template is not used, if it has one; empty otherwise. */
  readonly templateProblem: string;
}

/** A request as JSON. */
export interface Asking {
  readonly kind: "chat" | "completion";
  readonly body: string;
}

/** A part of an answer in OpenAI's form. */
export type Chunk = Readonly<Record<string, unknown>> & {
  readonly choices: readonly [{ readonly delta?: { readonly role?: string; readonly content?: string }; readonly text?: string; readonly logprobs: unknown }];
};

/** What a step of an answer brought. */
export type Told =
  | { readonly read: number; readonly prompt: number }
  | { readonly chunk: Chunk; readonly end?: Chunk; readonly usage?: Usage; readonly timings: Timings };

/** What the engine itself says about a step. */
interface Step {
  readonly read?: number;
  readonly prompt?: number;
  readonly cached?: number;
  readonly chunk?: Chunk;
  readonly generated?: number;
  readonly end?: Chunk;
  readonly usage?: Usage;
}

/** Context of models that were trained with more, unless told. */
const USUAL_CONTEXT = 2048;
/** Bytes of a file that are looked at first; vocabularies of many models fit. */
const FIRST_BYTES = 1 << 20;

/** Reads what a model's first bytes say about it. */
export async function inspectParts(parts: readonly ModelPart[], wasm: WasmSource | undefined, signal?: AbortSignal): Promise<ModelSummary> {
  return summarize(await instantiate(wasm), parts, signal);
}

async function summarize({ inspect }: LlmModule, parts: readonly ModelPart[], signal: AbortSignal | undefined): Promise<ModelSummary> {
  const [first] = parts;
  if (first === undefined) throw new TileworkError("argument", "model: there is no file");
  let n = FIRST_BYTES;
  for (;;) {
    const { bytes, sizeBytes } = await headOf(first, n, signal);
    const said = guardedInspect(inspect, bytes);
    if (typeof said === "string") {
      const { endBytes, parts: nParts, ...summary } = JSON.parse(said) as ModelSummary & { endBytes: number; parts: number };
      const fileBytes = parts.length === 1 ? sizeBytes || endBytes : await totalSize(parts, signal);
      const problem = summary.problem ?? (nParts > parts.length ? `it has ${nParts} parts; only ${parts.length} given` : undefined);
      const { problem: _, ...known } = summary;
      return { ...known, name: summary.name || nameOf(first), fileBytes, ...(problem ? { problem } : {}) };
    }
    if (bytes.byteLength < n) throw new TileworkError("io", `model: ${nameOf(first)} ends after ${bytes.byteLength} bytes; its head needs ${said}`);
    n = Math.max(said, 2 * n);
  }
}

function guardedInspect(inspect: LlmModule["inspect"], bytes: Uint8Array): string | number {
  try {
    return inspect(bytes);
  } catch (thrown) {
    throw toTileworkError(thrown);
  }
}

async function totalSize(parts: readonly ModelPart[], signal: AbortSignal | undefined): Promise<number> {
  const sizes = await Promise.all(parts.map(async (part) => (await headOf(part, 1, signal)).sizeBytes));
  return sizes.every((size) => size > 0) ? sizes.reduce((a, b) => a + b, 0) : 0;
}

/** A model in this thread. */
export class LlmEngine {
  readonly opened: Opened;
  readonly #model: EngineModel;
  readonly #waiting: Waiting;
  /** The end of the last answer that was asked for. */
  #last: Promise<unknown> = Promise.resolve();
  #nRequests = 0;

  private constructor(model: EngineModel, summary: ModelSummary, contextLength: number) {
    this.#model = model;
    const info = JSON.parse(model.info()) as EngineInfo;
    this.opened = { info, summary, contextLength, templateProblem: model.templateProblem() };
    this.#waiting = new Waiting(info.runsOn === "cpu" ? undefined : () => model.nudge());
  }

  static async open({ device, parts, contextLength, keep, wasm }: Opening, hearing: Hearing, signal?: AbortSignal): Promise<LlmEngine> {
    const tell = (stage: OpenProgress["stage"]) => (loadedBytes: number, totalBytes: number): void => hearing.onProgress({ stage, loadedBytes, totalBytes });
    tell("engine")(0, 0);
    const module = await instantiate(wasm);
    tell("head")(0, 0);
    const summary = await summarize(module, parts, signal);
    hearing.onSummary(summary);
    if (summary.problem !== undefined) throw new TileworkError("unsupported", `model: ${summary.problem}`);
    const length = contextLength > 0 ? contextLength : Math.min(summary.contextLength, USUAL_CONTEXT);
    const sources = await getSources(parts, keep, summary.fileBytes, tell("download"), signal);
    signal?.throwIfAborted();
    try {
      tell("weights")(0, summary.weightBytes);
      const model = await module.LanguageModel.open(device, sources, length, 0, tell("weights"));
      tell("ready")(summary.weightBytes, summary.weightBytes);
      return new LlmEngine(model, summary, length);
    } catch (thrown) {
      throw toTileworkError(thrown);
    } finally {
      for (const source of sources) source.close?.();
    }
  }

  /** Answers a request after all that were asked before; `signal` ends it within a token. */
  answer(asking: Asking, onTold: (told: Told) => void, signal: AbortSignal): Promise<void> {
    const answered = this.#last.then(() => this.#answer(asking, onTold, signal));
    this.#last = answered.catch(() => {});
    return answered;
  }

  /** Tokens of the prompt that a request would make. */
  countTokens({ kind, body }: Asking): number {
    return this.#guarded(() => this.#model.countTokens(kind, body, Date.now() / 1000));
  }

  tokenize(text: string): Uint32Array {
    return this.#guarded(() => this.#model.tokenize(text));
  }

  detokenize(tokens: Uint32Array): string {
    return this.#guarded(() => this.#model.detokenize(tokens));
  }

  dispose(): void {
    this.#waiting.reject(new TileworkError("disposed", "the model was disposed of"));
    this.#model.free();
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      throw toTileworkError(thrown);
    }
  }

  async #answer({ kind, body }: Asking, onTold: (told: Told) => void, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const id = `${kind === "chat" ? "chatcmpl" : "cmpl"}-${Date.now().toString(16)}-${(this.#nRequests++).toString(16)}`;
    const seed = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
    const answer = this.#guarded(() => this.#model.begin(kind, body, id, Math.floor(Date.now() / 1000), seed));
    const watch = new Stopwatch();
    try {
      for (;;) {
        const said = await this.#waiting.on(answer.next());
        if (said === undefined) return;
        const step = JSON.parse(said) as Step;
        watch.note(step);
        onTold(toTold(step, watch.timings));
        // Messages to this thread are seen between steps: whether to stop is one.
        await nextTask();
        signal.throwIfAborted();
      }
    } catch (thrown) {
      signal.throwIfAborted();
      throw toTileworkError(thrown);
    } finally {
      answer.free();
    }
  }
}

async function getSources(
  parts: readonly ModelPart[],
  keep: boolean,
  totalBytes: number,
  tell: (loadedBytes: number, totalBytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<ByteSource[]> {
  const loaded = parts.map(() => 0);
  const sources: ByteSource[] = [];
  // One after the other: a part that fails is known at once, and what came before it is kept.
  for (const [index, part] of parts.entries()) {
    const tellOne = (loadedBytes: number, ofBytes: number): void => {
      loaded[index] = loadedBytes;
      tell(loaded.reduce((a, b) => a + b, 0), parts.length === 1 ? ofBytes || totalBytes : totalBytes);
    };
    sources.push(await sourceOf(part, keep, tellOne, signal));
  }
  return sources;
}

function toTold(step: Step, timings: Timings): Told {
  if (step.chunk === undefined) return { read: step.read ?? 0, prompt: step.prompt ?? 0 };
  const { chunk, end, usage } = step;
  return { chunk, timings, ...(end ? { end } : {}), ...(usage ? { usage } : {}) };
}

/** Takes the time of an answer. */
class Stopwatch {
  #startMs = performance.now();
  timings: Timings = { promptTokens: 0, cachedTokens: 0, promptMs: 0, writtenTokens: 0, writtenMs: 0 };

  note(step: Step): void {
    const sinceMs = performance.now() - this.#startMs;
    if (step.chunk === undefined) {
      this.timings = { ...this.timings, promptTokens: step.prompt ?? 0, cachedTokens: step.cached ?? 0, promptMs: sinceMs };
    } else {
      this.timings = { ...this.timings, writtenTokens: step.generated ?? 0, writtenMs: sinceMs - this.timings.promptMs };
    }
  }
}

/** Lets everything else that waits in this thread go first. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}
