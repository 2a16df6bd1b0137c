import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Session } from "tilework/solve";
import { problemOf, type Problem } from "../../../engine/problem";
import type { Place, Ref, Sketch } from "./model";
import { moved, PULL, type SketchProblem, sketchProblem } from "./residuals";

/** A part that is being dragged, and where to: a point, or a circle by its rim. */
export interface Drag {
  readonly ref: Ref;
  readonly place: Place;
}

export interface SolverState {
  readonly isOpen: boolean;
  /** What is left of the constraints' cost. */
  readonly cost: number;
  readonly groups: number;
  readonly instances: number;
  readonly elapsedMs: number;
  readonly problem: Problem | null;
}

const MAX_STEPS = 30;
const NOTHING: SolverState = { isOpen: false, cost: NaN, groups: 0, instances: 0, elapsedMs: NaN, problem: null };

interface Solver {
  readonly session: Session;
  readonly parts: SketchProblem;
  /** Undefined: nothing to do. Null: solve without a drag. */
  waiting: Drag | null | undefined;
  isBusy: boolean;
  closed: boolean;
}

/** Keeps a sketch solved, in this thread: it is small, and a drag should not wait for messages. `onMoved` gets its parts' new places. */
export function useSketch(sketch: Sketch, onMoved: (move: (sketch: Sketch) => Sketch) => void) {
  const [state, setState] = useState<SolverState>(NOTHING);
  const solver = useRef<Solver | null>(null);
  const current = useRef(sketch);
  current.current = sketch;
  const tell = useRef(onMoved);
  tell.current = onMoved;
  // Places and radii are values; everything else is the structure that a plan is made for.
  const structure = useMemo(() => JSON.stringify([sketch.points.length, sketch.lines, sketch.circles.map(({ center }) => center), sketch.constraints]), [sketch]);

  const work = useCallback(async (own: Solver) => {
    if (own.isBusy) return;
    own.isBusy = true;
    try {
      while (own.waiting !== undefined && !own.closed) {
        const drag = own.waiting;
        own.waiting = undefined;
        const startMs = performance.now();
        await pulled(own, drag);
        const { points, radii } = own.parts;
        const { iterations, values } = await own.session.step(MAX_STEPS, { watch: [points, radii] });
        if (own.closed) return;
        tell.current((now) => moved(now, values[0]!, values[1]!));
        setState((known) => ({ ...known, cost: iterations.at(-1)?.cost ?? known.cost, elapsedMs: performance.now() - startMs, problem: null }));
      }
    } catch (thrown) {
      if (!own.closed) setState((known) => ({ ...known, problem: problemOf(thrown) }));
    } finally {
      own.isBusy = false;
    }
  }, []);

  useEffect(() => {
    let [closed, opened]: [boolean, Solver | null] = [false, null];
    const parts = sketchProblem(current.current);
    parts.problem.session({ backend: "cpu", worker: false, functionTolerance: 1e-13 }).then(
      (session) => {
        if (closed) return session.dispose();
        opened = solver.current = { session, parts, waiting: null, isBusy: false, closed: false };
        setState((known) => ({ ...known, isOpen: true, groups: session.counts.groups, instances: session.counts.instances, problem: null }));
        void work(opened);
      },
      (thrown: unknown) => {
        if (!closed) setState((known) => ({ ...known, problem: problemOf(thrown) }));
      },
    );
    return () => {
      closed = true;
      if (opened !== null) opened.closed = true;
      opened?.session.dispose();
      solver.current = null;
    };
  }, [structure, work]);

  /** Moves a part as far as constraints allow; null lets it go. */
  const drag = useCallback((drag: Drag | null) => {
    if (solver.current === null) return;
    solver.current.waiting = drag;
    void work(solver.current);
  }, [work]);

  return { state, drag };

  async function pulled({ session, parts }: Solver, drag: Drag | null): Promise<void> {
    const [points, radii] = [new Float64Array(3 * parts.points.count), new Float64Array(2 * parts.radii.count)];
    if (drag?.ref.part === "point") points.set([drag.place.x, drag.place.y, PULL], 3 * drag.ref.index);
    if (drag?.ref.part === "circle") {
      const { index } = drag.ref;
      const center = current.current.points[current.current.circles[index]?.center ?? 0] ?? { x: 0, y: 0 };
      radii.set([Math.hypot(drag.place.x - center.x, drag.place.y - center.y), PULL], 2 * index);
    }
    await session.setValues(parts.pointHandles, points);
    if (parts.radii.count > 0) await session.setValues(parts.radiusHandles, radii);
  }
}
