// What a brush covers: pixels of a page as stretches of weights of its tensors. Pure.

import { spanOf, type PixelTensor, type WeightSpan } from "tilework/models";
import type { Box, Spot } from "./camera";

/** Pixels of a row that are covered, from `x` on. */
export interface Run {
  readonly y: number;
  readonly x: number;
  readonly width: number;
}

/** Weights of a tensor that are covered. */
export interface Covered {
  readonly tensor: PixelTensor;
  readonly spans: readonly WeightSpan[];
  readonly count: number;
}

/** Pixels whose middle is within `radius` of the way between two spots; the one under the end always is. */
export function strokeRuns(from: Spot, to: Spot, radius: number): Run[] {
  const runs: Run[] = [];
  const [top, bottom] = [Math.floor(Math.min(from.y, to.y) - radius), Math.ceil(Math.max(from.y, to.y) + radius)];
  const [left, right] = [Math.floor(Math.min(from.x, to.x) - radius), Math.ceil(Math.max(from.x, to.x) + radius)];
  for (let y = top; y <= bottom; y++) {
    let [first, last] = [Infinity, -Infinity];
    for (let x = left; x <= right; x++) {
      const isUnder = x === Math.floor(to.x) && y === Math.floor(to.y);
      if (!isUnder && distance({ x: x + 0.5, y: y + 0.5 }, from, to) > radius) continue;
      first = Math.min(first, x);
      last = x;
    }
    if (last >= first) runs.push({ y, x: first, width: last - first + 1 });
  }
  return runs;
}

/** All pixels of a box. */
export function boxRuns({ x, y, width, height }: Box): Run[] {
  return Array.from({ length: height }, (_, row) => ({ y: y + row, x, width }));
}

/** The box between two pixels, both included. */
export function boxBetween(a: Spot, b: Spot): Box {
  const [x, y] = [Math.floor(Math.min(a.x, b.x)), Math.floor(Math.min(a.y, b.y))];
  return { x, y, width: Math.floor(Math.max(a.x, b.x)) - x + 1, height: Math.floor(Math.max(a.y, b.y)) - y + 1 };
}

/** The weights under pixels, tensor by tensor. */
export function covered(tensors: readonly PixelTensor[], page: number, runs: readonly Run[]): Covered[] {
  const found: Covered[] = [];
  for (const tensor of tensors) {
    const spans: WeightSpan[] = [];
    for (const rect of tensor.rects) {
      if (rect.page !== page) continue;
      for (const run of runs) {
        if (run.y < rect.y || run.y >= rect.y + rect.height) continue;
        const first = Math.max(run.x, rect.x) - rect.x;
        const last = Math.min(run.x + run.width, rect.x + rect.width) - rect.x;
        const span = last > first ? spanOf(tensor, rect.line + run.y - rect.y, first, last - first) : undefined;
        if (span !== undefined) spans.push(span);
      }
    }
    if (spans.length > 0) found.push({ tensor, spans, count: spans.reduce((sum, span) => sum + span.count, 0) });
  }
  return found;
}

/** The box that pixels lie in. */
export function boxOf(runs: readonly Run[]): Box {
  const [x, y] = [Math.min(...runs.map((run) => run.x)), Math.min(...runs.map((run) => run.y))];
  return { x, y, width: Math.max(...runs.map((run) => run.x + run.width)) - x, height: Math.max(...runs.map((run) => run.y)) + 1 - y };
}

function distance(place: Spot, from: Spot, to: Spot): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(Math.max(((place.x - from.x) * dx + (place.y - from.y) * dy) / length, 0), 1);
  return Math.hypot(place.x - from.x - share * dx, place.y - from.y - share * dy);
}
