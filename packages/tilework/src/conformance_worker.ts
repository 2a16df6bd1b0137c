// The worker's side of a conformance run.

import type { DeviceChoice } from "./backend.js";
import type { ConformanceProgress, Report } from "./conformance.js";
import { type PlainError, toPlainError } from "./errors.js";
import { load } from "./load.js";
import init, { Engine } from "./wasm/conformance/tilework.js";

/** From the page. */
export interface ToConformance {
  readonly device: DeviceChoice;
  readonly filter: string;
}

/** From the worker. */
export type FromConformance =
  | { readonly kind: "progress"; readonly progress: ConformanceProgress }
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "failure"; readonly error: PlainError };

interface Scope {
  postMessage(message: FromConformance): void;
  onmessage: ((event: MessageEvent<ToConformance>) => void) | null;
}
const scope = globalThis as unknown as Scope;

/** As in waiting.ts: Firefox wants to be asked for finished work. */
const NUDGE_EVERY_MS = 4;

scope.onmessage = ({ data }) => {
  run(data).then(
    (report) => scope.postMessage({ kind: "report", report }),
    (thrown: unknown) => scope.postMessage({ kind: "failure", error: toPlainError(thrown) }),
  );
};

async function run({ device, filter }: ToConformance): Promise<Report> {
  const url = new URL("./wasm/conformance/tilework_bg.wasm", import.meta.url);
  await load(url, (module) => init({ module_or_path: module }));
  const engine = await Engine.open(device);
  const nudges = setInterval(() => engine.nudge(), NUDGE_EVERY_MS);
  try {
    const report = await engine.conformance(filter, (done, total, name) => {
      scope.postMessage({ kind: "progress", progress: { done, total, name } });
    });
    return JSON.parse(report) as Report;
  } finally {
    clearInterval(nudges);
  }
}
