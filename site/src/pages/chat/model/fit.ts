// Whether a model will fit, before hundreds of megabytes are downloaded to find out.
import { formatBytes } from "../../../lib/format";

const GIB = 2 ** 30;
/** What a WebAssembly module can address at all, less what it needs besides weights. */
const MAX_WASM_BYTES = 3.8 * GIB;
/** Of the memory of a device a tab gets so much without trouble. */
const SHARE = 0.6;

export interface Fit {
  readonly tone: "warn" | "bad";
  readonly text: string;
}

/** What speaks against it; null if nothing does. `deviceGib` is navigator.deviceMemory: rounded, and 8 stands for more. */
export function fitOf(bytes: number, device: "auto" | "cpu" | "gpu", deviceGib: number | undefined): Fit | null {
  if (device === "cpu" && bytes > MAX_WASM_BYTES) return { tone: "bad", text: `It needs ${formatBytes(bytes)}, and WebAssembly has 4 GiB at most. Choose a smaller model, a shorter context, or the GPU.` };
  if (deviceGib !== undefined && deviceGib < 8 && bytes > deviceGib * GIB * SHARE) return { tone: "warn", text: `It needs ${formatBytes(bytes)}, and this device has about ${deviceGib} GiB of memory. It may not fit: a smaller model or a shorter context will.` };
  if (bytes > MAX_WASM_BYTES) return { tone: "warn", text: `It needs ${formatBytes(bytes)}. Only a GPU with that much memory can hold it.` };
  return null;
}

/** Lengths of context to choose from: powers of two, and all that the model was trained for. */
export function contextChoices(trained: number): number[] {
  const choices: number[] = [];
  for (let n = 512; n < trained; n *= 2) choices.push(n);
  return [...choices, trained];
}

const USUAL_CONTEXT = 2048;

export function usualContext(trained: number): number {
  return Math.min(trained, USUAL_CONTEXT);
}

/** "135 million", "1.5 billion". */
export function formatParameters(n: number): string {
  const [scale, name] = n >= 1e9 ? [1e9, "billion"] : n >= 1e6 ? [1e6, "million"] : [1e3, "thousand"];
  return `${Number((n / scale).toPrecision(3))} ${name}`;
}
