import { describe, expect, it } from "vitest";
import { type EnergyId, ENERGIES, meshProblem, pinnedOf } from "./energies";
import { parseObj } from "./parseObj";
import { centered, icosphere, topologyOf } from "./topology";

describe("icospheres", () => {
  it("have 10·4ˡ + 2 vertices on the sphere, and Euler's number", () => {
    for (const level of [0, 1, 3]) {
      const mesh = icosphere(level);
      const { nVertices, edges } = topologyOf(mesh);
      expect(nVertices).toBe(10 * 4 ** level + 2);
      expect(nVertices - edges.length + mesh.faces.length / 3).toBe(2);
      for (let v = 0; v < nVertices; v++) expect(Math.hypot(...mesh.positions.subarray(3 * v, 3 * v + 3))).toBeCloseTo(1, 12);
    }
  });
});

describe("OBJ files", () => {
  it("are read: polygons, slashes, negative numbers, unused vertices", () => {
    const mesh = parseObj("square.obj", "# a square\nv 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 2//1 3//1 4//1 -1//1\n");
    expect([...mesh.faces]).toEqual([0, 1, 2, 0, 2, 3]);
    expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect(topologyOf(mesh).edges.length).toBe(5);
  });

  it("say what is wrong with them", () => {
    expect(() => parseObj("x.obj", "hello")).toThrow(/no faces/);
    expect(() => parseObj("x.obj", "v 1 2\n")).toThrow(/line 1: a vertex/);
    expect(() => parseObj("x.obj", "v 1 2 3\nf 1 2 3")).toThrow(/line 2: there is no vertex 2/);
  });
});

it("a mesh is centered and as large as the sphere", () => {
  const { positions } = centered({ name: "", positions: Float64Array.from([10, 0, 0, 14, 1, 0, 10, 2, 0]), faces: Uint32Array.from([0, 1, 2]) });
  expect([...positions]).toEqual([-1, -0.5, 0, 1, 0, 0, -1, 0.5, 0]);
});

it("the lowest vertices are pinned", () => {
  const pinned = pinnedOf(icosphere(2));
  expect(pinned.length).toBeGreaterThan(3);
  expect(pinned.length).toBeLessThan(30);
});

describe("problems of meshes", () => {
  const solved = async (energies: EnergyId[], pull: boolean) => {
    const mesh = icosphere(1);
    const { problem, points, handles } = meshProblem(mesh, topologyOf(mesh), energies, pull);
    if (pull) problem.setValues(handles, Float64Array.from({ length: 4 * points.count }, (_, i) => (i < 4 ? [0, 2, 0, 10][i]! : 0)));
    const summary = await problem.solve({ backend: "cpu", method: "lbfgs", maxIterations: 100 });
    return { summary, moved: problem.values(points) };
  };

  it("every energy lowers its cost", async () => {
    for (const { id } of ENERGIES) {
      const { summary } = await solved([id], false);
      expect(Number.isFinite(summary.finalCost), id).toBe(true);
      expect(summary.finalCost, id).toBeLessThanOrEqual(summary.initialCost);
    }
  });

  it("a pulled vertex takes its neighbors along", async () => {
    const { moved, summary } = await solved(["arap"], true);
    expect(summary.finalCost).toBeLessThan(summary.initialCost / 2);
    expect(moved[1]).toBeGreaterThan(1.3);
  });
});
