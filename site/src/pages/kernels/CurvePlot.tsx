import { formatNumber } from "../../lib/format";
import { quantile } from "../../lib/statistics";
import { LineChart, type Series } from "../../ui/chart/LineChart";
import type { Answer } from "./evaluate";

export function CurvePlot({ answer, by }: { answer: Answer; by: string | null }) {
  const series: Series[] = [{ id: "value", name: "f(x)", color: "var(--series-gpu)", points: points(answer.xs, answer.ys) }];
  if (answer.slopes !== null) series.push({ id: "slope", name: `∂f/∂${by ?? ""}`, color: "var(--series-cpu)", points: points(answer.xs, answer.slopes) });
  const all = series.flatMap((one) => one.points.map((point) => point.y)).filter(Number.isFinite);
  const first = answer.xs[0] ?? 0;
  const last = answer.xs.at(-1) ?? 1;
  return (
    <LineChart
      label={`The expression${answer.slopes === null ? "" : " and its derivative"} for x from ${formatNumber(first)} to ${formatNumber(last)}; values from ${formatNumber(quantile(all, 0))} to ${formatNumber(quantile(all, 1))}`}
      series={series}
      marks={false}
      x={{ label: "x", kind: "linear", format: formatNumber, domain: [first, last] }}
      y={{ label: "", kind: "linear", format: formatNumber, domain: rangeOf(all) }}
    />
  );
}

function points(xs: Float32Array, ys: Float32Array) {
  return Array.from(xs, (x, i) => ({ x, y: ys[i] ?? Number.NaN }));
}

/** Nearly all of the values; a pole does not flatten the rest. */
function rangeOf(values: readonly number[]): [number, number] {
  if (values.length === 0) return [-1, 1];
  let [low, high] = [quantile(values, 0), quantile(values, 1)];
  const [inner, outer] = [quantile(values, 0.03), quantile(values, 0.97)];
  const span = Math.max(outer - inner, 1e-6);
  low = Math.max(low, inner - 2 * span);
  high = Math.min(high, outer + 2 * span);
  const air = (high - low) * 0.06 || 0.5;
  return [low - air, high + air];
}
