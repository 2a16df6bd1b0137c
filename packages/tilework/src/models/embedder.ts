// Sentence embeddings.

import type { DeviceInfo } from "../backend.js";
import { TileworkError } from "../errors.js";
import type { FileSource } from "./files.js";
import { Model, type ModelOptions, numberOf } from "./model.js";

/** The files of a sentence-transformers model, by their own names. */
export interface EmbedderFiles {
  readonly "config.json": FileSource;
  readonly "model.safetensors": FileSource;
  readonly "tokenizer.json": FileSource;
  /** Says how many tokens of a text are read; without it, as many as the model can. */
  readonly "sentence_bert_config.json"?: FileSource;
}

/** Turns texts into vectors that are close where meanings are. */
export class Embedder {
  readonly #model: Model;

  private constructor(model: Model) {
    this.#model = model;
  }

  /** Opens a model from its files, or from the address of the folder that they are in. */
  static async open(files: EmbedderFiles | URL | string, options: ModelOptions = {}): Promise<Embedder> {
    const named = typeof files === "string" || files instanceof URL ? filesOf(files) : files;
    return new Embedder(await Model.open("embedder", { ...named }, {}, options));
  }

  /** The device it runs on. */
  get device(): DeviceInfo {
    return this.#model.device;
  }

  /** A vector of length 1 for each text. */
  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (!texts.every((text) => typeof text === "string")) throw new TileworkError("argument", "embed: texts must be strings");
    const answer = await this.#model.ask("embed", { texts });
    const size = numberOf(answer, "size");
    return texts.map((_, index) => answer.data.subarray(index * size, (index + 1) * size));
  }

  /** Lets go of the model. */
  dispose(): void {
    this.#model.dispose();
  }
}

/** How similar two vectors of length 1 are, from -1 to 1. */
export function similarity(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
}

function filesOf(folder: URL | string): EmbedderFiles {
  const base = new URL(String(folder).replace(/\/?$/, "/"), globalThis.location?.href);
  const file = (name: string): URL => new URL(name, base);
  return {
    "config.json": file("config.json"),
    "model.safetensors": file("model.safetensors"),
    "tokenizer.json": file("tokenizer.json"),
    "sentence_bert_config.json": file("sentence_bert_config.json"),
  };
}
