// The engine's modules in this thread: the whole one, and smaller ones with fewer operations.

import { load, type OnProgress, type WasmSource } from "./load.js";
import type { Engine } from "./wasm/tilework.js";

/**
 * Which operations there are: all of them; what NumPy has, without what only neural networks use; or the core ones (element-wise, views,
 * reductions, products, softmax). Each is a smaller download than the one before.
 */
export type Ops = "all" | "numpy" | "core";

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
  const [generated, url] = files(ops);
  const { default: init, Engine } = await generated;
  const module = await load(source ?? url, (module) => init({ module_or_path: module }), onProgress);
  return { ops, module, Engine: Engine as Instance["Engine"] };
}

/** What the generated code of every module has. */
interface Generated {
  default(source: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  readonly Engine: unknown;
}

/** The generated code of a module, and where the module lies. Bundlers look for exactly these expressions; both files lie side by side. */
function files(ops: Ops): readonly [Promise<Generated>, URL] {
  switch (ops) {
    case "core":
      return [import("./wasm/core/tilework.js"), new URL("./wasm/core/tilework_bg.wasm", import.meta.url)];
    case "numpy":
      return [import("./wasm/numpy/tilework.js"), new URL("./wasm/numpy/tilework_bg.wasm", import.meta.url)];
    case "all":
      return [import("./wasm/tilework.js"), new URL("./wasm/tilework_bg.wasm", import.meta.url)];
  }
}
