// The WebAssembly module with the solver, in this thread.

import { load, type WasmSource } from "../load.js";
import init, { Session } from "../wasm/solve/tilework.js";

let loading: Promise<unknown> | undefined;

/** Loads and instantiates the module, once per thread; after a failure it tries again. */
export async function instantiate(source: WasmSource | undefined): Promise<typeof Session> {
  const url = new URL("../wasm/solve/tilework_bg.wasm", import.meta.url);
  loading ??= load(source ?? url, (module) => init({ module_or_path: module })).catch((thrown: unknown) => {
    loading = undefined;
    throw thrown;
  });
  await loading;
  return Session;
}
