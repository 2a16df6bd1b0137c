// The entry "tilework/llm": language models from GGUF files, with a module of their own.

export { ChatCompletions, Completions, inspect, LanguageModel, memoryBytes } from "./llm/language_model.js";
export type { OpenOptions } from "./llm/language_model.js";
export { removeStoredModel, storedModels } from "./llm/store.js";
export type {
  ChatAnswer,
  ChatChunk,
  ChatMessage,
  ChatRequest,
  CompletionAnswer,
  CompletionChunk,
  CompletionRequest,
  FinishReason,
  Logprobs,
  ModelPart,
  ModelSource,
  ModelSummary,
  OpenProgress,
  RequestOptions,
  Sampling,
  StoredModel,
  Timings,
  Usage,
} from "./llm/types.js";
export type { DeviceChoice, DeviceInfo } from "./backend.js";
export { TileworkError } from "./errors.js";
