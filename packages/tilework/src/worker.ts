// The worker's side: an engine that follows the page's commands.

import type { Backend, Handle } from "./backend.js";
import { DirectBackend } from "./direct.js";
import { TileworkError, toPlainError } from "./errors.js";
import { instantiate } from "./module.js";
import type { Answer, Command, FromWorker, Kept, Question, RemoteInput, ToWorker } from "./protocol.js";

/** The part of a worker's global scope that is used; TypeScript's own types of it do not go together with those of pages. */
interface Scope {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}
const scope = globalThis as unknown as Scope;

/** Arrays by the page's numbers. One that failed here, though it fits, is an error until it is freed. */
const arrays = new Map<number, Handle | TileworkError>();
let backend: Backend | undefined;
let nextKept = 0;

scope.onmessage = ({ data: message }) => {
  if (message.kind === "open") void openDevice(message);
  else for (const command of message.commands) run(command);
};

async function openDevice({ device, ops, module }: Extract<ToWorker, { kind: "open" }>): Promise<void> {
  try {
    const onWarning = (message: string): void => scope.postMessage({ kind: "warning", message });
    backend = await DirectBackend.open(device, await instantiate(ops, module), onWarning);
    scope.postMessage({ kind: "opened", info: backend.info });
  } catch (thrown) {
    scope.postMessage({ kind: "refused", error: toPlainError(thrown) });
  }
}

function run(command: Command): void {
  switch (command.kind) {
    case "array":
      return make([command.id], () => [engine().array(command.data, command.shape, command.dtype)]);
    case "call":
      return make(command.ids, () => [engine().call(command.name, command.inputs.map(input), command.attrs)]);
    case "callMany":
      return make(command.ids, () => engine().callMany(command.name, command.inputs.map(input), command.attrs));
    case "gradients":
      return make(command.ids, () => engine().gradients(find(command.value), command.inputs.map(find)));
    case "free": {
      const array = arrays.get(command.id);
      if (array !== undefined && !(array instanceof TileworkError)) engine().free(array);
      arrays.delete(command.id);
      return;
    }
    case "ask":
      void answer(command.request, command.question);
  }
}

/** Keeps what `build` gives, or why it failed, under `ids`. */
function make(ids: readonly number[], build: () => Handle[]): void {
  let made: Handle[] | TileworkError;
  try {
    made = build();
  } catch (thrown) {
    const { code, message } = toPlainError(thrown);
    made = new TileworkError(code, message);
  }
  ids.forEach((id, index) => arrays.set(id, made instanceof TileworkError ? made : (made[index] as Handle)));
}

function engine(): Backend {
  if (backend === undefined) throw new TileworkError("no_device", "the worker has no device");
  return backend;
}

function find(id: number): Handle {
  const array = arrays.get(id);
  if (array === undefined) throw new TileworkError("disposed", "an array was disposed of");
  if (array instanceof TileworkError) throw array;
  return array;
}

function input(value: RemoteInput): Handle | number {
  return typeof value === "number" ? value : find(value[0]);
}

/** Keeps arrays that the page did not number, under numbers that it never gives. */
function keep(handle: Handle): Kept {
  nextKept -= 1;
  arrays.set(nextKept, handle);
  return { id: nextKept, shape: handle.shape, dtype: handle.dtype };
}

async function answer(request: number, question: Question): Promise<void> {
  try {
    const found = await look(question, (next) => scope.postMessage({ kind: "progress", request, next }));
    const transfer = ArrayBuffer.isView(found) ? [found.buffer as ArrayBuffer] : [];
    scope.postMessage({ kind: "answer", request, answer: found }, transfer);
  } catch (thrown) {
    scope.postMessage({ kind: "failure", request, error: toPlainError(thrown) });
  }
}

/** Starts at once: what is freed afterwards is still read. */
async function look(question: Question, onProgress: (next: string) => void): Promise<Answer> {
  switch (question.what) {
    case "read":
      return engine().read(find(question.id));
    case "show":
      return engine().show(find(question.id));
    case "kernels":
      return engine().kernels(find(question.id));
    case "profile":
      return engine().profile(find(question.id));
    case "callLater":
      return (await engine().callLater(question.name, question.inputs.map(input), question.attrs)).map(keep);
    case "eval":
      return (await engine().eval(question.ids.map(find))) as undefined;
    case "selfCheck":
      return engine().selfCheck();
    case "tune":
      return engine().tune(question.seconds, onProgress);
    case "setChoices":
      return (await engine().setChoices(question.choices)) as undefined;
    case "stats":
      return engine().stats();
    case "simulateLoss":
      return (await engine().simulateLoss()) as undefined;
    case "reopen":
      return (await engine().reopen()) as undefined;
  }
}
