import { LineChart } from "../../../ui/chart/LineChart";
import { domainOf, makeScale } from "../../../ui/chart/scale";
import "../../../ui/chart/chart.css";
import type { Item, PlotSeries } from "../sandbox/messages";

const COLORS = ["var(--series-gpu)", "var(--series-cpu)", "var(--good)", "var(--above)", "var(--series-js)", "var(--below)"];
const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 300, 56, 32];

type PlotItem = Extract<Item, { kind: "plot" }>;

const format = (value: number) => String(Number(value.toPrecision(4)));

export function Plot({ item }: { item: PlotItem }) {
  const { title, series } = item;
  return (
    <div className="shown nb-plot">
      {title !== "" && <p className="shown-title">{title}</p>}
      {item.look === "line" ? <Lines item={item} /> : <Marks item={item} />}
      {series.some(({ name }) => name !== "") && (
        <ul className="nb-legend">{series.map(({ name }, k) => <li key={k}><svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" rx="3" fill={COLORS[k % COLORS.length]} /></svg>{name}</li>)}</ul>
      )}
    </div>
  );
}

function Lines({ item: { title, series } }: { item: PlotItem }) {
  const lines = series.map(({ name, x, y }, k) => ({
    id: String(k),
    name,
    color: COLORS[k % COLORS.length] ?? "currentColor",
    points: x.map((at, i) => ({ x: at, y: y[i] ?? NaN })),
  }));
  const axis = { label: "", kind: "linear", format } as const;
  return <LineChart label={title === "" ? `A plot of ${series.length} lines` : title} series={lines} x={axis} y={axis} marks={false} height={HEIGHT} />;
}

/** Points, or bars from zero. */
function Marks({ item: { look, title, series } }: { item: PlotItem }) {
  const [xs, ys] = [series.flatMap(({ x }) => x), series.flatMap(({ y }) => y)];
  const x = makeScale("linear", domainOf("linear", xs), [LEFT, WIDTH - 12], 6);
  const y = makeScale("linear", domainOf("linear", look === "bars" ? [0, ...ys] : ys), [HEIGHT - BOTTOM, 10], 5);
  return (
    <svg className="chart nb-marks" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title === "" ? `A plot of ${xs.length} ${look === "bars" ? "bars" : "points"}` : title}>
      {y.ticks.map((tick) => <g key={tick}><line x1={LEFT} x2={WIDTH - 12} y1={y.at(tick)} y2={y.at(tick)} /><text x={LEFT - 8} y={y.at(tick) + 4} textAnchor="end">{format(tick)}</text></g>)}
      {x.ticks.map((tick) => <text key={tick} x={x.at(tick)} y={HEIGHT - 10} textAnchor="middle">{format(tick)}</text>)}
      {series.map((one, k) => <g key={k} fill={COLORS[k % COLORS.length]}>{look === "bars" ? bars(one, x.at, y.at) : dots(one, x.at, y.at)}</g>)}
    </svg>
  );
}

type At = (value: number) => number;

function dots({ x, y }: PlotSeries, atX: At, atY: At) {
  return x.map((value, i) => (Number.isFinite(value) && Number.isFinite(y[i]) ? <circle key={i} cx={atX(value)} cy={atY(y[i] ?? 0)} r={3} /> : null));
}

function bars({ x, y }: PlotSeries, atX: At, atY: At) {
  const width = x.length > 1 ? Math.max(Math.abs(atX(x[1] ?? 0) - atX(x[0] ?? 0)) - 1, 1) : 40;
  return x.map((value, i) => <rect key={i} x={atX(value) - width / 2} width={width} y={atY(y[i] ?? 0)} height={Math.max(atY(0) - atY(y[i] ?? 0), 0)} />);
}
