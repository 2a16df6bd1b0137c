// The WebAssembly module of language models, in this thread.

import { load, type WasmSource } from "../load.js";
import init, { inspect, LanguageModel } from "../wasm/llm/tilework.js";

/** What the module has. */
export interface LlmModule {
  readonly LanguageModel: typeof LanguageModel;
  readonly inspect: typeof inspect;
}

let loading: Promise<unknown> | undefined;

/** Loads and instantiates the module, once per thread; after a failure it tries again. */
export async function instantiate(source: WasmSource | undefined): Promise<LlmModule> {
  const url = new URL("../wasm/llm/tilework_bg.wasm", import.meta.url);
  loading ??= load(source ?? url, (module) => init({ module_or_path: module })).catch((thrown: unknown) => {
    loading = undefined;
    throw thrown;
  });
  await loading;
  return { LanguageModel, inspect };
}
