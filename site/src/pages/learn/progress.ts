// Which lessons are done: those whose exercise passed its check, remembered in this browser.
import { useSyncExternalStore } from "react";
import { load, save } from "../../lib/storage";

const KEY = "learn-done";
const listeners = new Set<() => void>();

/** Numbers of lessons, from text like "1,3"; anything else in it is ignored. */
export function parseDone(text: string | null): number[] {
  const numbers = (text ?? "").split(",").map(Number).filter((number) => Number.isInteger(number) && number > 0);
  return [...new Set(numbers)].sort((a, b) => a - b);
}

export function markDone(lesson: number): void {
  save(KEY, parseDone(`${load(KEY) ?? ""},${lesson}`).join(","));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDone(): readonly number[] {
  return parseDone(useSyncExternalStore(subscribe, () => load(KEY)));
}
