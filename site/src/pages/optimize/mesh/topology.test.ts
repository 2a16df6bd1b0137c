import { describe, expect, it } from "vitest";
import { angleOf, pinnedOf } from "./energies";
import { parseObj } from "./parseObj";
import { centered, icosphere, topologyOf } from "./topology";

describe("icospheres", () => {
  it("have 10·4ˡ + 2 vertices on the sphere, and Euler's number", () => {
    for (const level of [0, 1, 3]) {
      const mesh = icosphere(level);
      const { nVertices, edges, hinges, rings } = topologyOf(mesh);
      expect(nVertices).toBe(10 * 4 ** level + 2);
      expect(nVertices - edges.length + mesh.faces.length / 3).toBe(2);
      expect(hinges.length).toBe(edges.length);
      expect(rings.filter((ring) => ring.length === 5).length).toBe(12);
      expect(rings.every((ring) => ring.length === 5 || ring.length === 6)).toBe(true);
      for (let v = 0; v < nVertices; v++) expect(Math.hypot(...mesh.positions.subarray(3 * v, 3 * v + 3))).toBeCloseTo(1, 12);
    }
  });

  it("faces look outwards, and hinges bend the same way", () => {
    const mesh = icosphere(1);
    const at = (v: number) => [...mesh.positions.subarray(3 * v, 3 * v + 3)] as [number, number, number];
    const angles = topologyOf(mesh).hinges.map(({ a, b, left, right }) => angleOf(at(a), at(b), at(left), at(right)));
    expect(Math.min(...angles) * Math.max(...angles)).toBeGreaterThan(0);
    expect(Math.max(...angles.map(Math.abs))).toBeLessThan(1);
  });
});

describe("OBJ files", () => {
  it("are read: polygons, slashes, negative numbers, unused vertices", () => {
    const mesh = parseObj("square.obj", "# a square\nv 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 2//1 3//1 4//1 -1//1\n");
    expect([...mesh.faces]).toEqual([0, 1, 2, 0, 2, 3]);
    expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
    const { edges, hinges, rings } = topologyOf(mesh);
    expect([edges.length, hinges.length]).toEqual([5, 1]);
    expect(rings.every((ring) => ring.length === 0)).toBe(true);
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
