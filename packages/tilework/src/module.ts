// The one instance of the engine's module in this thread.

import { compile, type OnProgress, type WasmSource } from "./load.js";
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

async function start(source: WasmSource | undefined, onProgress?: OnProgress): Promise<WebAssembly.Module> {
  const module = await compile(source ?? new URL("./wasm/tilework_bg.wasm", import.meta.url), onProgress);
  await init({ module_or_path: module });
  return module;
}
