import { useId, type ReactNode } from "react";
import { formatNumber } from "../../../lib/format";
import { useStorePart } from "../../../lib/store";
import { Button } from "../../../ui/Button";
import { Field } from "../../../ui/Choice";
import { PanelSection } from "../../../ui/layout";
import { DEFAULTS, RANGES, within, type Settings } from "./settings";
import { talk } from "./talk";

interface SettingsProps {
  settings: Settings;
  onChange: (settings: Settings) => void;
}

export function SettingsPanel({ settings, onChange }: SettingsProps) {
  const system = useStorePart(talk(), ({ conversation }) => conversation.system);
  const systemId = useId();
  const seedId = useId();
  const set = (parts: Partial<Settings>) => onChange({ ...settings, ...parts });
  return (
    <>
      <Field label="Instructions" htmlFor={systemId} hint="The system prompt of this conversation, and of new ones. Models differ in how much they heed it.">
        <textarea id={systemId} className="input" rows={4} placeholder="You are a helpful assistant." value={system} onChange={(event) => talk().instruct(event.target.value)} />
      </Field>
      <Slider name="temperature" label="Temperature" hint="0 always takes the likeliest word; higher is more varied." settings={settings} set={set} />
      <Slider name="top_p" label="Top p" hint="Only the likeliest words that add up to this much." settings={settings} set={set} />
      <Count name="top_k" label="Top k" hint="Only so many of the likeliest words; 0 for all." settings={settings} set={set} />
      <Count name="max_tokens" label="Longest answer, in tokens" hint="A word is one or two." settings={settings} set={set} />
      <Field label="Seed" htmlFor={seedId} hint="The same seed and words give the same answer. Empty: another one each time.">
        <input
          id={seedId}
          className="input"
          type="number"
          inputMode="numeric"
          {...RANGES.seed}
          placeholder="random"
          value={settings.seed ?? ""}
          onChange={(event) => set({ seed: event.target.value === "" ? null : within("seed", event.target.valueAsNumber, 0) })}
        />
      </Field>
      <PanelSection title="Defaults"><Button icon="refresh" onClick={() => onChange(DEFAULTS)}>Back to the defaults</Button></PanelSection>
    </>
  );
}

interface NumberProps {
  name: Exclude<keyof Settings, "seed">;
  label: string;
  hint: ReactNode;
  settings: Settings;
  set: (parts: Partial<Settings>) => void;
}

function Slider({ name, label, hint, settings, set }: NumberProps) {
  const id = useId();
  return (
    <Field label={`${label}: ${formatNumber(settings[name])}`} htmlFor={id} hint={hint}>
      <input id={id} type="range" {...RANGES[name]} value={settings[name]} onChange={(event) => set({ [name]: within(name, event.target.valueAsNumber, DEFAULTS[name]) })} />
    </Field>
  );
}

function Count({ name, label, hint, settings, set }: NumberProps) {
  const id = useId();
  return (
    <Field label={label} htmlFor={id} hint={hint}>
      <input id={id} className="input" type="number" inputMode="numeric" {...RANGES[name]} value={settings[name]} onChange={(event) => set({ [name]: within(name, event.target.valueAsNumber, DEFAULTS[name]) })} />
    </Field>
  );
}
