import { memo, useState } from "react";
import { formatMs, formatNumber } from "../../lib/format";
import { Choice } from "../../ui/Choice";
import { LineChart, type Series } from "../../ui/chart/LineChart";
import { Card, Empty } from "../../ui/layout";
import { latestOf } from "./history";
import { rateOf } from "./table";
import { SIDES, SIDE_NAMES, type Row, type Side } from "./types";
import type { Workload } from "./workloads";

type Quantity = "rate" | "time" | "transfer";

const COLORS: Record<Side, string> = { gpu: "var(--series-gpu)", cpu: "var(--series-cpu)", js: "var(--series-js)" };

/** The newest measurement of each size and side; grows while a benchmark runs. */
export const BenchmarkChart = memo(function BenchmarkChart({ rows, workload }: { rows: readonly Row[]; workload: Workload }) {
  const [quantity, setQuantity] = useState<Quantity>("rate");
  const latest = latestOf(rows, workload.id);
  const series = SIDES.map((side) => seriesOf(latest.filter((row) => row.side === side), side, quantity, workload)).filter((one) => one.points.length > 0);
  const sizes = [...new Set(latest.map((row) => row.size))];
  const options = [{ value: "rate", label: workload.unit }, { value: "time", label: "Time" }, { value: "transfer", label: "With transfer" }] as const;
  return (
    <Card title={workload.name} note="Newest result of each size; both axes logarithmic" actions={<Choice label="Quantity" options={options} value={quantity} onChange={setQuantity} />}>
      {series.length === 0 ? (
        <Empty icon="gauge" title="No measurement yet"><p>Choose sizes and press Run; the chart grows with each result.</p></Empty>
      ) : (
        <LineChart
          label={`${workload.name}: ${series.map((one) => `${one.name} ${one.points.length} sizes`).join(", ")}; the table below has the numbers`}
          series={series}
          x={{ label: "n (arrays of n × n)", kind: "log", format: String, ticks: sizes, ...(sizes.length > 0 && { domain: [Math.min(...sizes) / 1.2, Math.max(...sizes) * 1.2] as const }) }}
          y={{ label: quantity === "rate" ? workload.unit : "time", kind: "log", format: quantity === "rate" ? formatNumber : formatMs }}
        />
      )}
    </Card>
  );
});

function seriesOf(rows: readonly Row[], side: Side, quantity: Quantity, workload: Workload): Series {
  const points = rows.flatMap((row) => {
    const y = quantity === "rate" ? rateOf(row, row.medianMs) : quantity === "time" ? row.medianMs : row.transferMs;
    if (y === null) return [];
    const words = quantity === "rate" ? `${formatNumber(y)} ${workload.unit}` : formatMs(y);
    return [{ x: row.size, y, label: `${SIDE_NAMES[side]}, n = ${row.size}: ${words}` }];
  });
  const software = side === "gpu" && rows.some((row) => row.software) ? " (software adapter)" : "";
  return { id: side, name: SIDE_NAMES[side] + software, color: COLORS[side], points };
}
