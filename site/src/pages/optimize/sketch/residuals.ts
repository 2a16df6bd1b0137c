// Constraints as residual functions. Those of one kind become one kernel, however many there are.

import { type Operand, type ParamSet, Problem, type Residuals, type Scalar, V, Vec2 } from "tilework/solve";
import type { Constraint, ConstraintId, Ref, Sketch } from "./model";

/** A dragged part is pulled this strongly: weakly, so that constraints win. */
export const PULL = 0.05;

export interface SketchProblem {
  readonly problem: Problem;
  readonly points: ParamSet<2>;
  readonly radii: ParamSet<1>;
  /** Where points are pulled to, and how strongly; values, so that dragging needs no new plan. */
  readonly pointHandles: ParamSet<3>;
  readonly radiusHandles: ParamSet<2>;
}

interface Line {
  readonly a: Vec2;
  readonly b: Vec2;
  readonly arm: Vec2;
}

interface Circle {
  readonly center: Vec2;
  readonly radius: Scalar;
}

/** What a constraint is made of, recorded. */
interface Parts {
  point(k: number): Vec2;
  line(k: number): Line;
  circle(k: number): Circle;
  value(k: number): Scalar;
}

/** The distance of a point from a line, with a sign. */
function offset(p: Vec2, { a, arm }: Line): Scalar {
  return arm.normalize().cross(p.sub(a));
}

const RESIDUALS: Readonly<Record<ConstraintId, (parts: Parts) => Residuals>> = {
  fixed: (c) => c.point(0).sub(new Vec2(c.value(0), c.value(1))),
  coincident: (c) => c.point(0).sub(c.point(1)),
  distance: (c) => c.point(0).distance(c.point(1)).sub(c.value(0)),
  horizontal: (c) => c.line(0).arm.y,
  vertical: (c) => c.line(0).arm.x,
  length: (c) => c.line(0).arm.norm().sub(c.value(0)),
  "equal-length": (c) => c.line(0).arm.norm().sub(c.line(1).arm.norm()),
  parallel: (c) => c.line(0).arm.normalize().cross(c.line(1).arm.normalize()),
  perpendicular: (c) => c.line(0).arm.normalize().dot(c.line(1).arm.normalize()),
  angle: (c) => {
    // Turned by the angle, the second line lies on the first: no jump at 180°.
    const [a, b] = [c.line(0).arm.normalize(), c.line(1).arm.normalize()];
    const angle = c.value(0).mul(Math.PI / 180);
    return V.atan2(turned(a, angle).cross(b), turned(a, angle).dot(b));
  },
  midpoint: (c) => c.line(1).a.add(c.line(1).b).mul(0.5).sub(c.point(0)),
  "on-line": (c) => offset(c.point(0), c.line(1)),
  "on-circle": (c) => c.point(0).distance(c.circle(1).center).sub(c.circle(1).radius),
  tangent: (c) => offset(c.circle(1).center, c.line(0)).abs().sub(c.circle(1).radius),
  touching: (c) => c.circle(0).center.distance(c.circle(1).center).sub(c.circle(0).radius.add(c.circle(1).radius)),
  radius: (c) => c.circle(0).radius.sub(c.value(0)),
  "equal-radius": (c) => c.circle(0).radius.sub(c.circle(1).radius),
  concentric: (c) => c.circle(0).center.sub(c.circle(1).center),
};

function turned({ x, y }: Vec2, angle: Operand): Vec2 {
  const [cos, sin] = [V.cos(angle), V.sin(angle)];
  return new Vec2(x.mul(cos).sub(y.mul(sin)), x.mul(sin).add(y.mul(cos)));
}

/** The problem of a sketch. */
export function sketchProblem(sketch: Sketch): SketchProblem {
  const problem = new Problem();
  const [nPoints, nCircles] = [sketch.points.length, sketch.circles.length];
  const points = problem.addParams(2, sketch.points.flatMap(({ x, y }) => [x, y]));
  const radii = problem.addParams(1, sketch.circles.map(({ radius }) => radius));
  const pointHandles = problem.addParams(3, new Float64Array(3 * nPoints));
  const radiusHandles = problem.addParams(2, new Float64Array(2 * nCircles));
  problem.setFixed(pointHandles);
  problem.setFixed(radiusHandles);
  const counted = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
  problem.addResiduals({ name: "pull", params: [[points, counted(nPoints)], [pointHandles, counted(nPoints)]] }, ([p, h]) => p.sub(new Vec2(h.x, h.y)).mul(h.z));
  problem.addResiduals({ name: "pull of radii", params: [[radii, counted(nCircles)], [radiusHandles, counted(nCircles)]] }, ([r, h]) => r.sub(h.x).mul(h.y));
  const pointAt = (index: number): Vec2 => new Vec2(V.param(points, index, 0), V.param(points, index, 1));
  problem.addResiduals({ name: "constraints", instances: sketch.constraints.length }, (i) => {
    const constraint = sketch.constraints[i]!;
    return RESIDUALS[constraint.kind](partsOf(sketch, constraint, pointAt, (index) => V.param(radii, index)));
  });
  return { problem, points, radii, pointHandles, radiusHandles };
}

function partsOf(sketch: Sketch, { refs, values }: Constraint, pointAt: (index: number) => Vec2, radiusAt: (index: number) => Scalar): Parts {
  const ref = (k: number): Ref => refs[k] ?? { part: "point", index: 0 };
  return {
    point: (k) => pointAt(ref(k).index),
    line: (k) => {
      const [first, second] = sketch.lines[ref(k).index] ?? [0, 0];
      const [a, b] = [pointAt(first), pointAt(second)];
      return { a, b, arm: b.sub(a) };
    },
    circle: (k) => {
      const { index } = ref(k);
      return { center: pointAt(sketch.circles[index]?.center ?? 0), radius: radiusAt(index) };
    },
    value: (k) => V.W(values[k] ?? 0),
  };
}

/** The sketch with its points and radii where a solver put them. */
export function moved(sketch: Sketch, points: ArrayLike<number>, radii: ArrayLike<number>): Sketch {
  return {
    ...sketch,
    points: sketch.points.map((_, i) => ({ x: points[2 * i]!, y: points[2 * i + 1]! })),
    circles: sketch.circles.map((circle, i) => ({ ...circle, radius: Math.abs(radii[i]!) })),
  };
}
