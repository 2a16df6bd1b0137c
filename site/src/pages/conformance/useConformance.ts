// Runs the cases on the chosen devices, one after the other.
import { useEffect, useRef, useState } from "react";
import { runConformance, type Report } from "tilework/conformance";
import { problemOf, type Problem } from "../../engine/problem";
import { LINGER_MS } from "../../lib/linger";

export type Device = "gpu" | "cpu";

export interface DeviceRun {
  readonly device: Device;
  readonly status: "waiting" | "running" | "done" | "cancelled" | "failed";
  readonly done: number;
  readonly total: number;
  /** The case that runs, or ran when it was cancelled. */
  readonly name: string;
  /** How long it has been running. */
  readonly caseMs: number;
  readonly elapsedMs: number;
  readonly report: Report | null;
  readonly problem: Problem | null;
}

// Cases may finish by the hundred per second; the eye needs ten.
const SHOW_EVERY_MS = 100;

export function useConformance() {
  const [runs, setRuns] = useState<readonly DeviceRun[]>([]);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);

  const update = (device: Device, change: Partial<DeviceRun>) =>
    setRuns((all) => all.map((run) => (run.device === device ? { ...run, ...change } : run)));

  const start = async (devices: readonly Device[], filter: string) => {
    control.current?.abort();
    const mine = new AbortController();
    control.current = mine;
    setRuns(devices.map((device) => ({ device, status: "waiting", done: 0, total: 0, name: "", caseMs: 0, elapsedMs: 0, report: null, problem: null })));
    for (const device of devices) {
      if (mine.signal.aborted) update(device, { status: "cancelled" });
      else await runOne(device, filter, mine.signal, update);
    }
  };
  const cancel = () => control.current?.abort();
  return { runs, start, cancel };
}

async function runOne(device: Device, filter: string, signal: AbortSignal, update: (device: Device, change: Partial<DeviceRun>) => void): Promise<void> {
  const startMs = performance.now();
  let latest = { done: 0, total: 0, name: "" };
  let caseStartMs = startMs;
  const now = () => ({ ...latest, caseMs: performance.now() - caseStartMs, elapsedMs: performance.now() - startMs });
  const show = () => {
    if (!signal.aborted) update(device, now());
  };
  // By the clock and not by the event: a slow case is named while it runs.
  const timer = setInterval(show, SHOW_EVERY_MS);
  update(device, { status: "running" });
  const worker = new AbortController();
  const cancelled = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason);
      // Between cases nothing is under way on the GPU; see linger.ts.
      if (device === "cpu" || latest.total === 0) worker.abort();
      else setTimeout(() => worker.abort(), LINGER_MS);
    });
  });
  try {
    const run = runConformance({
      device,
      filter,
      signal: worker.signal,
      onProgress: ({ done, total, name }) => {
        if (signal.aborted) return worker.abort();
        latest = { done, total, name };
        caseStartMs = performance.now();
      },
    });
    // Its end after a cancellation interests nobody.
    run.catch(() => {});
    const report = await Promise.race([run, cancelled]);
    const total = report.passed + report.failed + report.skipped;
    update(device, { status: "done", report, done: total, total, elapsedMs: performance.now() - startMs });
  } catch (error) {
    if (signal.aborted) update(device, { status: "cancelled", ...now() });
    else update(device, { status: "failed", ...now(), problem: problemOf(error) });
  } finally {
    clearInterval(timer);
  }
}
