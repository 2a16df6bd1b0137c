// Opening a device.

import type { Backend, DeviceChoice } from "./backend.js";
import { DirectBackend } from "./direct.js";
import { TileworkError } from "./errors.js";
import type { LoadProgress, WasmSource } from "./load.js";
import { keptChoices } from "./kept_choices.js";
import { instantiate, type Instance, type Ops } from "./module.js";
import { RemoteBackend } from "./remote.js";
import { Tilework } from "./tilework.js";

/** How to open a device. */
export interface OpenOptions {
  /** "gpu" rejects with code "no_device" without WebGPU; "auto", the default, then computes on the CPU. */
  readonly device?: DeviceChoice;
  /** Compute in a worker, so that the page never waits. Everything else stays the same. */
  readonly worker?: boolean;
  /** "core" and "numpy" are smaller downloads with fewer operations; "all" unless told. */
  readonly ops?: Ops;
  /** The WebAssembly module, if it is not where the package keeps it. Only the first call on a page with these `ops` loads it. */
  readonly wasm?: WasmSource;
  /** "background" measures the kernels of an adapter that was never tuned, for two seconds, while the page goes on; see `tune`. */
  readonly tune?: "background";
  /** Told of what is no error but worth a word, such as work that no GPU can do and the CPU did; console.warn unless told. Each thing once. */
  readonly onWarning?: (message: string) => void;
  /** Told how far it is. */
  readonly onProgress?: (progress: LoadProgress) => void;
}

const DEVICES: readonly unknown[] = ["auto", "gpu", "cpu"];
/** Time to spend on tuning nobody waits for. */
const BACKGROUND_S = 2;
const OPS: readonly unknown[] = ["all", "numpy", "core"];

/** Loads the engine and opens a device. */
export async function open(options: OpenOptions = {}): Promise<Tilework> {
  const { device = "auto", worker = false, ops = "all", wasm, tune, onWarning = warn, onProgress } = options;
  if (!DEVICES.includes(device)) {
    throw new TileworkError("argument", `open: there is no device "${device}"; it is auto, gpu or cpu`);
  }
  if (!OPS.includes(ops)) {
    throw new TileworkError("argument", `open: ops are "all", "numpy" or "core", not "${ops}"`);
  }
  let loadedBytes = 0;
  const instance = await instantiate(ops, wasm, (progress) => {
    ({ loadedBytes } = progress);
    onProgress?.(progress);
  });
  onProgress?.({ stage: "device", loadedBytes, totalBytes: loadedBytes });
  const backend = await openBackend(device, worker, instance, onWarning);
  onProgress?.({ stage: "ready", loadedBytes, totalBytes: loadedBytes });
  const opened = Tilework.of({ ...backend.info, requested: device, worker }, backend);
  if (backend.info.runsOn === "cpu") return opened;
  const choices = keptChoices(backend.info);
  if (choices !== undefined) await backend.setChoices(choices);
  // Kernels that could not be measured stay as they are.
  else if (tune === "background") opened.tune({ seconds: BACKGROUND_S }).catch(() => {});
  return opened;
}

function warn(message: string): void {
  console.warn(`tilework: ${message}`);
}

function openBackend(device: DeviceChoice, worker: boolean, instance: Instance, onWarning: (message: string) => void): Promise<Backend> {
  return worker ? RemoteBackend.open(device, instance, onWarning) : DirectBackend.open(device, instance, onWarning);
}
