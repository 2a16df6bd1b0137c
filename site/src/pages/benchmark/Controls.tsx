import { Button } from "../../ui/Button";
import { Choice, Field } from "../../ui/Choice";
import { Card } from "../../ui/layout";
import { WORKLOADS, type Workload } from "./workloads";

export interface Settings {
  readonly sizes: readonly number[];
  /** Where the slider stands, whether it is among the sizes or not. */
  readonly custom: number;
  readonly nRuns: number;
  readonly limitMs: number;
}

const PRESETS = [128, 256, 512, 1024, 2048, 4096];

interface ControlsProps {
  workload: Workload;
  settings: Settings;
  running: boolean;
  onWorkload: (id: string) => void;
  onSettings: (settings: Settings) => void;
  onStart: () => void;
  onCancel: () => void;
}

export function Controls({ workload, settings, running, onWorkload, onSettings, onStart, onCancel }: ControlsProps) {
  return (
    <Card>
      <div className="bench-controls">
        <Field label="Workload" hint={<span className="mono">{workload.formula}</span>}>
          <div>
            <Choice label="Workload" disabled={running} value={workload.id} onChange={onWorkload} options={WORKLOADS.map(({ id, name }) => ({ value: id, label: name }))} />
          </div>
        </Field>
        <Sizes settings={settings} running={running} onSettings={onSettings} />
        <div className="bench-options">
          <Field label="Runs" htmlFor="runs">
            <select id="runs" value={settings.nRuns} disabled={running} onChange={(event) => onSettings({ ...settings, nRuns: Number(event.target.value) })}>
              {[3, 5, 9, 15].map((n) => <option key={n} value={n}>median of {n}</option>)}
            </select>
          </Field>
          <Field label="Longest run" htmlFor="limit">
            <select id="limit" value={settings.limitMs} disabled={running} onChange={(event) => onSettings({ ...settings, limitMs: Number(event.target.value) })}>
              {[1, 5, 20, 60, 300].map((s) => <option key={s} value={s * 1000}>{s} s</option>)}
            </select>
          </Field>
          {/* One button, so that the focus stays. */}
          <Button id="run" look={running ? "plain" : "primary"} className="button-large" icon={running ? "stop" : "play"} disabled={!running && settings.sizes.length === 0} onClick={running ? onCancel : onStart}>{running ? "Cancel" : "Run"}</Button>
        </div>
      </div>
    </Card>
  );
}

function Sizes({ settings, running, onSettings }: { settings: Settings; running: boolean; onSettings: (settings: Settings) => void }) {
  const { sizes, custom } = settings;
  const toggle = (n: number) => onSettings({ ...settings, sizes: sizes.includes(n) ? sizes.filter((one) => one !== n) : [...sizes, n] });
  const slide = (n: number) => onSettings({ ...settings, custom: n, sizes: [...sizes.filter((one) => one !== custom || PRESETS.includes(one)), n] });
  const chips = [...new Set([...PRESETS, custom, ...sizes])].sort((a, b) => a - b);
  return (
    <Field label="Sizes (n × n)" hint="A size that would take longer than the limit is skipped, with the estimate; it is never assumed correct.">
      <div className="sizes">
        <div className="row" role="group" aria-label="Sizes">
          {chips.map((n) => (
            <label key={n} className="toggle-chip">
              <input type="checkbox" checked={sizes.includes(n)} disabled={running} onChange={() => toggle(n)} />
              <span>{n}</span>
            </label>
          ))}
        </div>
        <div className="another-size">
          <label htmlFor="another-size">Another size</label>
          <input id="another-size" type="range" aria-valuetext={`${custom} by ${custom}`} min={64} max={4096} step={64} value={custom} disabled={running} onChange={(event) => slide(Number(event.target.value))} />
          <output className="numeric" htmlFor="another-size">{custom}</output>
        </div>
      </div>
    </Field>
  );
}
