// The worker's side of a model.

import type { EngineInfo } from "../backend.js";
import { type PlainError, toPlainError } from "../errors.js";
import { type Answered, type Asking, DirectRunner, type Opening } from "./runner.js";

/** From the page: first what to open, then questions. */
export type ToModelWorker =
  | { readonly kind: "open"; readonly opening: Omit<Opening, "files">; readonly files: readonly (readonly [string, Uint8Array<ArrayBuffer>])[] }
  | { readonly kind: "ask"; readonly request: number; readonly asking: Asking };

/** From the worker. */
export type FromModelWorker =
  | { readonly kind: "opened"; readonly info: EngineInfo }
  | { readonly kind: "refused"; readonly error: PlainError }
  | { readonly kind: "answer"; readonly request: number; readonly answered: Answered }
  | { readonly kind: "failure"; readonly request: number; readonly error: PlainError };

interface Scope {
  postMessage(message: FromModelWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToModelWorker>) => void) | null;
}
const scope = globalThis as unknown as Scope;

let runner: DirectRunner | undefined;

scope.onmessage = ({ data }) => {
  void (data.kind === "open" ? open(data) : answer(data.request, data.asking));
};

async function open({ files, opening }: Extract<ToModelWorker, { kind: "open" }>): Promise<void> {
  try {
    runner = await DirectRunner.open({ ...opening, files: new Map(files) });
    scope.postMessage({ kind: "opened", info: runner.info });
  } catch (thrown) {
    scope.postMessage({ kind: "refused", error: toPlainError(thrown) });
  }
}

async function answer(request: number, asking: Asking): Promise<void> {
  try {
    if (runner === undefined) throw new Error("the worker has no model");
    const answered = await runner.ask(asking);
    scope.postMessage({ kind: "answer", request, answered }, [answered.data.buffer, answered.file.buffer]);
  } catch (thrown) {
    scope.postMessage({ kind: "failure", request, error: toPlainError(thrown) });
  }
}
