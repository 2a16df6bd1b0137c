// Energies of a mesh, written as residual functions: what they say here becomes kernels, derivatives included.

import { type ParamSet, Problem, type Scalar, V, Vec3 } from "tilework/solve";
import type { Mesh, Topology } from "./topology";

export type EnergyId = "springs" | "smooth" | "bending" | "developable" | "arap";

export interface EnergyKind {
  readonly id: EnergyId;
  readonly label: string;
  readonly words: string;
}

export const ENERGIES: readonly EnergyKind[] = [
  { id: "springs", label: "Springs", words: "every edge wants its first length" },
  { id: "arap", label: "As rigid as possible", words: "every fan of edges is turned, and not deformed" },
  { id: "bending", label: "Bending", words: "faces keep their angles" },
  { id: "smooth", label: "Smoothing", words: "every vertex wants to be amid its neighbors" },
  { id: "developable", label: "Developable", words: "fans of faces unroll into a plane, along creases" },
];

/** How much each counts. */
const WEIGHTS: Readonly<Record<EnergyId, number>> = { springs: 1, smooth: 0.5, bending: 0.3, developable: 1, arap: 1 };
/** A dragged vertex is pulled this strongly. */
export const PULL = 10;

export interface MeshProblem {
  readonly problem: Problem;
  readonly points: ParamSet<3>;
  /** For each vertex where it is pulled to, and how strongly; 0 for all but the dragged one. Values, so dragging needs no new plan. */
  readonly handles: ParamSet<4>;
  /** Vertices that stay. */
  readonly pinned: readonly number[];
}

/** The problem of a mesh with some energies. With `pins`, its lowest vertices stay where they are. */
export function meshProblem(mesh: Mesh, topology: Topology, energies: ReadonlySet<EnergyId>, pins: boolean): MeshProblem {
  const problem = new Problem();
  const points = problem.addParams(3, mesh.positions);
  const all = Uint32Array.from({ length: topology.nVertices }, (_, i) => i);
  const handles = problem.addParams(4, new Float64Array(4 * topology.nVertices));
  problem.setFixed(handles);
  problem.addResiduals({ name: "handles", params: [[points, all], [handles, all]] }, ([p, h]) => p.sub(new Vec3(h.x, h.y, h.z)).mul(h.w));
  const pinned = pins ? pinnedOf(mesh) : [];
  problem.setFixed(points, pinned);
  if (energies.has("springs")) addSprings(problem, points, mesh, topology);
  if (energies.has("arap")) addArap(problem, points, mesh, topology);
  if (energies.has("bending")) addBending(problem, points, mesh, topology);
  if (energies.has("smooth")) addSmoothing(problem, points, topology);
  if (energies.has("developable")) addDevelopable(problem, points, topology);
  return { problem, points, handles, pinned };
}

/** The lowest twentieth of the height. */
export function pinnedOf({ positions }: Mesh): number[] {
  const heights = Array.from({ length: positions.length / 3 }, (_, v) => positions[3 * v + 1]!);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  return heights.flatMap((height, v) => (height <= low + 0.1 * (high - low) ? [v] : []));
}

function pointAt({ positions }: Mesh, v: number): [number, number, number] {
  return [positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!];
}

function addSprings(problem: Problem, points: ParamSet<3>, mesh: Mesh, { edges }: Topology): void {
  const lengths = edges.map(([a, b]) => Math.hypot(...pointAt(mesh, a).map((x, k) => x - pointAt(mesh, b)[k]!)));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  problem.addResiduals(
    { name: "springs", params: [[points, edges.map(([a]) => a)], [points, edges.map(([, b]) => b)]], data: [lengths] },
    ([p, q], [length]) => p.distance(q).sub(length).mul(WEIGHTS.springs / Math.max(mean, 1e-30)),
  );
}

function addArap(problem: Problem, points: ParamSet<3>, mesh: Mesh, { edges, nVertices }: Topology): void {
  // Sorkine and Alexa, As-rigid-as-possible surface modeling, 2007, with the rotation of each vertex as a parameter.
  const turns = problem.addParams(4, Float64Array.from({ length: 4 * nVertices }, (_, i) => (i % 4 === 0 ? 1 : 0)), { manifold: "quaternion" });
  const both = [...edges, ...edges.map(([a, b]) => [b, a] as const)];
  const [from, to] = [both.map(([a]) => a), both.map(([, b]) => b)];
  const arms = both.flatMap(([a, b]) => pointAt(mesh, b).map((x, k) => x - pointAt(mesh, a)[k]!));
  const mean = Math.sqrt(arms.reduce((sum, x) => sum + x * x, 0) / both.length);
  problem.addResiduals(
    { name: "as rigid as possible", params: [[points, from], [points, to], [turns, from]], data: [{ dim: 3, values: arms }] },
    ([p, q, turn], [arm]) => {
      // v + 2·u × (u × v + w·v), the arm turned by the quaternion (w, u); blocks of four are called x, y, z, w in order.
      const [w, u] = [turn.x, new Vec3(turn.y, turn.z, turn.w)];
      const turned = arm.add(u.cross(u.cross(arm).add(arm.mul(w))).mul(2));
      return q.sub(p).sub(turned).mul(WEIGHTS.arap / Math.max(mean, 1e-30));
    },
  );
}

/** The angle between the faces (a, b, left) and (b, a, right). */
function hingeAngle(a: Vec3, b: Vec3, left: Vec3, right: Vec3): Scalar {
  const edge = b.sub(a);
  const [n1, n2] = [edge.cross(left.sub(a)), right.sub(a).cross(edge)];
  return V.atan2(n1.cross(n2).dot(edge.normalize()), n1.dot(n2));
}

function addBending(problem: Problem, points: ParamSet<3>, mesh: Mesh, { hinges }: Topology): void {
  const angles = hinges.map(({ a, b, left, right }) => angleOf(pointAt(mesh, a), pointAt(mesh, b), pointAt(mesh, left), pointAt(mesh, right)));
  const list = (name: "a" | "b" | "left" | "right") => [points, hinges.map((hinge) => hinge[name])] as const;
  if (hinges.length === 0) return;
  problem.addResiduals({ name: "bending", params: [list("a"), list("b"), list("left"), list("right")], data: [angles] }, ([a, b, left, right], [angle]) =>
    hingeAngle(a, b, left, right).sub(angle).mul(WEIGHTS.bending),
  );
}

type Point = readonly [number, number, number];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Point, b: Point): Point => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** The same of plain numbers. */
export function angleOf(a: Point, b: Point, left: Point, right: Point): number {
  const edge = minus(b, a);
  const [n1, n2] = [cross(edge, minus(left, a)), cross(minus(right, a), edge)];
  const length = Math.sqrt(dot(edge, edge)) || 1;
  return Math.atan2(dot(cross(n1, n2), edge) / length, dot(n1, n2));
}

/** Calls `add` with the vertices of each ring size and the neighbors of each: one kernel to a size. */
function byRingSize({ rings }: Topology, add: (size: number, vertices: number[], neighbors: number[][]) => void): void {
  const sizes = new Map<number, number[]>();
  rings.forEach((ring, v) => {
    if (ring.length >= 3) sizes.set(ring.length, [...(sizes.get(ring.length) ?? []), v]);
  });
  for (const [size, vertices] of sizes) {
    if (size <= 12) add(size, vertices, Array.from({ length: size }, (_, k) => vertices.map((v) => rings[v]![k]!)));
  }
}

function addSmoothing(problem: Problem, points: ParamSet<3>, topology: Topology): void {
  byRingSize(topology, (size, vertices, neighbors) => {
    const params = [[points, vertices], ...neighbors.map((list) => [points, list] as const)] as const;
    problem.addResiduals({ name: `smoothing of ${size}`, params }, ([center, ...ring]) => {
      const sum = ring.reduce((sum, neighbor) => sum.add(neighbor));
      return sum.div(size).sub(center).mul(WEIGHTS.smooth * 10);
    });
  });
}

function addDevelopable(problem: Problem, points: ParamSet<3>, topology: Topology): void {
  // Stein, Grinspun and Crane, Developability of triangle meshes, 2018: the smallest eigenvalue of the normals' covariance.
  byRingSize(topology, (size, vertices, neighbors) => {
    const params = [[points, vertices], ...neighbors.map((list) => [points, list] as const)] as const;
    problem.addEnergy({ name: `developability of ${size}`, params }, ([center, ...ring]) => smallestEigenvalue(covarianceOf(center, ring)).mul(WEIGHTS.developable));
  });
}

/** Sum of θ·n·nᵀ over the faces of a fan, θ the angle at its center: xx, yy, zz, xy, xz, yz. */
function covarianceOf(center: Vec3, ring: readonly Vec3[]): Scalar[] {
  const arms = ring.map((point) => point.sub(center));
  const faces = arms.map((arm, k) => {
    const other = arms[(k + 1) % arms.length]!;
    const normal = arm.cross(other);
    const angle = V.atan2(normal.norm(), arm.dot(other));
    return { normal: normal.normalize(), angle };
  });
  const pairs = [["x", "x"], ["y", "y"], ["z", "z"], ["x", "y"], ["x", "z"], ["y", "z"]] as const;
  return pairs.map(([i, j]) => V.sum(faces.map(({ normal, angle }) => angle.mul(normal[i]).mul(normal[j]))));
}

/** Of a symmetric matrix, in closed form (O. K. Smith, 1961). Where all three are equal, the derivative is that of their mean. */
function smallestEigenvalue([xx, yy, zz, xy, xz, yz]: readonly Scalar[]): Scalar {
  const mean = V.sum([xx!, yy!, zz!]).div(3);
  const [a, b, c] = [xx!.sub(mean), yy!.sub(mean), zz!.sub(mean)];
  const off = V.sum([xy!.square(), xz!.square(), yz!.square()]);
  const p2 = V.sum([a.square(), b.square(), c.square(), off.mul(2)]).div(6);
  const isSpread = p2.gt(1e-24);
  const p = isSpread.select(p2, 1).sqrt();
  const determinant = V.sum([a.mul(b.mul(c).sub(yz!.square())), xy!.mul(xz!.mul(yz!).mul(2).sub(xy!.mul(c))), xz!.square().mul(b).neg()]);
  const r = determinant.div(p.mul(p).mul(p).mul(2)).clamp(-1, 1);
  const smallest = mean.add(p.mul(2).mul(r.acos().div(3).add((2 * Math.PI) / 3).cos()));
  return isSpread.select(smallest, mean);
}
