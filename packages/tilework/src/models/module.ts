// The WebAssembly module with the models, in this thread.

import { load, type WasmSource } from "../load.js";
import init, { Model } from "../wasm/models/tilework.js";

let loading: Promise<WebAssembly.Module> | undefined;

/** Loads and instantiates the module, once per thread; after a failure it tries again. */
export async function instantiate(source: WasmSource | undefined): Promise<{ module: WebAssembly.Module; Model: typeof Model }> {
  const url = new URL("../wasm/models/tilework_bg.wasm", import.meta.url);
  loading ??= load(source ?? url, (module) => init({ module_or_path: module })).catch((thrown: unknown) => {
    loading = undefined;
    throw thrown;
  });
  return { module: await loading, Model };
}
