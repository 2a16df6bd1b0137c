// Which kernels are fastest on an adapter, in the browser's local storage. Only ever a hint: without storage nothing is kept.

import type { EngineInfo, Tuned } from "./backend.js";

/** As the engine reads them. */
export function choicesOf(tuned: readonly Tuned[]): string {
  return tuned.map(({ op, sizes, chosen }) => `${op} ${sizes.join(",")} ${chosen}\n`).join("");
}

/** Keeps what tuning found. */
export function keepChoices(info: EngineInfo, tuned: readonly Tuned[]): void {
  try {
    globalThis.localStorage?.setItem(key(info), choicesOf(tuned));
  } catch {
    // Storage is full or forbidden.
  }
}

/** What was kept about an adapter; undefined if nothing was. */
export function keptChoices(info: EngineInfo): string | undefined {
  try {
    return globalThis.localStorage?.getItem(key(info)) ?? undefined;
  } catch {
    return undefined;
  }
}

function key({ backend, vendor, name }: EngineInfo): string {
  return `tilework kernels ${backend} ${vendor} ${name}`;
}
