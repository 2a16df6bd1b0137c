// The worker's side of a session.

import { type PlainError, toPlainError } from "../errors.js";
import { type Going, type Opened, type Opening, SolveEngine, type Told } from "./engine.js";

/** Questions with one answer. */
export type Call =
  | { readonly name: "go"; readonly going: Going }
  | { readonly name: "evaluate"; readonly what: string; readonly x: Float64Array<ArrayBuffer> }
  | { readonly name: "counts" }
  | { readonly name: "values"; readonly set: number }
  | { readonly name: "setValues"; readonly set: number; readonly values: Float64Array<ArrayBuffer> }
  | { readonly name: "setFixed"; readonly set: number; readonly blocks: Uint32Array<ArrayBuffer> };

/** From the page: first what to open, then calls. */
export type ToSolveWorker =
  | { readonly kind: "open"; readonly opening: Opening }
  | { readonly kind: "call"; readonly request: number; readonly call: Call }
  | { readonly kind: "stop"; readonly request: number };

/** From the worker. */
export type FromSolveWorker =
  | { readonly kind: "opened"; readonly opened: Opened }
  | { readonly kind: "refused"; readonly error: PlainError }
  | { readonly kind: "told"; readonly request: number; readonly told: Told }
  | { readonly kind: "done"; readonly request: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly request: number; readonly error: PlainError };

interface Scope {
  postMessage(message: FromSolveWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToSolveWorker>) => void) | null;
}
const scope = globalThis as unknown as Scope;

let engine: SolveEngine | undefined;
/** How to stop each call that makes steps. */
const going = new Map<number, AbortController>();

scope.onmessage = ({ data }) => {
  if (data.kind === "open") void open(data.opening);
  else if (data.kind === "stop") going.get(data.request)?.abort();
  else void answer(data.request, data.call);
};

async function open(opening: Opening): Promise<void> {
  try {
    engine = await SolveEngine.open(opening);
    scope.postMessage({ kind: "opened", opened: engine.opened });
  } catch (thrown) {
    scope.postMessage({ kind: "refused", error: toPlainError(thrown) });
  }
}

async function answer(request: number, call: Call): Promise<void> {
  try {
    if (engine === undefined) throw new Error("the worker has no problem");
    scope.postMessage({ kind: "done", request, value: await called(engine, request, call) });
  } catch (thrown) {
    scope.postMessage({ kind: "failure", request, error: toPlainError(thrown) });
  }
}

async function called(engine: SolveEngine, request: number, call: Call): Promise<unknown> {
  if (call.name === "evaluate") return engine.evaluate(call.what, call.x);
  if (call.name === "counts") return engine.residualCounts();
  if (call.name === "values") return engine.values(call.set);
  if (call.name === "setValues") return engine.setValues(call.set, call.values);
  if (call.name === "setFixed") return engine.setFixed(call.set, call.blocks);
  const controller = new AbortController();
  going.set(request, controller);
  try {
    const tell = (told: Told): void => scope.postMessage({ kind: "told", request, told }, told.values.map(({ buffer }) => buffer));
    return await engine.go(call.going, tell, controller.signal);
  } finally {
    going.delete(request);
  }
}
