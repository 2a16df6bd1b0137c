import { useCallback, useEffect, useRef, useState } from "react";
import { DigitTrainer } from "tilework/models";
import { placeName } from "../../engine/names";
import { getDigits } from "./data";

export interface Settings {
  readonly device: "gpu" | "cpu";
  readonly epochs: number;
  readonly rate: number;
}

export interface Course {
  readonly status: "idle" | "loading" | "training" | "done" | "stopped" | "failed";
  /** Share of the images that are here. */
  readonly loaded: number;
  readonly losses: readonly number[];
  readonly step: number;
  readonly steps: number;
  /** After each epoch. */
  readonly accuracies: readonly { readonly step: number; readonly accuracy: number }[];
  readonly elapsedMs: number;
  readonly device: string;
  readonly problem: string;
}

const NOTHING: Course = { status: "idle", loaded: 0, losses: [], step: 0, steps: 0, accuracies: [], elapsedMs: 0, device: "", problem: "" };
/** About as many steps as take a quarter of a second are asked for at a time. */
const CHUNK_MS = 250;

/** A training in a worker; `onWeights` is given what was learned after every epoch and at the end. */
export function useTraining(onWeights: (weights: Uint8Array) => void) {
  const [course, setCourse] = useState<Course>(NOTHING);
  const running = useRef<AbortController | null>(null);
  const stop = useCallback(() => running.current?.abort(), []);
  useEffect(() => stop, [stop]);

  const start = useCallback(async (settings: Settings) => {
    running.current?.abort();
    const control = (running.current = new AbortController());
    const update = (change: Partial<Course>) => {
      if (running.current === control) setCourse((course) => ({ ...course, ...change }));
    };
    setCourse({ ...NOTHING, status: "loading" });
    let trainer: DigitTrainer | undefined;
    try {
      const files = await getDigits((loaded) => update({ loaded }), control.signal);
      trainer = await DigitTrainer.open({ files, epochs: settings.epochs, rate: settings.rate }, { device: settings.device, signal: control.signal });
      update({ status: "training", device: placeName(trainer.device) });
      await train(trainer, control.signal, update, onWeights);
      update({ status: control.signal.aborted ? "stopped" : "done" });
    } catch (thrown) {
      const aborted = control.signal.aborted;
      update(aborted ? { status: "stopped" } : { status: "failed", problem: thrown instanceof Error ? thrown.message : String(thrown) });
    } finally {
      trainer?.dispose();
    }
  }, [onWeights]);

  return { course, start, stop };
}

async function train(trainer: DigitTrainer, signal: AbortSignal, update: (change: Partial<Course>) => void, onWeights: (weights: Uint8Array) => void): Promise<void> {
  const startMs = performance.now();
  const losses: number[] = [];
  const accuracies: { step: number; accuracy: number }[] = [];
  let [chunk, epoch] = [4, 0];
  for (let done = false; !done && !signal.aborted; ) {
    const chunkStartMs = performance.now();
    const progress = await trainer.train(chunk);
    const chunkMs = performance.now() - chunkStartMs;
    ({ done } = progress);
    losses.push(...progress.losses);
    if (progress.epoch > epoch || done) {
      epoch = progress.epoch;
      accuracies.push({ step: progress.step, accuracy: await trainer.accuracy() });
      onWeights(await trainer.weights());
    }
    // The first chunk also compiles; let the number of steps follow the time they take.
    chunk = Math.min(200, Math.max(1, Math.round((chunk * CHUNK_MS) / Math.max(chunkMs, 1))));
    update({ losses: [...losses], step: progress.step, steps: progress.steps, accuracies: [...accuracies], elapsedMs: performance.now() - startMs });
  }
}
