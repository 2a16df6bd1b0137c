// State that outlives the page that shows it.
import { useSyncExternalStore } from "react";

export class Store<T> {
  #state: T;
  readonly #listeners = new Set<() => void>();

  constructor(state: T) {
    this.#state = state;
  }

  get state(): T {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  protected set(state: T): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, () => store.state);
}

/** A part of the state: a new picture is drawn only when that part is another one. */
export function useStorePart<T, P>(store: Store<T>, part: (state: T) => P): P {
  return useSyncExternalStore(store.subscribe, () => part(store.state));
}
