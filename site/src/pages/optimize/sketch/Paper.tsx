import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import { isSame, nameOf, type Place, type Ref, type Sketch } from "./model";

export const [WIDTH, HEIGHT] = [12, 8];
/** A pointer this near to a part means it, in units of the sketch for a view of full width. */
const REACH = 0.28;
const KEY_STEP = 0.2;

export type Tool = "move" | "point" | "line" | "circle";

interface PaperProps {
  sketch: Sketch;
  selected: readonly Ref[];
  tool: Tool;
  /** The first place of a line or circle that is being drawn. */
  begun: Place | null;
  onPlace: (place: Place, near: Ref | null) => void;
  onSelect: (ref: Ref | null) => void;
  onDrag: (ref: Ref, place: Place | null) => void;
}

/** The sketch: parts are selected by a click, dragged, and moved by arrow keys. */
export function Paper({ sketch, selected, tool, begun, onPlace, onSelect, onDrag }: PaperProps) {
  const svg = useRef<SVGSVGElement>(null);
  const held = useRef<{ ref: Ref | null; hasMoved: boolean } | null>(null);
  const pointAt = (index: number): Place => sketch.points[index] ?? { x: 0, y: 0 };
  const isSelected = (ref: Ref) => selected.some((one) => isSame(one, ref));

  const placeOf = (event: PointerEvent): Place => {
    const box = svg.current!.getBoundingClientRect();
    return { x: ((event.clientX - box.left) / box.width) * WIDTH, y: ((event.clientY - box.top) / box.height) * HEIGHT };
  };
  /** Fingers are thick, and small views make everything small. */
  const reachOf = (event: PointerEvent): number => REACH * Math.max(1, 600 / svg.current!.getBoundingClientRect().width) * (event.pointerType === "touch" ? 1.4 : 1);

  const down = (event: PointerEvent<SVGSVGElement>) => {
    if (event.button !== 0) return;
    const place = placeOf(event);
    const near = nearest(sketch, place, reachOf(event));
    if (tool !== "move") return onPlace(place, near);
    event.currentTarget.setPointerCapture?.(event.pointerId);
    held.current = { ref: near, hasMoved: false };
  };
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const hold = held.current;
    if (hold?.ref == null || hold.ref.part === "line") return;
    hold.hasMoved = true;
    onDrag(hold.ref, placeOf(event));
  };
  const up = () => {
    const hold = held.current;
    held.current = null;
    if (hold === null) return;
    if (hold.ref !== null && hold.hasMoved) onDrag(hold.ref, null);
    else onSelect(hold.ref);
  };
  const key = (event: KeyboardEvent) => {
    const steps: Record<string, Place> = { ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 } };
    const step = steps[event.key];
    const ref = selected.find(({ part }) => part === "point");
    if (step === undefined || ref === undefined) return;
    event.preventDefault();
    const { x, y } = pointAt(ref.index);
    onDrag(ref, { x: x + KEY_STEP * step.x, y: y + KEY_STEP * step.y });
    onDrag(ref, null);
  };

  const words = `${sketch.points.length} points, ${sketch.lines.length} lines, ${sketch.circles.length} circles`;
  return (
    <svg ref={svg} className={`paper paper-${tool}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Sketch of ${words}. Arrow keys move the selected point.`} tabIndex={0} onPointerDown={down} onPointerMove={move} onPointerUp={up} onPointerCancel={up} onKeyDown={key}>
      <Grid />
      {sketch.circles.map(({ center, radius }, index) => (
        <circle key={index} data-part={`C${index + 1}`} className={isSelected({ part: "circle", index }) ? "part selected" : "part"} cx={pointAt(center).x} cy={pointAt(center).y} r={Math.max(radius, 0)} />
      ))}
      {sketch.lines.map(([a, b], index) => (
        <line key={index} data-part={`L${index + 1}`} className={isSelected({ part: "line", index }) ? "part selected" : "part"} x1={pointAt(a).x} y1={pointAt(a).y} x2={pointAt(b).x} y2={pointAt(b).y} />
      ))}
      {sketch.points.map(({ x, y }, index) => {
        const ref: Ref = { part: "point", index };
        const isFixed = sketch.constraints.some(({ kind, refs }) => kind === "fixed" && isSame(refs[0]!, ref));
        return (
          <g key={index} className={isSelected(ref) ? "dot selected" : "dot"}>
            {isFixed ? <rect x={x - 0.11} y={y - 0.11} width={0.22} height={0.22} data-part={nameOf(ref)} /> : <circle cx={x} cy={y} r={0.1} data-part={nameOf(ref)} />}
            <text x={x + 0.16} y={y - 0.14}>{nameOf(ref)}</text>
          </g>
        );
      })}
      {begun !== null && <circle className="begun" cx={begun.x} cy={begun.y} r={0.16} />}
    </svg>
  );
}

function Grid() {
  const lines = [];
  for (let x = 1; x < WIDTH; x++) lines.push(<line key={`x${x}`} x1={x} y1={0} x2={x} y2={HEIGHT} />);
  for (let y = 1; y < HEIGHT; y++) lines.push(<line key={`y${y}`} x1={0} y1={y} x2={WIDTH} y2={y} />);
  return <g className="grid">{lines}</g>;
}

/** The part within reach: points before lines before circles. */
export function nearest(sketch: Sketch, place: Place, reach: number): Ref | null {
  const distance = (p: Place) => Math.hypot(p.x - place.x, p.y - place.y);
  const best = (distances: readonly number[], part: Ref["part"]): Ref | null => {
    const index = distances.indexOf(Math.min(...distances));
    return index >= 0 && distances[index]! <= reach ? { part, index } : null;
  };
  const at = (index: number): Place => sketch.points[index] ?? { x: 0, y: 0 };
  const toLine = ([a, b]: readonly [number, number]): number => {
    const [p, q] = [at(a), at(b)];
    const length2 = (q.x - p.x) ** 2 + (q.y - p.y) ** 2 || 1;
    const t = Math.min(Math.max(((place.x - p.x) * (q.x - p.x) + (place.y - p.y) * (q.y - p.y)) / length2, 0), 1);
    return distance({ x: p.x + t * (q.x - p.x), y: p.y + t * (q.y - p.y) });
  };
  return (
    best(sketch.points.map(distance), "point") ??
    best(sketch.lines.map((line) => toLine(line) * 1.4), "line") ??
    best(sketch.circles.map(({ center, radius }) => Math.abs(distance(at(center)) - radius) * 1.4), "circle")
  );
}
