// Opening a device.

import type { Backend, DeviceChoice } from "./backend.js";
import { DirectBackend } from "./direct.js";
import { TileworkError } from "./errors.js";
import type { LoadProgress, WasmSource } from "./load.js";
import { instantiate } from "./module.js";
import { RemoteBackend } from "./remote.js";
import { Tilework } from "./tilework.js";

/** How to open a device. */
export interface OpenOptions {
  /** "gpu" rejects with code "no_device" without WebGPU; "auto", the default, then computes on the CPU. */
  readonly device?: DeviceChoice;
  /** Compute in a worker, so that the page never waits. Everything else stays the same. */
  readonly worker?: boolean;
  /** The WebAssembly module, if it is not where the package keeps it. Only the first call on a page loads it. */
  readonly wasm?: WasmSource;
  /** Told how far it is. */
  readonly onProgress?: (progress: LoadProgress) => void;
}

const DEVICES: readonly unknown[] = ["auto", "gpu", "cpu"];

/** Loads the engine and opens a device. */
export async function open(options: OpenOptions = {}): Promise<Tilework> {
  const { device = "auto", worker = false, wasm, onProgress } = options;
  if (!DEVICES.includes(device)) {
    throw new TileworkError("argument", `open: there is no device "${device}"; it is auto, gpu or cpu`);
  }
  let loadedBytes = 0;
  const module = await instantiate(wasm, (progress) => {
    ({ loadedBytes } = progress);
    onProgress?.(progress);
  });
  onProgress?.({ stage: "device", loadedBytes, totalBytes: loadedBytes });
  const backend = await openBackend(device, worker, module);
  onProgress?.({ stage: "ready", loadedBytes, totalBytes: loadedBytes });
  return Tilework.of({ ...backend.info, requested: device, worker }, backend);
}

function openBackend(device: DeviceChoice, worker: boolean, module: WebAssembly.Module): Promise<Backend> {
  return worker ? RemoteBackend.open(device, module) : DirectBackend.open(device);
}
