import { useCallback, useState } from "react";
import { formatCount, formatMs, sentence } from "../../../lib/format";
import { Button, IconButton } from "../../../ui/Button";
import { Choice } from "../../../ui/Choice";
import { Badge, Callout, Card, Empty } from "../../../ui/layout";
import { applicable, type Constraint, constrained, EXAMPLE, isSame, kindOf, nameOf, partsOf, type Place, type Ref, type Sketch, without } from "./model";
import { Paper, type Tool } from "./Paper";
import { type SolverState, useSketch } from "./useSketch";

const TOOLS = [{ value: "move", label: "Move" }, { value: "point", label: "Point" }, { value: "line", label: "Line" }, { value: "circle", label: "Circle" }] as const;
const HINTS: Readonly<Record<Tool, string>> = {
  move: "Drag a point or the rim of a circle; click parts to select them",
  point: "Click where the point should be",
  line: "Click both ends; a click near a point uses it",
  circle: "Click the center, then the rim",
};
/** The cost that is left where all constraints hold, but for rounding. */
const HOLDS = 1e-7;

/** Points, lines and circles that obey constraints, whatever is dragged. */
export function SketchTab() {
  const [sketch, setSketch] = useState<Sketch>(EXAMPLE);
  const [selected, setSelected] = useState<readonly Ref[]>([]);
  const [tool, setTool] = useState<Tool>("move");
  const [begun, setBegun] = useState<{ place: Place; point: number | null } | null>(null);
  const { state, drag } = useSketch(sketch, setSketch);

  const toggle = useCallback((ref: Ref | null) => {
    setSelected((known) => (ref === null ? [] : known.some((one) => isSame(one, ref)) ? known.filter((one) => !isSame(one, ref)) : [...known, ref]));
  }, []);
  const change = (next: Sketch) => {
    setSketch(next);
    setSelected([]);
  };
  const choose = (next: Tool) => {
    setTool(next);
    setBegun(null);
  };
  const place = (at: Place, near: Ref | null) => {
    const point = near?.part === "point" ? near.index : null;
    if (tool === "point") setSketch({ ...sketch, points: [...sketch.points, at] });
    else if (begun === null) setBegun({ place: point === null ? at : sketch.points[point]!, point });
    else {
      setSketch(tool === "line" ? withLine(sketch, begun, { place: at, point }) : withCircle(sketch, begun, at));
      setBegun(null);
    }
  };

  return (
    <div className="optimize">
      <Card title="Sketch" note={HINTS[tool]} actions={<SolverBadge state={state} nConstraints={sketch.constraints.length} />}>
        <div className="sketch-tools">
          <Choice<Tool> label="Tool" options={TOOLS} value={tool} onChange={choose} />
          <div className="row">
            <Button icon="trash" busy={selected.length === 0} onClick={() => change(without(sketch, selected))}>Delete</Button>
            <Button icon="refresh" onClick={() => change(EXAMPLE)}>Example</Button>
            <Button onClick={() => change({ points: [], lines: [], circles: [], constraints: [] })}>Empty</Button>
          </div>
        </div>
        <Paper sketch={sketch} selected={selected} tool={tool} begun={begun?.place ?? null} onPlace={place} onSelect={toggle} onDrag={(ref, at) => drag(at === null ? null : { ref, place: at })} />
        <p className="small numeric sketch-figures">{figures(state)}</p>
        {state.problem !== null && <Callout tone="bad" title="The solver stopped"><p>{sentence(state.problem.message)}</p></Callout>}
      </Card>
      <div className="optimize-side">
        <Card title="Selection" note="Choose parts here or in the sketch">
          <Chips sketch={sketch} selected={selected} onToggle={toggle} />
          <Applicable selected={selected} onAdd={(kind) => change(constrained(sketch, kind, selected))} />
        </Card>
        <Card title={`${formatCount(sketch.constraints.length)} constraints`}>
          {sketch.constraints.length === 0 ? (
            <Empty icon="lock" title="Nothing is constrained"><p>Select parts to see what they can obey.</p></Empty>
          ) : (
            <ul className="constraints">
              {sketch.constraints.map((constraint) => (
                <ConstraintRow
                  key={constraint.id}
                  constraint={constraint}
                  onValues={(values) => setSketch({ ...sketch, constraints: sketch.constraints.map((known) => (known.id === constraint.id ? { ...known, values } : known)) })}
                  onRemove={() => setSketch({ ...sketch, constraints: sketch.constraints.filter(({ id }) => id !== constraint.id) })}
                />
              ))}
            </ul>
          )}
        </Card>
      </div>
    </div>
  );
}

function figures({ isOpen, groups, instances, elapsedMs }: SolverState): string {
  if (!isOpen) return "Loading the solver…";
  return `${groups} kernels for ${instances} instances; solved in ${formatMs(elapsedMs)}`;
}

function SolverBadge({ state, nConstraints }: { state: SolverState; nConstraints: number }) {
  if (state.problem !== null) return <Badge tone="bad" icon="warning">not running</Badge>;
  if (!state.isOpen || Number.isNaN(state.cost)) return <Badge>opening…</Badge>;
  if (nConstraints === 0) return <Badge>free</Badge>;
  return state.cost < HOLDS ? <Badge tone="good" icon="check">all hold</Badge> : <Badge tone="warn" icon="warning">not all can hold</Badge>;
}

function Chips({ sketch, selected, onToggle }: { sketch: Sketch; selected: readonly Ref[]; onToggle: (ref: Ref) => void }) {
  const parts = partsOf(sketch);
  if (parts.length === 0) return <p className="small">There is nothing yet: choose a tool and click.</p>;
  return (
    <div className="sketch-chips" role="group" aria-label="Parts">
      {parts.map((ref) => (
        <label key={nameOf(ref)} className="toggle-chip">
          <input type="checkbox" checked={selected.some((one) => isSame(one, ref))} onChange={() => onToggle(ref)} />
          <span>{nameOf(ref)}</span>
        </label>
      ))}
    </div>
  );
}

function Applicable({ selected, onAdd }: { selected: readonly Ref[]; onAdd: (kind: ReturnType<typeof kindOf>) => void }) {
  const kinds = applicable(selected);
  if (selected.length === 0) return <p className="small sketch-hint">One point or line, or two parts, can be constrained.</p>;
  if (kinds.length === 0) return <p className="small sketch-hint">No constraint is about {selected.map(nameOf).join(", ")} together.</p>;
  return <div className="row sketch-hint">{kinds.map((kind) => <Button key={kind.id} icon="plus" onClick={() => onAdd(kind)}>{kind.label}</Button>)}</div>;
}

function ConstraintRow({ constraint, onValues, onRemove }: { constraint: Constraint; onValues: (values: number[]) => void; onRemove: () => void }) {
  const { label, unit } = kindOf(constraint.kind);
  const name = `${label} ${constraint.refs.map(nameOf).join(", ")}`;
  return (
    <li>
      <span>{label} <span className="small">{constraint.refs.map(nameOf).join(", ")}</span></span>
      <span className="constraint-values">
        {constraint.values.map((value, k) => (
          <input key={k} className="input" type="number" step={unit === "°" ? 5 : 0.1} value={value} aria-label={`${name}${constraint.values.length > 1 ? ` ${"xy"[k]}` : ""}`} onChange={(event) => {
            const next = event.target.valueAsNumber;
            if (Number.isFinite(next)) onValues(constraint.values.map((known, i) => (i === k ? next : known)));
          }} />
        ))}
        {unit}
      </span>
      <IconButton icon="close" label={`Remove ${name}`} onClick={onRemove} />
    </li>
  );
}

interface End {
  readonly place: Place;
  readonly point: number | null;
}

function withLine(sketch: Sketch, from: End, to: End): Sketch {
  const points = [...sketch.points];
  const indexOf = ({ place, point }: End): number => point ?? points.push(place) - 1;
  const ends = [indexOf(from), indexOf(to)] as const;
  return ends[0] === ends[1] ? sketch : { ...sketch, points, lines: [...sketch.lines, ends] };
}

function withCircle(sketch: Sketch, { place, point }: End, rim: Place): Sketch {
  const radius = Math.max(Math.hypot(rim.x - place.x, rim.y - place.y), 0.05);
  const points = point === null ? [...sketch.points, place] : sketch.points;
  return { ...sketch, points, circles: [...sketch.circles, { center: point ?? points.length - 1, radius }] };
}
