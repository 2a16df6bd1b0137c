import { useId, useState } from "react";
import type { FileSource } from "tilework/models";
import { sentence } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Choice, Field } from "../../ui/Choice";
import { Badge, Callout, Card } from "../../ui/layout";
import { DrawPad } from "./DrawPad";
import { Guess, NetworkImage } from "./Guess";
import { WEIGHTS } from "./data";
import { useDigitReader, type ReaderState } from "./useDigitReader";

type Which = "mlp" | "cnn" | "own";

const DEVICES = [{ value: "cpu", label: "CPU" }, { value: "gpu", label: "GPU" }] as const;
const THINNEST = 0.03;
const THICKEST = 0.12;

/** Draw a digit, and watch what a network makes of it. `own` are weights that were trained on this page. */
export function Draw({ own }: { own: Uint8Array | null }) {
  const [which, setWhich] = useState<Which>(own === null ? "cnn" : "own");
  const [device, setDevice] = useState<"gpu" | "cpu">("cpu");
  const [pen, setPen] = useState(0.075);
  const [cleared, setCleared] = useState(0);
  const weights: FileSource = which === "own" && own !== null ? own : WEIGHTS[which === "own" ? "mlp" : which];
  const { state, reading, read } = useDigitReader(weights, device);
  const penId = useId();
  const networks = [
    { value: "mlp", label: "Dense" },
    { value: "cnn", label: "Convolutional" },
    ...(own === null ? [] : [{ value: "own", label: "Yours" } as const]),
  ] as const;
  return (
    <div className="draw">
      <Card title="Draw a digit" note="Mouse, finger or pen" actions={<Button icon="trash" onClick={() => setCleared(cleared + 1)}>Clear</Button>}>
        <DrawPad pen={pen} cleared={cleared} onDrawing={read} />
        <Field label="Pen" htmlFor={penId}>
          <input id={penId} type="range" min={THINNEST} max={THICKEST} step={0.005} value={pen} onChange={(event) => setPen(Number(event.target.value))} />
        </Field>
      </Card>
      <Card title="What the network thinks" actions={<StateBadge state={state} />}>
        <div className="thinking">
          <NetworkImage image={reading?.image ?? null} />
          <Guess reading={reading} />
        </div>
        <div className="draw-choices">
          <Field label="Network"><div><Choice label="Network" options={networks} value={which} onChange={setWhich} /></div></Field>
          <Field label="Device"><div><Choice label="Device" options={DEVICES} value={device} onChange={setDevice} /></div></Field>
        </div>
        <Failure state={state} onCpu={() => setDevice("cpu")} />
      </Card>
    </div>
  );
}

function StateBadge({ state }: { state: ReaderState }) {
  if (state.status === "opening") return <Badge>opening…</Badge>;
  if (state.status === "failed") return <Badge tone="bad" icon="warning">not running</Badge>;
  return <Badge tone={state.software ? "warn" : "neutral"}>{state.software ? `${state.device}, software adapter` : state.device}</Badge>;
}

function Failure({ state, onCpu }: { state: ReaderState; onCpu: () => void }) {
  if (state.status !== "failed") return null;
  const isMissing = state.code === "no_device";
  return (
    <Callout tone={isMissing ? "warn" : "bad"} title={isMissing ? "No GPU in this browser" : "The network stopped"} actions={<Button onClick={onCpu}>Use the CPU</Button>}>
      <p>{sentence(state.message)}</p>
    </Callout>
  );
}
