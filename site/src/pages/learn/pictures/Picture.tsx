// Building blocks of the lessons' drawings: shapes whose colors come from the theme by class.
import { useId, type ReactNode } from "react";

interface PictureProps {
  /** What the drawing shows, for those who do not see it. */
  label: string;
  width: number;
  height: number;
  caption?: ReactNode;
  /** Below the drawing: buttons of an animation. */
  controls?: ReactNode;
  children: ReactNode;
}

export function Picture({ label, width, height, caption, controls, children }: PictureProps) {
  return (
    <figure className="picture">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>{children}</svg>
      {controls}
      {caption !== undefined && <figcaption>{caption}</figcaption>}
    </figure>
  );
}

export type Tone = "plain" | "accent" | "soft" | "good" | "warn";

interface BoxProps {
  x: number;
  y: number;
  width: number;
  height: number;
  tone?: Tone;
  label?: ReactNode;
  /** A second, smaller line. */
  note?: ReactNode;
  mono?: boolean;
}

export function Box({ x, y, width, height, tone = "plain", label, note, mono = false }: BoxProps) {
  const middle = y + height / 2;
  return (
    <g className={`pic-box pic-${tone}`}>
      <rect x={x} y={y} width={width} height={height} rx="5" />
      {label !== undefined && <text className={mono ? "pic-mono" : undefined} x={x + width / 2} y={note === undefined ? middle : middle - 8}>{label}</text>}
      {note !== undefined && <text className="pic-note" x={x + width / 2} y={middle + 9}>{note}</text>}
    </g>
  );
}

/** From one point to another; `label` stands above its middle. */
export function Arrow({ from, to, label }: { from: readonly [number, number]; to: readonly [number, number]; label?: string }) {
  const id = useId();
  return (
    <g className="pic-arrow">
      <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" /></marker>
      <line x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} markerEnd={`url(#${id})`} />
      {label !== undefined && <text className="pic-note" x={(from[0] + to[0]) / 2} y={(from[1] + to[1]) / 2 - 9}>{label}</text>}
    </g>
  );
}

/** A row of cells with a value each. */
export function Cells({ x, y, values, size, tones = [] }: { x: number; y: number; values: readonly ReactNode[]; size: number; tones?: readonly (Tone | undefined)[] }) {
  return <>{values.map((value, i) => <Box key={i} x={x + i * size} y={y} width={size - 3} height={size - 3} tone={tones[i] ?? "plain"} label={value} mono />)}</>;
}
