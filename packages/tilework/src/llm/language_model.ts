// A language model that is open: conversations and texts in, answers out.

import type { DeviceChoice, DeviceInfo } from "../backend.js";
import { dispose } from "../dispose.js";
import { TileworkError } from "../errors.js";
import type { WasmSource } from "../load.js";
import type { Asking, Chunk, Told } from "./engine.js";
import { inspectAnywhere, type LlmRunner, openHere, openInWorker } from "./runner.js";
import { Stream } from "./stream.js";
import type {
  ChatAnswer,
  ChatChunk,
  ChatMessage,
  ChatRequest,
  CompletionAnswer,
  CompletionChunk,
  CompletionRequest,
  FinishReason,
  ModelPart,
  ModelSource,
  ModelSummary,
  OpenProgress,
  RequestOptions,
  Timings,
  Usage,
} from "./types.js";

/** How to open a model. */
export interface OpenOptions {
  /** "gpu" rejects with code "no_device" without WebGPU; "auto", the default, then computes on the CPU. */
  readonly device?: DeviceChoice;
  /** Tokens of the longest conversation; what the model was trained with, 2048 at most, unless told. */
  readonly contextLength?: number;
  /** Keep downloads in the browser's private file system; so it is unless told. */
  readonly keep?: boolean;
  /** Compute in a worker, so that the page never waits; so it is unless told, where there are workers. */
  readonly worker?: boolean;
  /** The WebAssembly module, if it is not where the package keeps it. */
  readonly wasm?: WasmSource;
  /** Told how far it is. */
  readonly onProgress?: (progress: OpenProgress) => void;
  /** Told what the model is, before its weights are downloaded. */
  readonly onSummary?: (summary: ModelSummary) => void;
  /** Ends it; the promise then rejects with the signal's reason. What was downloaded is kept, and goes on next time. */
  readonly signal?: AbortSignal;
}

/** Reads the head of a model's file and no more. */
export function inspect(source: ModelSource, options: { readonly wasm?: WasmSource; readonly signal?: AbortSignal } = {}): Promise<ModelSummary> {
  return inspectAnywhere(partsOf(source), options.wasm, options.signal);
}

/** Memory besides weights and context: the engine, its buffers, the vocabulary. */
const ENGINE_BYTES = 48e6;

/** Memory that a model takes with a context of so many tokens. */
export function memoryBytes({ weightBytes, cacheBytesPerToken }: ModelSummary, contextLength: number): number {
  return weightBytes + contextLength * cacheBytesPerToken + ENGINE_BYTES;
}

/** An open language model. */
export class LanguageModel {
  /** What its file says about it. */
  readonly summary: ModelSummary;
  /** The device it runs on. */
  readonly device: DeviceInfo;
  /** Tokens of the longest conversation. */
  readonly contextLength: number;
  /** Why the model's own chat template is not used, if it has one; empty otherwise. */
  readonly templateProblem: string;
  /** Conversations, in the shape of OpenAI's client. */
  readonly chat: { readonly completions: ChatCompletions };
  /** Texts, in the shape of OpenAI's client. */
  readonly completions: Completions;
  readonly #runner: LlmRunner;

  private constructor(runner: LlmRunner, device: DeviceInfo) {
    const { summary, contextLength, templateProblem } = runner.opened;
    this.summary = summary;
    this.contextLength = contextLength;
    this.templateProblem = templateProblem;
    this.device = device;
    this.chat = { completions: new ChatCompletions(runner) };
    this.completions = new Completions(runner);
    this.#runner = runner;
  }

  /** Opens a model from a GGUF file: downloads it if it must, and reads its weights onto a device. */
  static async open(
    source: ModelSource,
    {
      device = "auto",
      contextLength = 0,
      keep = true,
      worker = typeof Worker !== "undefined",
      wasm,
      onProgress = () => {},
      onSummary = () => {},
      signal,
    }: OpenOptions = {},
  ): Promise<LanguageModel> {
    signal?.throwIfAborted();
    if (!Number.isInteger(contextLength) || contextLength < 0) {
      throw new TileworkError("argument", `model: a context of ${contextLength} tokens makes no sense`);
    }
    const opening = { device, parts: partsOf(source), contextLength, keep, wasm };
    const hearing = { onProgress, onSummary };
    const runner = worker ? await openInWorker(opening, hearing, signal) : await openHere(opening, hearing, signal);
    return new LanguageModel(runner, { ...runner.opened.info, requested: device, worker });
  }

  /** Tokens of a conversation as the model would read it. */
  async countTokens(messages: readonly ChatMessage[]): Promise<number> {
    const asking: Asking = { kind: "chat", body: JSON.stringify({ messages }) };
    return (await this.#runner.call({ name: "countTokens", asking })) as number;
  }

  /** The tokens of a text, in which special tokens are read as such. */
  async tokenize(text: string): Promise<Uint32Array> {
    return (await this.#runner.call({ name: "tokenize", text })) as Uint32Array;
  }

  /** The text of tokens. */
  async detokenize(tokens: Iterable<number>): Promise<string> {
    return (await this.#runner.call({ name: "detokenize", tokens: Uint32Array.from(tokens) })) as string;
  }

  /** Lets go of the model and its memory. What is being asked rejects. */
  dispose(): void {
    this.#runner.dispose();
  }

  /** For `using`. */
  [dispose](): void {
    this.dispose();
  }
}

function partsOf(source: ModelSource): readonly ModelPart[] {
  return Array.isArray(source) ? (source as readonly ModelPart[]) : [source as ModelPart];
}

/** Conversations. */
export class ChatCompletions {
  readonly #runner: LlmRunner;

  /** @internal */
  constructor(runner: LlmRunner) {
    this.#runner = runner;
  }

  /** The next message of a conversation: whole, or as a stream of its pieces. Requests are answered one after the other. */
  create(request: ChatRequest & { readonly stream: true }, options?: RequestOptions): Promise<AsyncIterableIterator<ChatChunk>>;
  create(request: ChatRequest, options?: RequestOptions): Promise<ChatAnswer>;
  async create(request: ChatRequest, options: RequestOptions = {}): Promise<AsyncIterableIterator<ChatChunk> | ChatAnswer> {
    const stream = begin(this.#runner, { kind: "chat", body: JSON.stringify(request) }, options) as Stream<ChatChunk>;
    return request.stream ? stream : ((await whole(stream)) as unknown as ChatAnswer);
  }
}

/** Texts. */
export class Completions {
  readonly #runner: LlmRunner;

  /** @internal */
  constructor(runner: LlmRunner) {
    this.#runner = runner;
  }

  /** More of a text: whole, or as a stream of its pieces. The text is read as it is, special tokens and all. */
  create(request: CompletionRequest & { readonly stream: true }, options?: RequestOptions): Promise<AsyncIterableIterator<CompletionChunk>>;
  create(request: CompletionRequest, options?: RequestOptions): Promise<CompletionAnswer>;
  async create(request: CompletionRequest, options: RequestOptions = {}): Promise<AsyncIterableIterator<CompletionChunk> | CompletionAnswer> {
    const stream = begin(this.#runner, { kind: "completion", body: JSON.stringify(request) }, options) as Stream<CompletionChunk>;
    return request.stream ? stream : ((await whole(stream)) as unknown as CompletionAnswer);
  }
}

type Part = ChatChunk | CompletionChunk;

/** Starts an answer, whose parts come on a stream. */
function begin(runner: LlmRunner, asking: Asking, { signal, onPrompt }: RequestOptions): Stream<Part> {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  const stream = new Stream<Part>(() => stop.abort());
  let isFirst = true;
  const onTold = (told: Told): void => {
    if ("read" in told) return onPrompt?.(told.read, told.prompt);
    for (const part of toParts(told, isFirst)) {
      stream.push(part);
      isFirst = false;
    }
  };
  void runner
    .answer(asking, onTold, stop.signal)
    .then(() => stream.end(), (thrown: unknown) => stream.fail(thrown))
    .finally(() => signal?.removeEventListener("abort", onAbort));
  return stream;
}

/** What a step brought, as parts for the reader; often none, while a character is not whole. */
function toParts({ chunk, end, usage, timings }: Extract<Told, { chunk: Chunk }>, isFirst: boolean): Part[] {
  const [{ delta, text, logprobs }] = chunk.choices;
  const parts: Chunk[] = [];
  if ((delta?.content ?? text) || logprobs) parts.push(isFirst ? withRole(chunk) : chunk);
  if (end) parts.push(end);
  return parts.map((part) => ({ ...part, ...(part === end && usage ? { usage } : {}), timings }) as unknown as Part);
}

/** The first piece of a message says who speaks. */
function withRole(chunk: Chunk): Chunk {
  const [choice] = chunk.choices;
  return choice.delta === undefined ? chunk : { ...chunk, choices: [{ ...choice, delta: { role: "assistant", ...choice.delta } }] };
}

/** All parts of an answer in one. */
async function whole(stream: Stream<Part>): Promise<object> {
  let content = "";
  const logprobs: unknown[] = [];
  let last: { part: Part; finish: FinishReason; usage: Usage | undefined; timings: Timings } | undefined;
  for await (const part of stream) {
    const [choice] = part.choices;
    content += ("delta" in choice ? choice.delta.content : choice.text) ?? "";
    if (choice.logprobs !== null) logprobs.push(choice.logprobs);
    last = { part, finish: choice.finish_reason ?? "stop", usage: part.usage, timings: part.timings };
  }
  if (last === undefined) throw new TileworkError("kernel", "the model said nothing");
  const { part, finish, usage, timings } = last;
  const isChat = part.object === "chat.completion.chunk";
  const said = isChat ? { message: { role: "assistant", content } } : { text: content };
  const choice = { index: 0, ...said, logprobs: joined(logprobs), finish_reason: finish };
  return { ...part, object: isChat ? "chat.completion" : "text_completion", choices: [choice], usage, timings };
}

/** The lists of several objects, one after the other. */
function joined(logprobs: readonly unknown[]): Record<string, unknown[]> | null {
  if (logprobs.length === 0) return null;
  const all: Record<string, unknown[]> = {};
  for (const some of logprobs as readonly Record<string, unknown[]>[]) {
    for (const [name, list] of Object.entries(some)) (all[name] ??= []).push(...list);
  }
  return all;
}
