// One run of host code: a new sandboxed frame, thrown away afterwards. In Chromium such a frame is a process of its own, so that
// even an endless loop leaves the studio alone, and taking the frame away ends it.
import { readMessage, type FrameMessage } from "./messages";
import runtime from "./runtime.js?raw";

export interface Job {
  readonly host: string;
  readonly shaders: Readonly<Record<string, string>>;
  /** What `run` is called with, one after the other. */
  readonly calls: readonly unknown[];
}

export interface Running {
  readonly stop: () => void;
}

/** How long a call of `run` may take; a new one starts with every answer. */
export const PATIENCE_MS = 20_000;

/** "silent": no answer in time; "absent": the frame itself never came. */
export type Ending = "done" | "silent" | "absent";

/** Runs `job`; `hear` gets every message, `ended` is called once unless the run is stopped before. */
export function runInFrame(job: Job, hear: (message: FrameMessage) => void, ended: (how: Ending) => void): Running {
  const frame = document.createElement("iframe");
  // Scripts and nothing else: no origin, no storage, no windows, no forms.
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = "Running lesson code";
  frame.hidden = true;
  frame.src = `${import.meta.env.BASE_URL}learn/run.html`;
  let timer = 0;
  let isReady = false;
  const stop = () => {
    clearTimeout(timer);
    removeEventListener("message", receive);
    frame.remove();
  };
  const finish = (how: Ending) => {
    stop();
    ended(how);
  };
  const wait = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => finish(isReady ? "silent" : "absent"), PATIENCE_MS);
  };
  const receive = (event: MessageEvent<unknown>) => {
    if (event.source !== frame.contentWindow) return;
    const message = readMessage(event.data);
    if (message === null) return;
    if (message.kind === "ready") {
      isReady = true;
      // The frame's origin is opaque and cannot be named; only this frame is addressed.
      frame.contentWindow?.postMessage({ ...job, runtime }, "*");
    } else if (message.kind === "done") finish("done");
    else hear(message);
    if (message.kind === "answer") wait();
  };
  addEventListener("message", receive);
  document.body.append(frame);
  wait();
  return { stop };
}
