// Parts of an answer, handed from whoever writes it to whoever reads it.

/** What was pushed and not yet read; ending the iteration stops the writer. */
export class Stream<T> implements AsyncIterableIterator<T> {
  readonly #ready: T[] = [];
  readonly #stop: () => void;
  #wake: (() => void) | undefined;
  #isOver = false;
  #error: { readonly reason: unknown } | undefined;

  constructor(stop: () => void) {
    this.#stop = stop;
  }

  push(value: T): void {
    this.#ready.push(value);
    this.#wake?.();
  }

  /** Nothing more comes. */
  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  /** Nothing more comes, because of this. */
  fail(reason: unknown): void {
    this.#error ??= { reason };
    this.end();
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    while (this.#ready.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#ready.shift();
    if (value !== undefined) return { done: false, value };
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) throw error.reason;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#stop();
    this.#ready.length = 0;
    this.#error = undefined;
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
