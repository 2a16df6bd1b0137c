import { useId, useState } from "react";
import type { PixelModel, PixelTensor } from "tilework/models";
import { formatCount, sentence } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Choice, Field } from "../../ui/Choice";
import { Callout, Card } from "../../ui/layout";
import { DigitCard } from "./DigitCard";
import type { Brush } from "./useBrush";

const TOOLS = [{ value: "brush", label: "Brush" }, { value: "box", label: "Box" }, { value: "move", label: "Move" }] as const;
const MAX_RADIUS = 40;

interface PaintProps {
  model: PixelModel;
  tensor: PixelTensor | null;
  brush: Brush;
  revision: number;
  onChoose: (tensor: PixelTensor) => void;
}

/** Weights under a brush, and what becomes of the network. */
export function Paint({ model, tensor, brush, revision, onChoose }: PaintProps) {
  const ids = { radius: useId(), value: useId(), tensor: useId() };
  const [text, setText] = useState(String(brush.value));
  const isNumber = text.trim() !== "" && Number.isFinite(Number(text));
  const setValue = (next: string) => {
    setText(next);
    if (next.trim() !== "" && Number.isFinite(Number(next))) brush.setValue(Number(next));
  };
  const matrices = model.info.tensors.filter(({ editable }) => editable);
  return (
    <>
      <Card title="Brush" note="Two fingers, a wheel or the keys move and zoom while a brush is in hand">
        <div className="brush-controls">
          <Field label="Tool"><div><Choice label="Tool" options={TOOLS} value={brush.tool} onChange={brush.setTool} /></div></Field>
          <Field label="Set weights to" htmlFor={ids.value}>
            <input id={ids.value} className="input" inputMode="decimal" value={text} aria-invalid={!isNumber} onChange={(event) => setValue(event.target.value)} />
          </Field>
          <Field label={`Size: ${2 * brush.radius - 1} pixels`} htmlFor={ids.radius}>
            <input id={ids.radius} type="range" min={1} max={MAX_RADIUS} value={brush.radius} disabled={brush.tool !== "brush"} onChange={(event) => brush.setRadius(Number(event.target.value))} />
          </Field>
          <Field label="Or a whole tensor" htmlFor={ids.tensor}>
            <div className="brush-whole">
              <select id={ids.tensor} className="input" value={tensor?.editable ? tensor.name : ""} onChange={(event) => { const next = matrices.find((one) => one.name === event.target.value); if (next !== undefined) onChoose(next); }}>
                <option value="">Choose one…</option>
                {matrices.map((one) => <option key={one.name} value={one.name}>{one.name}</option>)}
              </select>
              <Button busy={!tensor?.editable || !isNumber} onClick={() => tensor !== null && brush.fill(tensor)}>Fill</Button>
            </div>
          </Field>
        </div>
        {brush.problem !== "" && <Callout tone="warn" title="Not painted"><p>{sentence(brush.problem)}</p></Callout>}
        <div className="brush-actions">
          <Button icon="refresh" busy={brush.nPainted === 0} onClick={() => void brush.restore()}>Restore all</Button>
          <p className="small numeric" role="status">{brush.nPainted === 0 ? "Nothing painted yet" : `${formatCount(brush.nPainted)} weights painted`}</p>
        </div>
      </Card>
      {model.info.digits !== null && <DigitCard model={model} revision={revision} />}
    </>
  );
}
