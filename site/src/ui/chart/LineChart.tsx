import "./chart.css";
import { useEffect, useRef, useState } from "react";
import { domainOf, makeScale, type Scale, type ScaleKind } from "./scale";

export interface Point {
  readonly x: number;
  readonly y: number;
  /** What a pointer over the mark says. */
  readonly label?: string;
}

export interface Series {
  readonly id: string;
  readonly name: string;
  /** A color of the design system: "var(--series-gpu)". */
  readonly color: string;
  readonly points: readonly Point[];
}

interface AxisOptions {
  label: string;
  kind: ScaleKind;
  format: (value: number) => string;
  ticks?: readonly number[];
  domain?: readonly [number, number];
}

interface LineChartProps {
  /** The whole chart in a sentence, for those who cannot see it. */
  label: string;
  series: readonly Series[];
  x: AxisOptions;
  y: AxisOptions;
  height?: number;
  marks?: boolean;
}

/** Of numbers on an axis, where a hyphen is too short. */
function withMinus(text: string): string {
  return text.replace(/^-/, "−");
}

const MARGIN = { top: 14, right: 16, bottom: 40, left: 56 };

/** Lines over two axes; gaps where a value cannot be drawn. */
export function LineChart({ label, series, x, y, height = 280, marks = true }: LineChartProps) {
  const [frame, width] = useWidth();
  const all = series.flatMap((one) => one.points);
  const xDomain = x.domain ?? domainOf(x.kind, all.map((point) => point.x));
  const yDomain = y.domain ?? domainOf(y.kind, all.map((point) => point.y));
  const xScale = makeScale(x.kind, xDomain, [MARGIN.left, width - MARGIN.right], Math.max(4, width / 90));
  const yScale = makeScale(y.kind, yDomain, [height - MARGIN.bottom, MARGIN.top], 5);
  const xTicks = x.ticks?.filter((tick) => tick >= xDomain[0] && tick <= xDomain[1]) ?? xScale.ticks;
  return (
    <figure className="chart" ref={frame}>
      <ul className="legend">
        {series.map((one) => <li key={one.id}><i style={{ background: one.color }} />{one.name}</li>)}
      </ul>
      <svg role="img" aria-label={label} width={width} height={height}>
        <Axes width={width} height={height} x={{ ...x, ticks: xTicks }} y={y} xScale={xScale} yScale={yScale} />
        {series.map((one) => (
          <g key={one.id} style={{ color: one.color }}>
            <path className="chart-line" d={pathOf(one.points, xScale, yScale, yDomain)} />
            {marks && one.points.map((point) => <Dot key={point.x} point={point} xScale={xScale} yScale={yScale} />)}
          </g>
        ))}
      </svg>
    </figure>
  );
}

function Dot({ point, xScale, yScale }: { point: Point; xScale: Scale; yScale: Scale }) {
  return (
    <circle className="chart-dot" cx={xScale.at(point.x)} cy={yScale.at(point.y)} r={4}>
      {point.label !== undefined && <title>{point.label}</title>}
    </circle>
  );
}

interface AxesProps {
  width: number;
  height: number;
  x: AxisOptions & { ticks: readonly number[] };
  y: AxisOptions;
  xScale: Scale;
  yScale: Scale;
}

function Axes({ width, height, x, y, xScale, yScale }: AxesProps) {
  const bottom = height - MARGIN.bottom;
  return (
    <g className="chart-axes" aria-hidden="true">
      {yScale.ticks.map((tick) => (
        <g key={tick}>
          <line x1={MARGIN.left} x2={width - MARGIN.right} y1={yScale.at(tick)} y2={yScale.at(tick)} />
          <text x={MARGIN.left - 8} y={yScale.at(tick) + 4} textAnchor="end">{withMinus(y.format(tick))}</text>
        </g>
      ))}
      {x.ticks.map((tick) => (
        <g key={tick}>
          <line className="chart-tick" x1={xScale.at(tick)} x2={xScale.at(tick)} y1={bottom} y2={bottom + 4} />
          <text x={xScale.at(tick)} y={bottom + 17} textAnchor="middle">{withMinus(x.format(tick))}</text>
        </g>
      ))}
      <line className="chart-base" x1={MARGIN.left} x2={width - MARGIN.right} y1={bottom} y2={bottom} />
      <text className="chart-label" x={(MARGIN.left + width - MARGIN.right) / 2} y={height - 6} textAnchor="middle">{x.label}</text>
      <text className="chart-label" transform={`translate(13 ${(MARGIN.top + bottom) / 2}) rotate(-90)`} textAnchor="middle">{y.label}</text>
    </g>
  );
}

/** What lies outside of the frame is left out, so that a pole shows as a gap. */
function pathOf(points: readonly Point[], xScale: Scale, yScale: Scale, [low, high]: readonly [number, number]): string {
  let path = "";
  let isDown = false;
  for (const { x, y } of points) {
    if (!Number.isFinite(y) || y < low || y > high) {
      isDown = false;
      continue;
    }
    path += `${isDown ? "L" : "M"}${xScale.at(x).toFixed(1)} ${yScale.at(y).toFixed(1)}`;
    isDown = true;
  }
  return path;
}

/** The width of an element as it changes; text in a chart must not be scaled with it. */
function useWidth(): [React.RefObject<HTMLElement | null>, number] {
  const element = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(220, Math.floor(entry.contentRect.width)));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
