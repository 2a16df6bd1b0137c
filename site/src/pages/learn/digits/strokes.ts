// Strokes as pictures: drawings for the checks, made without a canvas so that they are the same everywhere.

export type Point = readonly [x: number, y: number];

/** Lines through `points` (0 to 1 across the drawing) with a round pen, as [size, size] from 0 to 1. */
export function drawStrokes(strokes: readonly (readonly Point[])[], size: number, pen = 0.045): Float32Array {
  const ink = new Float32Array(size * size);
  for (const stroke of strokes) {
    stroke.forEach((point, i) => drawLine(ink, size, stroke[i - 1] ?? point, point, pen));
  }
  return ink;
}

function drawLine(ink: Float32Array, size: number, from: Point, to: Point, pen: number): void {
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const distance = distanceToLine((x + 0.5) / size, (y + 0.5) / size, from, to);
      // One pixel of soft edge.
      const value = Math.min(Math.max((pen - distance) * size + 0.5, 0), 1);
      ink[y * size + x] = Math.max(ink[y * size + x] ?? 0, value);
    }
  }
}

function distanceToLine(x: number, y: number, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1);
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

/** Points along an ellipse; angles in turns, 0 to the right, growing clockwise as y does. */
function arc(cx: number, cy: number, rx: number, ry: number, from: number, to: number): Point[] {
  return Array.from({ length: 25 }, (_, i) => {
    const angle = 2 * Math.PI * (from + ((to - from) * i) / 24);
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)] as const;
  });
}

/** One drawing of some digits, as a hand would do it. */
export const DIGIT_STROKES: Readonly<Record<number, readonly (readonly Point[])[]>> = {
  0: [arc(0.5, 0.5, 0.2, 0.3, 0, 1)],
  1: [[[0.55, 0.2], [0.45, 0.8]]],
  2: [[...arc(0.48, 0.35, 0.17, 0.16, 0.5, 1.08), [0.32, 0.8], [0.7, 0.78]]],
  3: [[...arc(0.47, 0.35, 0.17, 0.15, 0.55, 1.25)], [...arc(0.47, 0.65, 0.2, 0.16, 0.75, 1.45)]],
  4: [[[0.38, 0.2], [0.33, 0.52], [0.68, 0.5]], [[0.64, 0.22], [0.6, 0.82]]],
  7: [[[0.3, 0.25], [0.7, 0.23], [0.45, 0.82]]],
};
