// Times one workload at some sizes on every side, and checks every element. Runs in the worker.
import type { NdArray, Tilework } from "tilework";
import { deviceName } from "../../engine/names";
import { median, relativeSpread } from "../../lib/statistics";
import { affordableRuns, estimateMs, nearestRun, nextProbe, tooLong, type Measured } from "./estimate";
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
// A page's clock has steps of up to 0.1 ms; a sample repeats short work until the step is a small share of it.
const CLOCK_STEP_MS = 0.1;
const MIN_SAMPLE_MS = 5;
const MAX_REPEATS = 50;

interface Timing {
  firstMs: number;
  residentMs: number[];
  transferMs: number[];
  result: Float32Array;
}

interface Plan {
  readonly nRuns: number;
  /** Computations per run; the run's time is their mean. */
  readonly nRepeats: number;
  /** Called before each run. */
  readonly tick: () => void;
}

/** One way to compute the workload. */
interface Runner {
  readonly side: Side;
  readonly device: string;
  readonly software: boolean;
  readonly time: (inputs: readonly Float32Array[], n: number, plan: Plan) => Promise<Timing>;
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
    const nRepeats = 5;
    const { residentMs } = await runner.time(inputs, CALIBRATION_SIZE, { nRuns: 3, nRepeats, tick: () => {} });
    const ms = Math.max(median(residentMs), CLOCK_STEP_MS / nRepeats);
    known.set(runner.side, [{ size: CALIBRATION_SIZE, work: workload.work(CALIBRATION_SIZE), ms }]);
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
  if (runner.side !== "cpu" && reference === null) {
    return { row: skippedRow(runner.side, runner.device, "The CPU side was skipped, so nothing could be verified", runner.software), result: null };
  }
  const measured = known.get(runner.side) ?? [];
  await probe(workload, runner, n, request.limitMs, measured, step);
  const oneMs = estimateMs(measured, workload.work(n));
  const nRuns = affordableRuns(request.nRuns, oneMs, request.limitMs);
  if (nRuns === 0) {
    const ground = nearestRun(measured, workload.work(n))?.size ?? CALIBRATION_SIZE;
    return { row: skippedRow(runner.side, runner.device, tooLong(name, n, oneMs, request.limitMs, ground), runner.software), result: null };
  }
  let run = 0;
  const nRepeats = Math.min(MAX_REPEATS, Math.max(1, Math.ceil(MIN_SAMPLE_MS / oneMs)));
  const tick = () => step(`${name} at ${n} × ${n}, run ${Math.min(++run, nRuns)} of ${nRuns}`);
  const timing = await runner.time(inputs, n, { nRuns, nRepeats, tick });
  measured.push({ size: n, work: workload.work(n), ms: median(timing.residentMs) });
  step(`Checking every element of ${name} at ${n} × ${n}`);
  const verdict = reference === null ? null : verify(timing.result, reference, workload.outputShape(n), workload.tolerance(n));
  return { row: measuredRow(runner, timing, verdict), result: timing.result };
}

/** Single runs at growing sizes, until it is clear whether `n` fits the limit. */
async function probe(workload: Workload, runner: Runner, n: number, limitMs: number, measured: Measured[], step: (text: string) => void): Promise<void> {
  for (let size = nextProbe(measured, n, workload.work, limitMs); size !== null; size = nextProbe(measured, n, workload.work, limitMs)) {
    step(`Trying ${SIDE_NAMES[runner.side]} at ${size} × ${size}, to estimate ${n} × ${n}`);
    const { residentMs } = await runner.time(makeInputs(workload, size), size, { nRuns: 1, nRepeats: 1, tick: () => {} });
    measured.push({ size, work: workload.work(size), ms: Math.max(median(residentMs), CLOCK_STEP_MS) });
  }
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

/** Mean time of `nRepeats` runs. */
async function timed(nRepeats: number, work: () => Promise<void> | void): Promise<number> {
  const startMs = performance.now();
  for (let i = 0; i < nRepeats; i++) await work();
  return (performance.now() - startMs) / nRepeats;
}

function engineRunner(workload: Workload, side: Side, tw: Tilework): Runner {
  const upload = (inputs: readonly Float32Array[], n: number) => inputs.map((data) => tw.array(data, [n, n]));
  const time: Runner["time"] = async (inputs, n, plan) => {
    const resident = upload(inputs, n);
    await tw.eval(...resident);
    const compute = async () => {
      const y = workload.build(resident);
      await tw.eval(y);
      y.dispose();
    };
    const { firstMs, residentMs } = await timeResident(compute, plan);
    free(resident);
    let result = new Float32Array(0);
    const transferMs: number[] = [];
    for (let i = 0; i < plan.nRuns; i++) {
      transferMs.push(await timed(plan.nRepeats, async () => {
        const arrays = upload(inputs, n);
        const y = workload.build(arrays);
        result = (await y.toArray()) as Float32Array<ArrayBuffer>;
        free([...arrays, y]);
      }));
    }
    return { firstMs, residentMs, transferMs, result };
  };
  return { side, device: deviceName(tw.info), software: tw.info.software, time };
}

/** A warm-up (kernels and the just-in-time compiler need one), then the runs that count. */
async function timeResident(compute: () => Promise<void> | void, { nRuns, nRepeats, tick }: Plan): Promise<{ firstMs: number; residentMs: number[] }> {
  const firstMs = await timed(1, compute);
  // A single affordable run is its own warm-up.
  for (let i = 1; i < N_WARM_UPS && nRuns > 1; i++) await timed(nRepeats, compute);
  const residentMs: number[] = [];
  for (let i = 0; i < nRuns; i++) {
    tick();
    residentMs.push(await timed(nRepeats, compute));
  }
  return { firstMs, residentMs };
}

function free(arrays: readonly NdArray[]): void {
  for (const array of arrays) array.dispose();
}

function plainRunner(workload: Workload): Runner {
  const time: Runner["time"] = async (inputs, n, plan) => {
    let result: Float32Array = new Float32Array(0);
    const compute = () => {
      result = workload.plain(inputs, n);
    };
    return { ...(await timeResident(compute, plan)), transferMs: [], result };
  };
  return { side: "js", device: "JavaScript, one thread", software: false, time };
}
