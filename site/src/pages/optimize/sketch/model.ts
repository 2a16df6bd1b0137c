// A sketch as plain data: points, lines and circles, and what they have to obey.

export type Part = "point" | "line" | "circle";

export interface Ref {
  readonly part: Part;
  readonly index: number;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Constraint {
  readonly id: number;
  readonly kind: ConstraintId;
  readonly refs: readonly Ref[];
  /** Lengths, or an angle in degrees; two for a place. */
  readonly values: readonly number[];
}

export interface Sketch {
  readonly points: readonly Place[];
  /** Two points each. */
  readonly lines: readonly (readonly [number, number])[];
  readonly circles: readonly { readonly center: number; readonly radius: number }[];
  readonly constraints: readonly Constraint[];
}

export type ConstraintId =
  | "fixed"
  | "coincident"
  | "distance"
  | "horizontal"
  | "vertical"
  | "length"
  | "equal-length"
  | "parallel"
  | "perpendicular"
  | "angle"
  | "midpoint"
  | "on-line"
  | "on-circle"
  | "tangent"
  | "touching"
  | "radius"
  | "equal-radius"
  | "concentric";

export interface ConstraintKind {
  readonly id: ConstraintId;
  readonly label: string;
  /** What it is about, in this order. */
  readonly parts: readonly Part[];
  /** Its values as they are now; none for most. */
  readonly measure?: (sketch: Sketch, refs: readonly Ref[]) => number[];
  readonly unit?: string;
}

const round = (value: number): number => Number(value.toFixed(2));
const pointOf = (sketch: Sketch, index: number): Place => sketch.points[index] ?? { x: 0, y: 0 };
const arm = (sketch: Sketch, { index }: Ref): Place => {
  const [a, b] = sketch.lines[index] ?? [0, 0];
  const [p, q] = [pointOf(sketch, a), pointOf(sketch, b)];
  return { x: q.x - p.x, y: q.y - p.y };
};

export const KINDS: readonly ConstraintKind[] = [
  { id: "fixed", label: "Fixed", parts: ["point"], measure: (sketch, [p]) => [round(pointOf(sketch, p!.index).x), round(pointOf(sketch, p!.index).y)] },
  { id: "coincident", label: "Coincident", parts: ["point", "point"] },
  {
    id: "distance",
    label: "Distance",
    parts: ["point", "point"],
    measure: (sketch, [p, q]) => [round(Math.hypot(pointOf(sketch, p!.index).x - pointOf(sketch, q!.index).x, pointOf(sketch, p!.index).y - pointOf(sketch, q!.index).y))],
  },
  { id: "horizontal", label: "Horizontal", parts: ["line"] },
  { id: "vertical", label: "Vertical", parts: ["line"] },
  { id: "length", label: "Length", parts: ["line"], measure: (sketch, [line]) => [round(Math.hypot(arm(sketch, line!).x, arm(sketch, line!).y))] },
  { id: "equal-length", label: "Equal length", parts: ["line", "line"] },
  { id: "parallel", label: "Parallel", parts: ["line", "line"] },
  { id: "perpendicular", label: "Perpendicular", parts: ["line", "line"] },
  {
    id: "angle",
    label: "Angle",
    parts: ["line", "line"],
    unit: "°",
    measure: (sketch, [a, b]) => {
      const [p, q] = [arm(sketch, a!), arm(sketch, b!)];
      return [round((Math.atan2(p.x * q.y - p.y * q.x, p.x * q.x + p.y * q.y) * 180) / Math.PI)];
    },
  },
  { id: "midpoint", label: "Midpoint", parts: ["point", "line"] },
  { id: "on-line", label: "On line", parts: ["point", "line"] },
  { id: "on-circle", label: "On circle", parts: ["point", "circle"] },
  { id: "tangent", label: "Tangent", parts: ["line", "circle"] },
  { id: "touching", label: "Touching", parts: ["circle", "circle"] },
  { id: "radius", label: "Radius", parts: ["circle"], measure: (sketch, [circle]) => [round(sketch.circles[circle!.index]?.radius ?? 0)] },
  { id: "equal-radius", label: "Equal radius", parts: ["circle", "circle"] },
  { id: "concentric", label: "Concentric", parts: ["circle", "circle"] },
];

export function kindOf(id: ConstraintId): ConstraintKind {
  return KINDS.find((kind) => kind.id === id) ?? KINDS[0]!;
}

const ORDER: readonly Part[] = ["point", "line", "circle"];
const LETTERS: Readonly<Record<Part, string>> = { point: "P", line: "L", circle: "C" };

export function nameOf({ part, index }: Ref): string {
  return `${LETTERS[part]}${index + 1}`;
}

export function isSame(a: Ref, b: Ref): boolean {
  return a.part === b.part && a.index === b.index;
}

/** All parts of a sketch. */
export function partsOf(sketch: Sketch): Ref[] {
  const refs = (part: Part, n: number): Ref[] => Array.from({ length: n }, (_, index) => ({ part, index }));
  return [...refs("point", sketch.points.length), ...refs("line", sketch.lines.length), ...refs("circle", sketch.circles.length)];
}

/** The selection in the order constraints name their parts. */
function ordered(selected: readonly Ref[]): Ref[] {
  return [...selected].sort((a, b) => ORDER.indexOf(a.part) - ORDER.indexOf(b.part));
}

/** The constraints that a selection could get. */
export function applicable(selected: readonly Ref[]): ConstraintKind[] {
  const parts = ordered(selected).map(({ part }) => part).join();
  return KINDS.filter((kind) => kind.parts.join() === parts);
}

/** The sketch with one more constraint on what is selected, measured as it is now. */
export function constrained(sketch: Sketch, kind: ConstraintKind, selected: readonly Ref[]): Sketch {
  const refs = ordered(selected);
  const id = Math.max(0, ...sketch.constraints.map((known) => known.id)) + 1;
  return { ...sketch, constraints: [...sketch.constraints, { id, kind: kind.id, refs, values: kind.measure?.(sketch, refs) ?? [] }] };
}

/** The sketch without some parts and all that depends on them. */
export function without(sketch: Sketch, gone: readonly Ref[]): Sketch {
  const isGone = (ref: Ref): boolean => gone.some((one) => isSame(one, ref));
  const keepPoint = sketch.points.map((_, index) => !isGone({ part: "point", index }));
  const keepLine = sketch.lines.map(([a, b], index) => !isGone({ part: "line", index }) && keepPoint[a] === true && keepPoint[b] === true);
  const keepCircle = sketch.circles.map(({ center }, index) => !isGone({ part: "circle", index }) && keepPoint[center] === true);
  const keeps: Readonly<Record<Part, readonly boolean[]>> = { point: keepPoint, line: keepLine, circle: keepCircle };
  const moved = (part: Part, index: number): number => keeps[part].slice(0, index).filter(Boolean).length;
  const isKept = ({ part, index }: Ref): boolean => keeps[part][index] === true;
  return {
    points: sketch.points.filter((_, i) => keepPoint[i]),
    lines: sketch.lines.filter((_, i) => keepLine[i]).map(([a, b]) => [moved("point", a), moved("point", b)] as const),
    circles: sketch.circles.filter((_, i) => keepCircle[i]).map((circle) => ({ ...circle, center: moved("point", circle.center) })),
    constraints: sketch.constraints
      .filter(({ refs }) => refs.every(isKept))
      .map((constraint) => ({ ...constraint, refs: constraint.refs.map((ref) => ({ ...ref, index: moved(ref.part, ref.index) })) })),
  };
}

const point = (index: number): Ref => ({ part: "point", index: index - 1 });
const line = (index: number): Ref => ({ part: "line", index: index - 1 });
const circle = (index: number): Ref => ({ part: "circle", index: index - 1 });

/** A four-bar linkage that a crank drives, and a belt around two pulleys: everything moves, and everything holds. */
export const EXAMPLE: Sketch = {
  points: [
    { x: 2.2, y: 3.2 }, { x: 3.1, y: 2.4 }, { x: 6.4, y: 1.1 }, { x: 6.2, y: 3.2 }, { x: 4.2, y: 0.7 },
    { x: 2.6, y: 6 }, { x: 7.2, y: 6 }, { x: 2.6, y: 5 }, { x: 7.2, y: 5.4 }, { x: 2.6, y: 7 }, { x: 7.2, y: 6.6 },
    { x: 9, y: 2 }, { x: 11, y: 2 }, { x: 11, y: 4 }, { x: 9, y: 4 },
  ],
  lines: [[0, 1], [1, 2], [2, 3], [1, 4], [4, 2], [0, 3], [7, 8], [9, 10], [11, 12], [12, 13], [13, 14], [14, 11]],
  circles: [{ center: 0, radius: 1.2 }, { center: 5, radius: 1 }, { center: 6, radius: 0.6 }],
  constraints: (
    [
      ["fixed", [point(1)], [2.2, 3.2]],
      ["fixed", [point(4)], [6.2, 3.2]],
      ["on-circle", [point(2), circle(1)], []],
      ["radius", [circle(1)], [1.2]],
      ["length", [line(2)], [3.6]],
      ["length", [line(3)], [2.4]],
      ["length", [line(4)], [2]],
      ["equal-length", [line(4), line(5)], []],
      ["tangent", [line(7), circle(2)], []],
      ["tangent", [line(7), circle(3)], []],
      ["tangent", [line(8), circle(2)], []],
      ["tangent", [line(8), circle(3)], []],
      ["on-circle", [point(8), circle(2)], []],
      ["on-circle", [point(9), circle(3)], []],
      ["on-circle", [point(10), circle(2)], []],
      ["on-circle", [point(11), circle(3)], []],
      ["radius", [circle(2)], [1]],
      ["radius", [circle(3)], [0.6]],
      ["horizontal", [line(9)], []],
      ["perpendicular", [line(9), line(10)], []],
      ["parallel", [line(9), line(11)], []],
      ["parallel", [line(10), line(12)], []],
      ["equal-length", [line(9), line(10)], []],
    ] as const
  ).map(([kind, refs, values], index) => ({ id: index + 1, kind, refs, values })),
};
