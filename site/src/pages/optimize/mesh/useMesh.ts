import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { DeviceChoice, Precision, Session } from "tilework/solve";
import { problemOf } from "../../../engine/problem";
import { deviceName } from "../../../engine/names";
import { type EnergyId, meshProblem, type MeshProblem, PULL } from "./energies";
import { type Mesh, topologyOf, type Topology } from "./topology";

export type Method = "lbfgs" | "lm";

export interface Settings {
  readonly energies: readonly EnergyId[];
  readonly pins: boolean;
  readonly method: Method;
  readonly backend: Extract<DeviceChoice, "cpu" | "gpu">;
  readonly precision: Precision;
}

export interface CostPoint {
  readonly x: number;
  readonly y: number;
}

export type Status =
  | { readonly name: "opening" }
  | { readonly name: "ready" | "running" | "rest"; readonly why: string }
  | { readonly name: "failed"; readonly code: string; readonly message: string };

export interface Figures {
  readonly device: string;
  readonly precision: string;
  readonly groups: number;
  readonly instances: number;
  readonly iterations: number;
  readonly cost: number;
  readonly perSecond: number;
}

const NO_FIGURES: Figures = { device: "", precision: "", groups: 0, instances: 0, iterations: 0, cost: NaN, perSecond: NaN };
/** A round of steps takes about this long, so that pictures follow each other. */
const ROUND_MS = 25;
const MAX_STEPS = 64;
/** What a step may change before it is the last one. */
const TOLERANCES = { functionTolerance: 1e-9, gradientTolerance: 1e-10, parameterTolerance: 1e-10 };
/** Points of the chart; older ones are thinned out. */
const MAX_POINTS = 400;

interface Running {
  readonly session: Session;
  readonly parts: MeshProblem;
  pull: { vertex: number; place: readonly [number, number, number] | null } | null;
  shake: number;
  isGoing: boolean;
  wanted: boolean;
  closed: boolean;
}

/** A mesh that is being optimized in a worker. `onPositions` is told where its vertices are. */
export function useMesh(mesh: Mesh, settings: Settings, onPositions: (positions: Float64Array) => void) {
  const topology = useMemo<Topology>(() => topologyOf(mesh), [mesh]);
  const [status, setStatus] = useState<Status>({ name: "opening" });
  const [figures, setFigures] = useState<Figures>(NO_FIGURES);
  const [costs, setCosts] = useState<readonly CostPoint[]>([]);
  const running = useRef<Running | null>(null);
  const positions = useRef<Float64Array>(mesh.positions);
  const tell = useRef(onPositions);
  tell.current = onPositions;
  const meshNow = useRef(mesh);
  const { energies, pins, method, backend, precision } = settings;
  const key = energies.join();
  const [round, setRound] = useState(0);
  const wasRunning = useRef(false);
  const nDone = useRef(0);

  const go = useCallback(async (run: Running, budget: number) => {
    run.wanted = true;
    if (run.isGoing) return;
    run.isGoing = true;
    wasRunning.current = budget > 1;
    if (budget > 1) setStatus({ name: "running", why: "" });
    try {
      await rounds(run, budget, {
        values: (values) => {
          positions.current = values;
          tell.current(values);
        },
        costs: (found, perSecond) => {
          const points = found.map((y, k) => ({ x: nDone.current + k + 1, y }));
          const iterations = (nDone.current += found.length);
          setCosts((known) => thinned([...known, ...points]));
          setFigures((known) => ({ ...known, iterations, cost: found.at(-1) ?? known.cost, perSecond: smooth(known.perSecond, perSecond) }));
        },
        status: setStatus,
      });
    } catch (thrown) {
      if (!run.closed) setStatus({ name: "failed", ...problemOf(thrown) });
    } finally {
      run.isGoing = false;
    }
  }, []);

  useEffect(() => {
    // Another mesh begins anew; other energies go on from where the vertices are.
    const isNew = meshNow.current !== mesh;
    if (isNew) positions.current = mesh.positions;
    meshNow.current = mesh;
    const goesOn = wasRunning.current && !isNew;
    let [closed, opened]: [boolean, Running | null] = [false, null];
    setStatus({ name: "opening" });
    if (isNew) {
      nDone.current = 0;
      setCosts([]);
    }
    const parts = meshProblem(mesh, topology, key.split(",") as EnergyId[], pins);
    parts.problem.setValues(parts.points, positions.current);
    parts.problem.session({ backend, precision, method, ...TOLERANCES }).then(
      (session) => {
        if (closed) return session.dispose();
        opened = running.current = { session, parts, pull: null, shake: 0, isGoing: false, wanted: false, closed: false };
        const { groups, instances } = session.counts;
        setFigures(({ perSecond }) => ({ perSecond, iterations: nDone.current, device: session.device.runsOn === "cpu" ? "WebAssembly SIMD, one thread" : deviceName(session.device), precision: session.precision, groups, instances, cost: session.start.cost }));
        setStatus({ name: "ready", why: "" });
        tell.current(positions.current);
        if (goesOn) void go(opened, Infinity);
      },
      (thrown: unknown) => {
        if (!closed) setStatus({ name: "failed", ...problemOf(thrown) });
      },
    );
    return () => {
      closed = true;
      if (opened !== null) opened.closed = true;
      opened?.session.dispose();
      running.current = null;
    };
  }, [mesh, topology, key, pins, method, backend, precision, round, go]);

  const start = useCallback(() => {
    if (running.current !== null) void go(running.current, Infinity);
  }, [go]);
  const step = useCallback(() => {
    if (running.current !== null) void go(running.current, 1);
  }, [go]);
  const pause = useCallback(() => {
    wasRunning.current = false;
    if (running.current !== null) running.current.wanted = false;
  }, []);
  /** Pulls a vertex somewhere, and runs while it is pulled. */
  const pull = useCallback((vertex: number, place: readonly [number, number, number] | null) => {
    const run = running.current;
    if (run === null) return;
    run.pull = { vertex, place };
    void go(run, Infinity);
  }, [go]);
  /** Moves every vertex a little. */
  const shake = useCallback((size: number) => {
    const run = running.current;
    if (run === null) return;
    run.shake = size;
    void go(run, Infinity);
  }, [go]);
  const reset = useCallback(() => {
    wasRunning.current = false;
    positions.current = mesh.positions;
    tell.current(mesh.positions);
    nDone.current = 0;
    setCosts([]);
    setRound((n) => n + 1);
  }, [mesh]);

  return { topology, status, figures, costs, start, step, pause, pull, shake, reset };
}

interface Reports {
  values(values: Float64Array): void;
  /** Of every step, and how many of them a second has. */
  costs(costs: readonly number[], perSecond: number): void;
  status(status: Status): void;
}

/** Rounds of steps until nobody wants more of them. */
async function rounds(run: Running, budget: number, report: Reports): Promise<void> {
  const { session, parts } = run;
  let [steps, left] = [1, budget];
  let holds = false;
  while (run.wanted && !run.closed && left > 0) {
    holds = await changed(run, holds);
    const startMs = performance.now();
    const { iterations, values, reason } = await session.step(Math.min(steps, left), { watch: [parts.points] });
    const ms = performance.now() - startMs;
    if (run.closed) return;
    left -= iterations.length;
    report.values(values[0]!);
    report.costs(iterations.map(({ cost }) => cost), (1000 * iterations.length) / ms);
    steps = Math.min(Math.max(Math.round((steps * ROUND_MS) / Math.max(ms, 1)), 1), MAX_STEPS);
    // A minimum for as long as nobody pulls.
    if (reason !== undefined && run.pull === null && run.shake === 0) {
      if (!holds) {
        run.wanted = false;
        return report.status({ name: "rest", why: REASONS[reason] ?? reason });
      }
      await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
    }
  }
  report.status({ name: "ready", why: "" });
}

const REASONS: Readonly<Record<string, string>> = {
  cost: "the cost hardly changes any more",
  gradient: "the gradient is nearly zero",
  step: "steps are tiny",
  nothing: "there is nothing to minimize",
  no_progress: "no step lowers the cost",
};

/** Sends what the user did since the last round; gives whether a vertex is held. */
async function changed(run: Running, holds: boolean): Promise<boolean> {
  const { session, parts } = run;
  if (run.shake > 0) {
    const size = run.shake;
    run.shake = 0;
    const values = await session.values(parts.points);
    const stays = new Set(parts.pinned);
    await session.setValues(parts.points, values.map((x, i) => (stays.has(Math.floor(i / 3)) ? x : x + size * (Math.random() - 0.5))));
  }
  const { pull } = run;
  if (pull === null) return holds;
  run.pull = null;
  const handles = new Float64Array(4 * parts.points.count);
  if (pull.place !== null) handles.set([...pull.place, PULL], 4 * pull.vertex);
  await session.setValues(parts.handles, handles);
  return pull.place !== null;
}

function smooth(before: number, now: number): number {
  return Number.isFinite(before) ? 0.8 * before + 0.2 * now : now;
}

/** Fewer points that look the same: every second of the older half goes. */
function thinned(points: readonly CostPoint[]): readonly CostPoint[] {
  if (points.length <= MAX_POINTS) return points;
  const half = Math.floor(points.length / 2);
  return [...points.slice(0, half).filter((_, i) => i % 2 === 0), ...points.slice(half)];
}
