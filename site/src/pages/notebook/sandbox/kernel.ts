// The studio's end of a running notebook: a sandboxed frame with a worker in it that holds the engine and what cells have declared.
import { readMessage, type CellError, type Item, type ToRuntime } from "./messages";

export type Device = "cpu" | "gpu";

export interface Done {
  readonly elapsedMs: number;
  readonly error: CellError | null;
}

/** What was stopped has this error. */
export const STOPPED: CellError = { name: "Stopped", message: "The notebook was stopped; what its cells had declared is gone.", line: null };

interface Waiting {
  readonly item: (item: Item) => void;
  readonly done: (done: Done) => void;
}

const wasmAddress = new URL("../../../../../packages/tilework/dist/wasm/numpy/tilework_bg.wasm", import.meta.url);

export class Kernel {
  readonly opened: Promise<string>;
  readonly #frame = document.createElement("iframe");
  readonly #waiting = new Map<number, Waiting>();
  #nextRun = 1;
  #settle: { resolve: (device: string) => void; reject: (error: Error) => void } | undefined;

  constructor(device: Device) {
    this.opened = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // A refusal is told to whoever runs a cell.
    this.opened.catch(() => {});
    const frame = this.#frame;
    frame.setAttribute("sandbox", "allow-scripts");
    frame.title = "Running notebook";
    frame.hidden = true;
    frame.src = `${import.meta.env.BASE_URL}notebook/run.html`;
    addEventListener("message", this.#receive);
    document.body.append(frame);
    this.#start(device).catch((error: unknown) => this.#fail(error instanceof Error ? error.message : String(error)));
  }

  /** Runs a cell; `hear` gets what it shows. */
  async run(name: string, code: string, hear: (item: Item) => void): Promise<Done> {
    try {
      await this.opened;
    } catch (error) {
      return { elapsedMs: 0, error: { name: "Device", message: error instanceof Error ? error.message : String(error), line: null } };
    }
    const run = this.#nextRun++;
    return new Promise((done) => {
      this.#waiting.set(run, { item: hear, done });
      this.#send({ kind: "run", run, name, code });
    });
  }

  /** Ends everything, an endless loop too. */
  stop(): void {
    this.#end(STOPPED);
    this.#settle?.reject(new Error(STOPPED.message));
  }

  async #start(device: Device): Promise<void> {
    const ready = new Promise<void>((resolve) => {
      const hear = (event: MessageEvent<unknown>) => {
        if (event.source !== this.#frame.contentWindow || readMessage(event.data)?.kind !== "ready") return;
        removeEventListener("message", hear);
        resolve();
      };
      addEventListener("message", hear);
    });
    const fetched = async (address: URL | string) => {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${address} answers ${response.status}`);
      return response;
    };
    const runtime = fetched(`${import.meta.env.BASE_URL}notebook/runtime.js`).then((response) => response.text());
    const wasm = fetched(wasmAddress).then((response) => response.arrayBuffer());
    const parts = await Promise.all([runtime, wasm, ready]);
    // The frame's origin is opaque and cannot be named; only this frame is addressed.
    this.#frame.contentWindow?.postMessage({ runtime: parts[0], device, wasm: parts[1] }, "*", [parts[1]]);
  }

  #send(message: ToRuntime): void {
    this.#frame.contentWindow?.postMessage(message, "*");
  }

  #fail(message: string): void {
    this.#settle?.reject(new Error(message));
    this.#end({ name: "Engine", message, line: null });
  }

  #end(error: CellError): void {
    removeEventListener("message", this.#receive);
    this.#frame.remove();
    for (const { done } of this.#waiting.values()) done({ elapsedMs: 0, error });
    this.#waiting.clear();
  }

  readonly #receive = (event: MessageEvent<unknown>): void => {
    if (event.source !== this.#frame.contentWindow) return;
    const message = readMessage(event.data);
    if (message?.kind === "opened") this.#settle?.resolve(message.device);
    else if (message?.kind === "refused" || message?.kind === "broken") this.#fail(message.message);
    else if (message?.kind === "item") this.#waiting.get(message.run)?.item(message.item);
    else if (message?.kind === "done") {
      this.#waiting.get(message.run)?.done({ elapsedMs: message.elapsedMs, error: message.error });
      this.#waiting.delete(message.run);
    }
  };
}
