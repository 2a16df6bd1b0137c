import { useCallback, useId, useMemo, useRef, useState } from "react";
import type { Precision } from "tilework/solve";
import { formatCount, formatNumber, sentence } from "../../../lib/format";
import { Button } from "../../../ui/Button";
import { LineChart } from "../../../ui/chart/LineChart";
import { Choice, Field } from "../../../ui/Choice";
import { Badge, Callout, Card, Empty, Fact, Facts } from "../../../ui/layout";
import { ENERGIES, type EnergyId, pinnedOf } from "./energies";
import { MeshView, type MeshViewHandle } from "./MeshView";
import { parseObj } from "./parseObj";
import { centered, icosphere, type Mesh } from "./topology";
import { type CostPoint, type Method, type Settings, type Status, useMesh } from "./useMesh";
import { useFrameRate } from "./useFrameRate";

const METHODS = [{ value: "lbfgs", label: "L-BFGS" }, { value: "lm", label: "Levenberg–Marquardt" }] as const;
const LEVELS = [2, 3, 4, 5];
const SHAKE = 0.15;
const DEVICES = [{ value: "cpu", label: "CPU" }, { value: "gpu", label: "GPU" }] as const;
const PRECISIONS: readonly { readonly value: Precision; readonly label: string }[] = [{ value: "f32", label: "Single" }, { value: "df64", label: "Double-float" }];

/** A mesh, its energies, and the way to their minimum. */
export function MeshTab() {
  const [level, setLevel] = useState(3);
  const [file, setFile] = useState<Mesh | null>(null);
  const [fileProblem, setFileProblem] = useState("");
  const [settings, setSettings] = useState<Settings>({ energies: ["developability"], pins: false, method: "lbfgs", backend: "cpu", precision: "f32" });
  const sphere = useMemo(() => icosphere(level), [level]);
  const mesh = file ?? sphere;
  const view = useRef<MeshViewHandle>(null);
  const onPositions = useCallback((positions: Float64Array) => view.current?.setPositions(positions), []);
  const { topology, status, figures, costs, start, step, pause, pull, shake, reset } = useMesh(mesh, settings, onPositions);
  const { frameRate, onFrame } = useFrameRate();
  const pinned = useMemo(() => (settings.pins ? pinnedOf(mesh) : []), [mesh, settings.pins]);
  const isRunning = status.name === "running";
  const isOpen = status.name !== "opening" && status.name !== "failed";

  const read = async (files: FileList | null) => {
    const [given] = files ?? [];
    if (given === undefined) return;
    try {
      setFile(centered(parseObj(given.name, await given.text())));
      setFileProblem("");
    } catch (thrown) {
      setFileProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };

  return (
    <div className="optimize">
      <div className="optimize-main">
        <Card
          className="mesh-card"
          title={mesh.name}
          note={`${formatCount(mesh.positions.length / 3)} vertices, ${formatCount(mesh.faces.length / 3)} faces; drag a vertex to pull it, or the background to turn`}
          actions={<StatusBadge status={status} />}
        >
          <div onDragOver={(event) => event.preventDefault()} onDrop={(event) => { event.preventDefault(); void read(event.dataTransfer.files); }}>
            <MeshView ref={view} mesh={mesh} edges={topology.edges} pinned={pinned} onPull={pull} onFrame={onFrame} />
          </div>
          <div className="mesh-actions">
            <Button id="mesh-run" look="primary" icon={isRunning ? "pause" : "play"} busy={!isOpen} onClick={isRunning ? pause : start}>{isRunning ? "Pause" : "Run"}</Button>
            <Button icon="arrow" busy={!isOpen || isRunning} onClick={step}>Step</Button>
            <Button icon="bolt" busy={!isOpen} onClick={() => shake(SHAKE)}>Shake</Button>
            <Button icon="refresh" onClick={reset}>Reset</Button>
          </div>
          <Failure status={status} onCpu={() => setSettings({ ...settings, backend: "cpu" })} />
        </Card>
        <Card title="Progress">
          <div className="mesh-progress">
            <Facts>
              <Fact name="Cost"><span data-testid="cost">{formatNumber(figures.cost)}</span></Fact>
              <Fact name="Iterations"><span data-testid="iterations">{formatCount(figures.iterations)}</span></Fact>
              <Fact name="Iterations per second">{formatNumber(figures.perSecond)}</Fact>
              <Fact name="Pictures per second">{formatNumber(frameRate)}</Fact>
              <Fact name="Kernels">{`${formatCount(figures.groups)} for ${formatCount(figures.instances)} instances`}</Fact>
              <Fact name="Precision">{figures.precision || "–"}</Fact>
              <Fact name="Computed by">{figures.device || "–"}</Fact>
            </Facts>
            <CostChart costs={costs} />
          </div>
        </Card>
      </div>
      <div className="optimize-side">
        <Controls settings={settings} onSettings={setSettings} level={level} isFile={file !== null} onLevel={(next) => { setFile(null); setLevel(next); }} onFiles={(files) => void read(files)} onPull={(amount) => pullTop(mesh, amount, pull, view.current)} />
        {fileProblem !== "" && <Callout tone="bad" title="That file could not be read"><p>{sentence(fileProblem)}</p></Callout>}
      </div>
    </div>
  );
}

/** The keyboard's way to pull: the highest vertex goes up or down. */
function pullTop({ positions }: Mesh, amount: number, pull: (vertex: number, place: [number, number, number] | null) => void, view: MeshViewHandle | null): void {
  let top = 0;
  for (let v = 1; v < positions.length / 3; v++) if (positions[3 * v + 1]! > positions[3 * top + 1]!) top = v;
  const place: [number, number, number] | null = amount === 0 ? null : [positions[3 * top]!, positions[3 * top + 1]! + amount, positions[3 * top + 2]!];
  view?.setHandle(place);
  pull(top, place);
}

/** Settings that go together: developability is no sum of squares, which Levenberg and Marquardt's method needs; and something has to be minimized. */
function possible(settings: Settings): Settings {
  const method = settings.energies.includes("developability") ? "lbfgs" : settings.method;
  return { ...settings, method, energies: settings.energies.length > 0 ? settings.energies : ["springs"] };
}

interface ControlsProps {
  settings: Settings;
  onSettings: (settings: Settings) => void;
  level: number;
  isFile: boolean;
  onLevel: (level: number) => void;
  onFiles: (files: FileList | null) => void;
  onPull: (amount: number) => void;
}

function Controls({ settings, onSettings, level, isFile, onLevel, onFiles, onPull }: ControlsProps) {
  const ids = { level: useId(), file: useId(), pull: useId() };
  const [amount, setAmount] = useState(0);
  const { energies, method } = settings;
  const change = (part: Partial<Settings>) => onSettings(possible({ ...settings, ...part }));
  const toggle = (id: EnergyId) => change({ energies: energies.includes(id) ? energies.filter((known) => known !== id) : [...energies, id] });
  const isOnGpu = settings.backend === "gpu";
  return (
    <Card title="What to minimize">
      <ul className="energies">
        {ENERGIES.map(({ id, label, words }) => (
          <li key={id}>
            <label><input type="checkbox" checked={energies.includes(id)} onChange={() => toggle(id)} /> <span>{label}</span></label>
            <span className="small">{words}</span>
          </li>
        ))}
        <li>
          <label><input type="checkbox" checked={settings.pins} onChange={(event) => change({ pins: event.target.checked })} /> <span>Pin the bottom</span></label>
          <span className="small">the lowest vertices stay</span>
        </li>
      </ul>
      <div className="optimize-controls">
        <Field label="Method"><div><Choice<Method> label="Method" options={METHODS.map((option) => ({ ...option, disabled: option.value === "lm" && energies.includes("developability") }))} value={method} onChange={(next) => change({ method: next })} /></div></Field>
        <Field label="Device"><div><Choice label="Device" options={DEVICES} value={settings.backend} onChange={(backend) => change({ backend })} /></div></Field>
        {isOnGpu && <Field label="Precision"><div><Choice<Precision> label="Precision" options={PRECISIONS} value={settings.precision} onChange={(precision) => change({ precision })} /></div></Field>}
        <Field label={isFile ? "Sphere" : `Sphere: ${formatCount(10 * 4 ** level + 2)} vertices`} htmlFor={ids.level}>
          <input id={ids.level} type="range" min={LEVELS[0]} max={LEVELS.at(-1)} value={level} onChange={(event) => onLevel(Number(event.target.value))} />
        </Field>
        <Field label={`Pull the top: ${amount}`} htmlFor={ids.pull}>
          <input id={ids.pull} type="range" min={-1} max={1} step={0.1} value={amount} onChange={(event) => { setAmount(Number(event.target.value)); onPull(Number(event.target.value)); }} />
        </Field>
        <Field label="Or an OBJ file, dropped or chosen" htmlFor={ids.file}>
          <input id={ids.file} className="input" type="file" accept=".obj" onChange={(event) => onFiles(event.target.files)} />
        </Field>
      </div>
    </Card>
  );
}

function CostChart({ costs }: { costs: readonly CostPoint[] }) {
  const drawn = costs.filter(({ y }) => y > 0 && Number.isFinite(y));
  if (drawn.length < 2) return <Empty icon="gauge" title="No steps yet"><p>Run it, or drag a vertex.</p></Empty>;
  return (
    <LineChart
      label={`Cost over ${costs.at(-1)?.x ?? 0} iterations, now ${formatNumber(costs.at(-1)?.y ?? 0)}`}
      series={[{ id: "cost", name: "Cost", color: "var(--series-gpu)", points: drawn }]}
      x={{ label: "iteration", kind: "linear", format: formatNumber }}
      y={{ label: "cost", kind: "log", format: formatNumber }}
      height={200}
      marks={false}
    />
  );
}

function StatusBadge({ status }: { status: Status }) {
  if (status.name === "opening") return <Badge>compiling…</Badge>;
  if (status.name === "failed") return <Badge tone="bad" icon="warning">not running</Badge>;
  if (status.name === "running") return <Badge tone="accent">running</Badge>;
  return status.name === "rest" ? <Badge tone="good" icon="check">{`at rest: ${status.why}`}</Badge> : <Badge>ready</Badge>;
}

function Failure({ status, onCpu }: { status: Status; onCpu: () => void }) {
  if (status.name !== "failed") return null;
  const isMissing = status.code === "no_device";
  return (
    <Callout tone={isMissing ? "warn" : "bad"} title={isMissing ? "No GPU in this browser" : "The solver stopped"} actions={<Button onClick={onCpu}>Use the CPU</Button>}>
      <p>{sentence(status.message)}</p>
    </Callout>
  );
}
