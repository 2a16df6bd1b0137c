// Triangle meshes: positions, faces, and what meets what.

export interface Mesh {
  readonly name: string;
  /** x, y and z of each vertex. */
  readonly positions: Float64Array<ArrayBuffer>;
  /** Three vertices to a face, counter-clockwise seen from outside. */
  readonly faces: Uint32Array<ArrayBuffer>;
}

export interface Topology {
  readonly nVertices: number;
  /** Every edge once. */
  readonly edges: readonly (readonly [number, number])[];
}

/** The edges of a mesh. */
export function topologyOf({ positions, faces }: Mesh): Topology {
  const nVertices = positions.length / 3;
  const edges: [number, number][] = [];
  const seen = new Set<number>();
  for (let f = 0; f < faces.length; f++) {
    const [v, p] = [faces[f]!, faces[f % 3 === 2 ? f - 2 : f + 1]!];
    const [a, b] = [Math.min(v, p), Math.max(v, p)];
    if (!seen.has(a * nVertices + b)) edges.push([a, b]);
    seen.add(a * nVertices + b);
  }
  return { nVertices, edges };
}

/** A sphere of radius 1: an icosahedron whose faces are divided in four, `level` times. It has 10·4ˡ + 2 vertices. */
export function icosphere(level: number): Mesh {
  const t = (1 + Math.sqrt(5)) / 2;
  const points = [[-1, t, 0], [1, t, 0], [-1, -t, 0], [1, -t, 0], [0, -1, t], [0, 1, t], [0, -1, -t], [0, 1, -t], [t, 0, -1], [t, 0, 1], [-t, 0, -1], [-t, 0, 1]].map(onSphere);
  let faces = [0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9, 4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1];
  for (let l = 0; l < level; l++) {
    const middles = new Map<number, number>();
    const middle = (a: number, b: number): number => {
      const key = Math.min(a, b) * 1e6 + Math.max(a, b);
      let found = middles.get(key);
      if (found === undefined) {
        found = points.push(onSphere(points[a]!.map((x, k) => x + points[b]![k]!))) - 1;
        middles.set(key, found);
      }
      return found;
    };
    const divided: number[] = [];
    for (let f = 0; f < faces.length; f += 3) {
      const [a, b, c] = [faces[f]!, faces[f + 1]!, faces[f + 2]!];
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      divided.push(a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca);
    }
    faces = divided;
  }
  return { name: "Sphere", positions: Float64Array.from(points.flat()), faces: Uint32Array.from(faces) };
}

function onSphere(point: number[]): number[] {
  const norm = Math.hypot(...point);
  return point.map((x) => x / norm);
}

/** The same mesh around the origin, as large as the sphere. */
export function centered(mesh: Mesh): Mesh {
  const { positions } = mesh;
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  positions.forEach((x, i) => {
    low[i % 3] = Math.min(low[i % 3]!, x);
    high[i % 3] = Math.max(high[i % 3]!, x);
  });
  const size = Math.max(...high.map((x, k) => x - low[k]!), 1e-30);
  return { ...mesh, positions: positions.map((x, i) => ((x - (low[i % 3]! + high[i % 3]!) / 2) * 2) / size) };
}
