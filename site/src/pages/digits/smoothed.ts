import type { Point } from "../../ui/chart/LineChart";

/** At most `n` points, each the mean of as many neighbors; steps count from 1. */
export function smoothed(losses: readonly number[], n: number): Point[] {
  const stretch = Math.max(1, Math.ceil(losses.length / n));
  const points: Point[] = [];
  for (let start = 0; start < losses.length; start += stretch) {
    const part = losses.slice(start, start + stretch);
    points.push({ x: start + (part.length + 1) / 2, y: part.reduce((sum, loss) => sum + loss, 0) / part.length });
  }
  return points;
}
