// The one instance of the engine's module in this thread.

import { load, type OnProgress, type WasmSource } from "./load.js";
import init from "./wasm/tilework.js";

let loading: Promise<WebAssembly.Module> | undefined;

/**
 * Loads and instantiates the module. The generated code keeps one instance per thread, so a second call gives the first module,
 * whatever its source; after a failure it tries again.
 */
export function instantiate(source: WasmSource | undefined, onProgress?: OnProgress): Promise<WebAssembly.Module> {
  loading ??= start(source, onProgress).catch((thrown: unknown) => {
    loading = undefined;
    throw thrown;
  });
  return loading;
}

function start(source: WasmSource | undefined, onProgress?: OnProgress): Promise<WebAssembly.Module> {
  const from = source ?? new URL("./wasm/tilework_bg.wasm", import.meta.url);
  return load(from, (module) => init({ module_or_path: module }), onProgress);
}
