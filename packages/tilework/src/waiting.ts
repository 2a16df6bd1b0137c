// Waiting for a GPU.

import { toTileworkError } from "./errors.js";

/** Firefox looks for finished work on a timer of up to 100 ms, but at once when something is submitted. */
const NUDGE_EVERY_MS = 4;

/** Promises of an engine that nobody has answered yet. */
export class Waiting {
  readonly #nudge: (() => void) | undefined;
  readonly #rejections = new Set<(error: unknown) => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `nudge`, if there is one, is called every few milliseconds while anything is awaited. */
  constructor(nudge: (() => void) | undefined) {
    this.#nudge = nudge;
  }

  /** `promise`, which also rejects if the engine dies. */
  async on<T>(promise: Promise<T>): Promise<T> {
    let rejection: ((error: unknown) => void) | undefined;
    const death = new Promise<never>((_, reject) => {
      rejection = reject;
      this.#rejections.add(reject);
    });
    this.#start();
    try {
      return await Promise.race([promise, death]);
    } finally {
      if (rejection) this.#rejections.delete(rejection);
      if (this.#rejections.size === 0) this.#stop();
    }
  }

  /** Rejects everything that is awaited. */
  reject(error: unknown): void {
    for (const reject of this.#rejections) reject(error);
    this.#rejections.clear();
    this.#stop();
  }

  #start(): void {
    // Adding the same listener again changes nothing.
    globalThis.addEventListener?.("error", this.#onTrap);
    const nudge = this.#nudge;
    if (nudge === undefined || this.#timer !== undefined) return;
    const tick = (): void => {
      nudge();
      this.#timer = setTimeout(tick, NUDGE_EVERY_MS);
    };
    this.#timer = setTimeout(tick, NUDGE_EVERY_MS);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    globalThis.removeEventListener?.("error", this.#onTrap);
  }

  /** A trap inside of a promise reaches nobody but the global object; without this the promise would stay open for ever. */
  readonly #onTrap = (event: Event): void => {
    const { error } = event as ErrorEvent;
    if (error instanceof WebAssembly.RuntimeError) this.reject(toTileworkError(error));
  };
}
