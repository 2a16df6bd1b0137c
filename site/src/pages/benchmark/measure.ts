// Times one workload at some sizes on every side, and checks every element. Runs in the worker.
import type { NdArray, Tilework } from "tilework";
import { median, relativeSpread } from "../../lib/statistics";
import { affordableRuns, estimateMs, tooLong, type Measured } from "./estimate";
import { SIDE_NAMES, type Report, type Request, type Row, type Side, type Verdict } from "./types";
import { verify } from "./verify";
import type { Workload } from "./workloads";

export interface Engines {
  readonly cpu: Tilework;
  /** Without a GPU: null, and why. */
  readonly gpu: { readonly tw: Tilework | null; readonly reason: string };
}

const CALIBRATION_SIZE = 128;
const N_WARM_UPS = 2;

interface Timing {
  firstMs: number;
  residentMs: number[];
  transferMs: number[];
  result: Float32Array;
}

/** One way to compute the workload. */
interface Runner {
  readonly side: Side;
  readonly device: string;
  readonly software: boolean;
  readonly time: (inputs: readonly Float32Array[], n: number, nRuns: number, tick: () => void) => Promise<Timing>;
}

export async function measureAll(workload: Workload, request: Request, engines: Engines, tell: (report: Report) => void): Promise<void> {
  const runners = [engineRunner(workload, "cpu", engines.cpu), plainRunner(workload)];
  if (engines.gpu.tw !== null) runners.splice(1, 0, engineRunner(workload, "gpu", engines.gpu.tw));
  const total = 1 + request.sizes.length * runners.length;
  let done = 0;
  const step = (text: string) => tell({ kind: "step", text, done, total });
  step(`Calibrating at ${CALIBRATION_SIZE}`);
  const known = await calibrate(workload, runners);
  done = 1;
  for (const n of [...request.sizes].sort((a, b) => a - b)) {
    const batch = `${Date.now()}-${n}`;
    const base = { batch, workload: workload.id, size: n };
    let reference: Float32Array | null = null;
    const inputs = makeInputs(workload, n);
    for (const runner of runners) {
      step(`${SIDE_NAMES[runner.side]} at ${n} × ${n}`);
      const outcome = await measureOne({ workload, runner, inputs, n, request, known, reference, step });
      if (runner.side === "cpu") reference = outcome.result;
      tell({ kind: "row", row: { ...base, whenMs: Date.now(), ...outcome.row } });
      done += 1;
    }
    if (engines.gpu.tw === null) tell({ kind: "row", row: { ...base, whenMs: Date.now(), ...skippedRow("gpu", "no device", `No GPU: ${engines.gpu.reason}`) } });
  }
}

type Known = Map<Side, Measured[]>;

async function calibrate(workload: Workload, runners: readonly Runner[]): Promise<Known> {
  const inputs = makeInputs(workload, CALIBRATION_SIZE);
  const known: Known = new Map();
  for (const runner of runners) {
    const { residentMs } = await runner.time(inputs, CALIBRATION_SIZE, 3, () => {});
    known.set(runner.side, [{ work: workload.work(CALIBRATION_SIZE), ms: median(residentMs) }]);
  }
  return known;
}

interface OneMeasurement {
  workload: Workload;
  runner: Runner;
  inputs: readonly Float32Array[];
  n: number;
  request: Request;
  known: Known;
  reference: Float32Array | null;
  step: (text: string) => void;
}

type Outcome = { row: Omit<Row, "batch" | "whenMs" | "workload" | "size">; result: Float32Array | null };

async function measureOne({ workload, runner, inputs, n, request, known, reference, step }: OneMeasurement): Promise<Outcome> {
  const name = SIDE_NAMES[runner.side];
  const oneMs = estimateMs(known.get(runner.side) ?? [], workload.work(n));
  const nRuns = affordableRuns(request.nRuns, oneMs, request.limitMs);
  if (nRuns === 0) return { row: skippedRow(runner.side, runner.device, tooLong(name, n, oneMs, request.limitMs), runner.software), result: null };
  if (runner.side !== "cpu" && reference === null) {
    return { row: skippedRow(runner.side, runner.device, "The CPU side was skipped, so nothing could be verified", runner.software), result: null };
  }
  let run = 0;
  const timing = await runner.time(inputs, n, nRuns, () => step(`${name} at ${n} × ${n}, run ${Math.min(++run, nRuns)} of ${nRuns}`));
  known.get(runner.side)?.push({ work: workload.work(n), ms: median(timing.residentMs) });
  step(`Checking every element of ${name} at ${n} × ${n}`);
  const verdict = reference === null ? null : verify(timing.result, reference, workload.outputShape(n), workload.tolerance(n));
  return { row: measuredRow(runner, timing, verdict), result: timing.result };
}

function measuredRow(runner: Runner, timing: Timing, verdict: Verdict | null): Outcome["row"] {
  return {
    side: runner.side,
    device: runner.device,
    software: runner.software,
    skipped: null,
    nRuns: timing.residentMs.length,
    medianMs: median(timing.residentMs),
    spread: relativeSpread(timing.residentMs),
    transferMs: timing.transferMs.length === 0 ? null : median(timing.transferMs),
    firstMs: timing.firstMs,
    verdict,
  };
}

function skippedRow(side: Side, device: string, skipped: string, software = false): Outcome["row"] {
  return { side, device, software, skipped, nRuns: 0, medianMs: null, spread: null, transferMs: null, firstMs: null, verdict: null };
}

/** Uniform in [-1, 1), the same on every visit. */
export function makeInputs(workload: Workload, n: number): Float32Array[] {
  let seed = 0x9e3779b9;
  return Array.from({ length: workload.nInputs }, () => {
    const data = new Float32Array(n * n);
    for (let i = 0; i < data.length; i++) {
      // xorshift32
      seed ^= seed << 13;
      seed ^= seed >>> 17;
      seed ^= seed << 5;
      data[i] = (seed | 0) / 2 ** 31;
    }
    return data;
  });
}

async function timed(work: () => Promise<void> | void): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function engineRunner(workload: Workload, side: Side, tw: Tilework): Runner {
  const upload = (inputs: readonly Float32Array[], n: number) => inputs.map((data) => tw.array(data, [n, n]));
  const time: Runner["time"] = async (inputs, n, nRuns, tick) => {
    const timing: Timing = { firstMs: 0, residentMs: [], transferMs: [], result: new Float32Array(0) };
    const resident = upload(inputs, n);
    await tw.eval(...resident);
    const once = () => timed(async () => {
      const y = workload.build(resident);
      await tw.eval(y);
      y.dispose();
    });
    timing.firstMs = await once();
    for (let i = 1; i < N_WARM_UPS && nRuns > 1; i++) await once();
    for (let i = 0; i < nRuns; i++) {
      tick();
      timing.residentMs.push(await once());
    }
    free(resident);
    for (let i = 0; i < nRuns; i++) {
      timing.transferMs.push(await timed(async () => {
        const arrays = upload(inputs, n);
        const y = workload.build(arrays);
        timing.result = (await y.toArray()) as Float32Array;
        free([...arrays, y]);
      }));
    }
    return timing;
  };
  return { side, device: tw.info.name, software: tw.info.software, time };
}

function free(arrays: readonly NdArray[]): void {
  for (const array of arrays) array.dispose();
}

function plainRunner(workload: Workload): Runner {
  const time: Runner["time"] = async (inputs, n, nRuns, tick) => {
    const timing: Timing = { firstMs: 0, residentMs: [], transferMs: [], result: new Float32Array(0) };
    const once = () => timed(() => {
      timing.result = workload.plain(inputs, n);
    });
    timing.firstMs = await once();
    // The just-in-time compiler needs a few runs; a single affordable run is its own warm-up.
    for (let i = 1; i < N_WARM_UPS && nRuns > 1; i++) await once();
    for (let i = 0; i < nRuns; i++) {
      tick();
      timing.residentMs.push(await once());
    }
    return timing;
  };
  return { side: "js", device: "JavaScript, one thread", software: false, time };
}
