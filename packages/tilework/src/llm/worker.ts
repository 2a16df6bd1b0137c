// The worker's side of a language model.

import type { WasmSource } from "../load.js";
import { type PlainError, toPlainError } from "../errors.js";
import { type Asking, inspectParts, LlmEngine, type Opened, type Opening, type Told } from "./engine.js";
import type { ModelPart, ModelSummary, OpenProgress } from "./types.js";

/** From the page: what to open or to look at, then requests. */
export type ToLlmWorker =
  | { readonly kind: "inspect"; readonly parts: readonly ModelPart[]; readonly wasm: WasmSource | undefined }
  | { readonly kind: "open"; readonly opening: Opening }
  | { readonly kind: "ask"; readonly request: number; readonly asking: Asking }
  | { readonly kind: "stop"; readonly request: number }
  | { readonly kind: "call"; readonly request: number; readonly call: Call };

/** Questions with one answer. */
export type Call =
  | { readonly name: "countTokens"; readonly asking: Asking }
  | { readonly name: "tokenize"; readonly text: string }
  | { readonly name: "detokenize"; readonly tokens: Uint32Array };

/** From the worker. */
export type FromLlmWorker =
  | { readonly kind: "progress"; readonly progress: OpenProgress }
  | { readonly kind: "summary"; readonly summary: ModelSummary }
  | { readonly kind: "opened"; readonly opened: Opened }
  | { readonly kind: "refused"; readonly error: PlainError }
  | { readonly kind: "told"; readonly request: number; readonly told: Told }
  | { readonly kind: "done"; readonly request: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly request: number; readonly error: PlainError };

interface Scope {
  postMessage(message: FromLlmWorker): void;
  onmessage: ((event: MessageEvent<ToLlmWorker>) => void) | null;
}
const scope = globalThis as unknown as Scope;

let engine: LlmEngine | undefined;
/** How to stop each answer. */
const running = new Map<number, AbortController>();

scope.onmessage = ({ data }) => {
  if (data.kind === "open") void open(data.opening);
  else if (data.kind === "inspect") void inspect(data.parts, data.wasm);
  else if (data.kind === "stop") running.get(data.request)?.abort();
  else void answer(data.request, data.kind === "ask" ? ask(data.request, data.asking) : call(data.call));
};

async function inspect(parts: readonly ModelPart[], wasm: WasmSource | undefined): Promise<void> {
  try {
    scope.postMessage({ kind: "summary", summary: await inspectParts(parts, wasm) });
  } catch (thrown) {
    scope.postMessage({ kind: "refused", error: toPlainError(thrown) });
  }
}

async function open(opening: Opening): Promise<void> {
  try {
    engine = await LlmEngine.open(opening, {
      onProgress: (progress) => scope.postMessage({ kind: "progress", progress }),
      onSummary: (summary) => scope.postMessage({ kind: "summary", summary }),
    });
    scope.postMessage({ kind: "opened", opened: engine.opened });
  } catch (thrown) {
    scope.postMessage({ kind: "refused", error: toPlainError(thrown) });
  }
}

async function ask(request: number, asking: Asking): Promise<void> {
  const controller = new AbortController();
  running.set(request, controller);
  try {
    await opened().answer(asking, (told) => scope.postMessage({ kind: "told", request, told }), controller.signal);
  } finally {
    running.delete(request);
  }
}

async function call(call: Call): Promise<unknown> {
  if (call.name === "countTokens") return opened().countTokens(call.asking);
  return call.name === "tokenize" ? opened().tokenize(call.text) : opened().detokenize(call.tokens);
}

function opened(): LlmEngine {
  if (engine === undefined) throw new Error("the worker has no model");
  return engine;
}

async function answer(request: number, value: Promise<unknown>): Promise<void> {
  try {
    scope.postMessage({ kind: "done", request, value: await value });
  } catch (thrown) {
    scope.postMessage({ kind: "failure", request, error: toPlainError(thrown) });
  }
}
