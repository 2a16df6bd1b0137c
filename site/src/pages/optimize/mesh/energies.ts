// The problem of a mesh: energies of the engine, and handles to pull vertices by, recorded here.

import { type MeshEnergyName, type ParamSet, Problem, Vec3 } from "tilework/solve";
import type { Mesh, Topology } from "./topology";

export type EnergyId = Extract<MeshEnergyName, "springs" | "arap" | "bending" | "smoothing" | "developability" | "even-edges">;

export interface EnergyKind {
  readonly id: EnergyId;
  readonly label: string;
  readonly words: string;
}

export const ENERGIES: readonly EnergyKind[] = [
  { id: "springs", label: "Springs", words: "every edge wants its first length" },
  { id: "even-edges", label: "Even edges", words: "all edges want one length" },
  { id: "arap", label: "As rigid as possible", words: "neighborhoods may turn, and not deform" },
  { id: "bending", label: "Bending", words: "edges want to be flat" },
  { id: "smoothing", label: "Smoothing", words: "a step of the flow that smooths" },
  { id: "developability", label: "Developable", words: "fans of faces unroll into a plane, along creases" },
];

/** How much each counts. Those that measure lengths are given for edges of length 1. */
const WEIGHTS: Readonly<Record<EnergyId, number>> = { springs: 1, "even-edges": 1, arap: 1, bending: 0.02, smoothing: 100, developability: 1 };
const IN_LENGTHS: ReadonlySet<EnergyId> = new Set<EnergyId>(["springs", "even-edges", "arap"]);
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
export function meshProblem(mesh: Mesh, topology: Topology, energies: readonly EnergyId[], pins: boolean): MeshProblem {
  const problem = new Problem();
  const points = problem.addParams(3, mesh.positions);
  const all = Uint32Array.from({ length: topology.nVertices }, (_, i) => i);
  const handles = problem.addParams(4, new Float64Array(4 * topology.nVertices));
  problem.setFixed(handles);
  problem.addResiduals({ name: "handles", params: [[points, all], [handles, all]] }, ([p, h]) => p.sub(new Vec3(h.x, h.y, h.z)).mul(h.w));
  const pinned = pins ? pinnedOf(mesh) : [];
  problem.setFixed(points, pinned);
  const scale = 1 / meanSquare(mesh, topology);
  problem.addMesh(points, mesh.faces, Object.fromEntries(energies.map((id) => [id, WEIGHTS[id] * (IN_LENGTHS.has(id) ? scale : 1)])));
  return { problem, points, handles, pinned };
}

/** Of the lengths of edges. */
function meanSquare({ positions }: Mesh, { edges }: Topology): number {
  const squares = edges.map(([a, b]) => [0, 1, 2].reduce((sum, k) => sum + (positions[3 * a + k]! - positions[3 * b + k]!) ** 2, 0));
  return Math.max(squares.reduce((sum, square) => sum + square, 0) / Math.max(squares.length, 1), 1e-30);
}

/** The lowest tenth of the height. */
export function pinnedOf({ positions }: Mesh): number[] {
  const heights = Array.from({ length: positions.length / 3 }, (_, v) => positions[3 * v + 1]!);
  const [low, high] = heights.reduce(([low, high], height) => [Math.min(low, height), Math.max(high, height)], [Infinity, -Infinity]);
  return heights.flatMap((height, v) => (height <= low + 0.1 * (high - low) ? [v] : []));
}
