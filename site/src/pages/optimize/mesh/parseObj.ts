// Wavefront OBJ: vertices and faces; the rest of the format (normals, textures, groups) is passed over.

import type { Mesh } from "./topology";

export const MAX_VERTICES = 50_000;

/** A mesh from the text of a file. Throws an Error in words for the user. */
export function parseObj(name: string, text: string): Mesh {
  const [positions, faces]: [number[], number[]] = [[], []];
  text.split(/\r?\n/).forEach((line, index) => {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === "v") positions.push(...numbersOf(rest, index));
    else if (word === "f") faces.push(...trianglesOf(rest, positions.length / 3, index));
  });
  if (positions.length === 0 || faces.length === 0) throw new Error(`${name} has no faces; is it an OBJ file?`);
  if (positions.length / 3 > MAX_VERTICES) throw new Error(`${name} has ${positions.length / 3} vertices; at most ${MAX_VERTICES} can be optimized here`);
  return onlyUsed({ name, positions: Float64Array.from(positions), faces: Uint32Array.from(faces) });
}

function numbersOf(words: readonly string[], index: number): number[] {
  const numbers = words.slice(0, 3).map(Number);
  if (numbers.length < 3 || !numbers.every(Number.isFinite)) throw new Error(`line ${index + 1}: a vertex needs three numbers`);
  return numbers;
}

/** Polygons become fans of triangles. Numbers count from 1, negative ones from the end. */
function trianglesOf(words: readonly string[], nVertices: number, index: number): number[] {
  const corners = words.map((word) => {
    const number = Number.parseInt(word, 10);
    const vertex = number < 0 ? nVertices + number : number - 1;
    if (!(vertex >= 0 && vertex < nVertices)) throw new Error(`line ${index + 1}: there is no vertex ${word}`);
    return vertex;
  });
  if (corners.length < 3) throw new Error(`line ${index + 1}: a face needs three vertices`);
  const triangles: number[] = [];
  for (let k = 1; k + 1 < corners.length; k++) {
    const [a, b, c] = [corners[0]!, corners[k]!, corners[k + 1]!];
    if (a !== b && b !== c && c !== a) triangles.push(a, b, c);
  }
  return triangles;
}

/** Vertices without a face would be points that nothing holds. */
function onlyUsed(mesh: Mesh): Mesh {
  const place = new Int32Array(mesh.positions.length / 3).fill(-1);
  const kept: number[] = [];
  const faces = mesh.faces.map((vertex) => {
    if (place[vertex] === -1) {
      place[vertex] = kept.length / 3;
      kept.push(...mesh.positions.subarray(3 * vertex, 3 * vertex + 3));
    }
    return place[vertex]!;
  });
  return { ...mesh, positions: Float64Array.from(kept), faces };
}
