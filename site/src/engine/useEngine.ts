// The engine as React sees it.
import { useEffect, useState, useSyncExternalStore } from "react";
import type { Tilework } from "tilework";
import { isLost, problemOf, type Problem } from "./problem";
import { engineState, noticeLoss, subscribe, type EngineState } from "./store";

export function useEngine(): EngineState {
  return useSyncExternalStore(subscribe, engineState);
}

export type Computed<T> =
  | { readonly status: "waiting"; readonly value: T | null }
  | { readonly status: "done"; readonly value: T }
  | { readonly status: "failed"; readonly value: T | null; readonly problem: Problem };

/**
 * Computes on the shared engine, again whenever `key` changes or a device is opened. While a new value is on its way the
 * last one stays. At most one computation is under way; of the keys that arrive meanwhile only the newest is computed.
 */
export function useComputed<T>(key: string, work: (tw: Tilework) => Promise<T>): Computed<T> {
  const engine = useEngine();
  const [computed, setComputed] = useState<Computed<T>>({ status: "waiting", value: null });
  const [queue] = useState(() => new Latest());
  const tw = engine.status === "ready" ? engine.tw : null;
  const generation = engine.status === "ready" ? engine.generation : 0;
  useEffect(() => {
    if (tw === null) return;
    let current = true;
    setComputed((last) => ({ status: "waiting", value: last.value }));
    queue.run(async () => {
      try {
        const value = await work(tw);
        if (current) setComputed({ status: "done", value });
      } catch (error) {
        noticeLoss(tw, error);
        if (current && !isLost(error)) setComputed((last) => ({ status: "failed", value: last.value, problem: problemOf(error) }));
      }
    });
    return () => {
      current = false;
    };
    // `work` is a new closure on every render; `key` says when it means something else.
  }, [tw, generation, key, queue]);
  return computed;
}

/** Runs one job at a time and forgets all waiting ones but the newest. */
class Latest {
  #running = false;
  #next: (() => Promise<void>) | null = null;

  run(job: () => Promise<void>): void {
    this.#next = job;
    if (!this.#running) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#next !== null) {
      const job = this.#next;
      this.#next = null;
      await job();
    }
    this.#running = false;
  }
}
