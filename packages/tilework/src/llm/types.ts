// What "tilework/llm" takes and gives. Requests and answers have the shape of OpenAI's interface.

/** A GGUF file: its address, a file that was picked, or its bytes. */
export type ModelPart = URL | string | Blob | Uint8Array | ArrayBuffer;

/** A model: one file, or the parts of a split one in their order. */
export type ModelSource = ModelPart | readonly ModelPart[];

/** What a file says about the model in it, known before the weights are there. */
export interface ModelSummary {
  /** What it calls itself, or the name of its file. */
  readonly name: string;
  /** Its family, such as "llama". */
  readonly architecture: string;
  /** The format of most of its weights, such as "Q4_1". */
  readonly format: string;
  /** Weights. */
  readonly parameters: number;
  /** Size of its file or files; 0 if a server does not tell. */
  readonly fileBytes: number;
  /** Size of its weights. */
  readonly weightBytes: number;
  /** Tokens it was trained to see at once. */
  readonly contextLength: number;
  /** Memory that each token of a conversation takes. */
  readonly cacheBytesPerToken: number;
  /** Whether the file says how conversations are written for it. */
  readonly hasChatTemplate: boolean;
  /** Why it cannot be opened, if so. */
  readonly problem?: string;
}

/** How far opening is. */
export interface OpenProgress {
  /** What is being done: the engine is loaded, the head of the file read, the file downloaded, its weights put in place. */
  readonly stage: "engine" | "head" | "download" | "weights" | "ready";
  /** Bytes done of this stage. */
  readonly loadedBytes: number;
  /** Bytes in all; 0 if unknown. */
  readonly totalBytes: number;
}

/** A model that is kept in the browser's private file system. */
export interface StoredModel {
  /** Where it came from. */
  readonly url: string;
  /** The name of its file. */
  readonly name: string;
  /** Its size. */
  readonly sizeBytes: number;
  /** When it was downloaded. */
  readonly savedAt: Date;
}

/** One message of a conversation. */
export interface ChatMessage {
  /** Who speaks. */
  readonly role: "system" | "user" | "assistant";
  /** What is said. */
  readonly content: string;
}

/** How tokens are chosen, and when an answer ends. */
export interface Sampling {
  /** Tokens of the answer at most; as many as the context has room for unless told. */
  readonly max_tokens?: number;
  /** 0 always takes the likeliest token; 0.8 unless told. */
  readonly temperature?: number;
  /** Only the likeliest tokens of this probability together; 0.95 unless told. */
  readonly top_p?: number;
  /** Only so many likeliest tokens, 0 for all; 40 unless told. */
  readonly top_k?: number;
  /** Only tokens this many times as likely as the likeliest; 0.05 unless told. */
  readonly min_p?: number;
  /** Only tokens about as surprising as expected, of this probability together. */
  readonly typical_p?: number;
  /** Divides the logits of tokens that occurred. */
  readonly repetition_penalty?: number;
  /** Taken off a logit for each time the token occurred. */
  readonly frequency_penalty?: number;
  /** Taken off a logit if the token occurred. */
  readonly presence_penalty?: number;
  /** Added to logits, by the number of the token. */
  readonly logit_bias?: Readonly<Record<string, number>>;
  /** Same seed, same text; another one each time unless told. */
  readonly seed?: number;
  /** Ends the answer where one of these would begin. */
  readonly stop?: string | readonly string[];
  /** The answer fits this grammar (GBNF). */
  readonly grammar?: string;
  /** The answer is JSON, perhaps of a schema. */
  readonly response_format?:
    | { readonly type: "text" }
    | { readonly type: "json_object" }
    | { readonly type: "json_schema"; readonly json_schema: { readonly schema: object } };
}

/** A request for the next message of a conversation. */
export interface ChatRequest extends Sampling {
  readonly messages: readonly ChatMessage[];
  /** Whether the answer comes piece by piece. */
  readonly stream?: boolean;
  /** Whether each token's probability is told. */
  readonly logprobs?: boolean;
  /** How many of the likeliest tokens are told with it, 20 at most. */
  readonly top_logprobs?: number;
}

/** A request for more of a text. */
export interface CompletionRequest extends Sampling {
  readonly prompt: string;
  /** Whether the answer comes piece by piece. */
  readonly stream?: boolean;
  /** How many of the likeliest tokens are told with each. */
  readonly logprobs?: number;
}

/** What a request may have besides itself. */
export interface RequestOptions {
  /** Stops the model within a token; the answer then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told while the prompt is read. */
  readonly onPrompt?: (doneTokens: number, totalTokens: number) => void;
}

/** How long it took, where it was computed. */
export interface Timings {
  /** Tokens of the prompt. */
  readonly promptTokens: number;
  /** Those of them that the conversation before had left. */
  readonly cachedTokens: number;
  /** Time the others took. */
  readonly promptMs: number;
  /** Tokens of the answer. */
  readonly writtenTokens: number;
  /** Time they took, from the first on. */
  readonly writtenMs: number;
}

/** Tokens of a request. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** Why an answer ended. */
export type FinishReason = "stop" | "length";

/** Probabilities of the tokens of an answer, as OpenAI writes them. */
export type Logprobs = Readonly<Record<string, unknown>> | null;

/** What every part of an answer says. */
interface Head<Kind extends string, Choice> {
  readonly id: string;
  readonly object: Kind;
  /** Seconds since 1970. */
  readonly created: number;
  /** The model's name. */
  readonly model: string;
  readonly choices: readonly [Choice];
  /** How long it took so far. Not of OpenAI's interface. */
  readonly timings: Timings;
}

/** A piece of a message. */
export interface ChatChunk
  extends Head<
    "chat.completion.chunk",
    {
      readonly index: 0;
      readonly delta: { readonly role?: "assistant"; readonly content?: string };
      readonly logprobs: Logprobs;
      readonly finish_reason: FinishReason | null;
    }
  > {
  /** On the last one. */
  readonly usage?: Usage;
}

/** A whole message. */
export interface ChatAnswer
  extends Head<
    "chat.completion",
    {
      readonly index: 0;
      readonly message: { readonly role: "assistant"; readonly content: string };
      readonly logprobs: Logprobs;
      readonly finish_reason: FinishReason;
    }
  > {
  readonly usage: Usage;
}

/** A piece of a text. */
export interface CompletionChunk
  extends Head<
    "text_completion",
    { readonly index: 0; readonly text: string; readonly logprobs: Logprobs; readonly finish_reason: FinishReason | null }
  > {
  /** On the last one. */
  readonly usage?: Usage;
}

/** A whole text. */
export interface CompletionAnswer
  extends Head<
    "text_completion",
    { readonly index: 0; readonly text: string; readonly logprobs: Logprobs; readonly finish_reason: FinishReason }
  > {
  readonly usage: Usage;
}
