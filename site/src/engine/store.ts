// The studio's one engine: the only place that opens, loses, reopens and switches it. It lives outside of React so that the
// download starts before the first render.
import { open, TileworkError, type LoadProgress, type Tilework } from "tilework";
import { currentChoice, rememberChoice, type Choice } from "./choice";
import { isLost, problemOf, type Problem } from "./problem";

export type SelfCheck = Awaited<ReturnType<Tilework["selfCheck"]>>;

export type CheckState =
  | { readonly status: "waiting" | "running" }
  | { readonly status: "done"; readonly result: SelfCheck }
  | { readonly status: "failed"; readonly problem: Problem };

export type EngineState =
  | { readonly status: "loading"; readonly choice: Choice; readonly progress: LoadProgress | null }
  | { readonly status: "failed"; readonly choice: Choice; readonly problem: Problem }
  | ReadyState
  | { readonly status: "lost"; readonly choice: Choice; readonly tw: Tilework; readonly problem: Problem; readonly reopening: boolean };

export interface ReadyState {
  readonly status: "ready";
  readonly choice: Choice;
  readonly tw: Tilework;
  /** From asking for the engine to having it. */
  readonly openMs: number;
  /** Grows with every opened device: what was computed before may have to be computed again. */
  readonly generation: number;
  /** Why the CPU answers although the GPU was asked for; null if nothing was refused. */
  readonly refusal: Problem | null;
  readonly check: CheckState;
}

// Late enough for a page's own first result, which the visitor waits for; the check is not urgent.
const CHECK_DELAY_MS = 1500;

let state: EngineState = { status: "loading", choice: currentChoice(), progress: null };
let attempt = 0;
let generation = 0;
const listeners = new Set<() => void>();

export function engineState(): EngineState {
  return state;
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: EngineState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Opens the engine for the current choice; a later call overtakes an earlier one. */
export async function start(): Promise<void> {
  const mine = ++attempt;
  const choice = currentChoice();
  const startMs = performance.now();
  if ("tw" in state) state.tw.dispose();
  set({ status: "loading", choice, progress: null });
  try {
    const { tw, refusal } = await openWithFallback(choice, (progress) => {
      if (mine === attempt) set({ status: "loading", choice, progress });
    });
    if (mine !== attempt) return tw.dispose();
    setReady(tw, choice, refusal, performance.now() - startMs);
  } catch (error) {
    if (mine === attempt) set({ status: "failed", choice, problem: problemOf(error) });
  }
}

/** A refused GPU is no reason for an empty page: the CPU takes over and the refusal is kept to be shown. */
async function openWithFallback(choice: Choice, onProgress: (progress: LoadProgress) => void) {
  try {
    return { tw: await open({ device: choice, ops: "core", worker: true, onProgress }), refusal: null };
  } catch (error) {
    const refusal = problemOf(error);
    if (choice !== "gpu" || refusal.code !== "no_device") throw error;
    return { tw: await open({ device: "cpu", ops: "core", worker: true, onProgress }), refusal };
  }
}

function setReady(tw: Tilework, choice: Choice, refusal: Problem | null, openMs: number): void {
  generation += 1;
  set({ status: "ready", choice, tw, openMs, generation, refusal, check: { status: "waiting" } });
  const mine = generation;
  setTimeout(() => {
    if (mine === generation && state.status === "ready" && state.check.status === "waiting") void runSelfCheck();
  }, CHECK_DELAY_MS);
}

export async function runSelfCheck(): Promise<void> {
  if (state.status !== "ready") return;
  const { tw, generation: mine } = state;
  setCheck(mine, { status: "running" });
  try {
    setCheck(mine, { status: "done", result: await tw.selfCheck() });
  } catch (error) {
    noticeLoss(tw, error);
    setCheck(mine, { status: "failed", problem: problemOf(error) });
  }
}

function setCheck(of: number, check: CheckState): void {
  if (state.status === "ready" && state.generation === of) set({ ...state, check });
}

/** Every error of the engine passes here, so that a lost device is seen wherever it shows first. */
export function noticeLoss(tw: Tilework, error: unknown): void {
  if (!isLost(error) || state.status !== "ready" || state.tw !== tw) return;
  set({ status: "lost", choice: state.choice, tw, problem: problemOf(error), reopening: false });
}

export async function reopen(): Promise<void> {
  if (state.status !== "lost" || state.reopening) return;
  const lost = state;
  const startMs = performance.now();
  set({ ...lost, reopening: true });
  try {
    await lost.tw.reopen();
    setReady(lost.tw, lost.choice, null, performance.now() - startMs);
  } catch {
    // A device that cannot be had again may be had anew, or the CPU takes over.
    await start();
  }
}

export function choose(choice: Choice): void {
  rememberChoice(choice);
  if (state.choice !== choice || state.status === "failed") void start();
}

/** Destroys the GPU device as a driver crash would, and finds out by computing something. */
export async function simulateLoss(): Promise<void> {
  if (state.status !== "ready") return;
  const { tw } = state;
  try {
    await tw.simulateLoss();
    await tw.linspace(0, 1, 8).sin().toArray();
    // Small work may have run on the CPU, which knows nothing of the loss.
    noticeLoss(tw, new TileworkError("device_lost", "the device was destroyed"));
  } catch (error) {
    noticeLoss(tw, error);
    if (!isLost(error)) throw error;
  }
}

addEventListener("hashchange", () => {
  if (currentChoice() !== state.choice) void start();
});
