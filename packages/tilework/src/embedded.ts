// Arrays for places that can fetch nothing, such as a sandboxed frame: the caller brings the module's bytes, and one bundled file is all the
// JavaScript. The engine is that of `ops: "numpy"`, in this thread.

import type { DeviceChoice } from "./backend.js";
import { DirectBackend } from "./direct.js";
import { load, type WasmSource } from "./load.js";
import type { Instance } from "./module.js";
import { Tilework } from "./tilework.js";
import init, { Engine } from "./wasm/numpy/tilework.js";

export { TileworkError } from "./errors.js";
export { ellipsis, newAxis, slice } from "./indexing.js";
export { NdArray } from "./nd_array.js";
export { Tilework } from "./tilework.js";

/** Opens a device with a module that is here already. */
export async function openEmbedded({ device = "auto", wasm }: { readonly device?: DeviceChoice; readonly wasm: WasmSource }): Promise<Tilework> {
  const module = await load(wasm, (module) => init({ module_or_path: module }));
  const backend = await DirectBackend.open(device, { ops: "numpy", module, Engine: Engine as unknown as Instance["Engine"] }, (message) => console.warn(`tilework: ${message}`));
  return Tilework.of({ ...backend.info, requested: device, worker: false }, backend);
}
