// The engine's modules in this thread: the whole one, and the smaller one with the core operations only.

import { load, type OnProgress, type WasmSource } from "./load.js";
import type { Engine } from "./wasm/tilework.js";

/** Which operations there are: all of them, or the core ones (element-wise, views, reductions, products, softmax), a smaller download. */
export type Ops = "all" | "core";

/** An instantiated module. */
export interface Instance {
  readonly ops: Ops;
  readonly module: WebAssembly.Module;
  readonly Engine: typeof Engine;
}

const loading = new Map<Ops, Promise<Instance>>();

/**
 * Loads and instantiates a module. The generated code keeps one instance per thread, so a second call gives the first module,
 * whatever its source; after a failure it tries again.
 */
export function instantiate(ops: Ops, source: WasmSource | undefined, onProgress?: OnProgress): Promise<Instance> {
  const known = loading.get(ops);
  if (known) return known;
  const starting = start(ops, source, onProgress).catch((thrown: unknown) => {
    loading.delete(ops);
    throw thrown;
  });
  loading.set(ops, starting);
  return starting;
}

async function start(ops: Ops, source: WasmSource | undefined, onProgress?: OnProgress): Promise<Instance> {
  // Bundlers look for exactly these expressions; both files lie side by side with their module.
  const [generated, url] =
    ops === "core"
      ? [import("./wasm/core/tilework.js"), new URL("./wasm/core/tilework_bg.wasm", import.meta.url)]
      : [import("./wasm/tilework.js"), new URL("./wasm/tilework_bg.wasm", import.meta.url)];
  const { default: init, Engine } = await generated;
  const module = await load(source ?? url, (module) => init({ module_or_path: module }), onProgress);
  return { ops, module, Engine: Engine as Instance["Engine"] };
}
