import { useId, useState } from "react";
import type { Problem } from "../../../engine/problem";
import { focusMain } from "../../../lib/focus";
import { sentence } from "../../../lib/format";
import { Button } from "../../../ui/Button";
import { Field } from "../../../ui/Choice";
import { Icon } from "../../../ui/Icon";
import { Callout, Card } from "../../../ui/layout";
import { modelStore, type ModelState } from "./open";
import { OpeningCard } from "./OpeningCard";
import { fromAddress, fromFiles, hostedSource, isElsewhere, type Source } from "./source";
import { StoredList } from "./StoredList";
import { SummaryCard } from "./SummaryCard";

/** Everything before there is a model: choosing one, what it is, and its way here. */
export function StartCard({ state }: { state: Exclude<ModelState, { status: "ready" }> }) {
  switch (state.status) {
    case "none":
      return <Chooser problem={state.problem} />;
    case "looking":
      return (
        <Card title={state.source.name} actions={<Button autoFocus onClick={() => { focusMain(); modelStore().cancel(); }}>Cancel</Button>}>
          <p className="chat-looking" role="status"><span className="spinner" /> Reading what kind of model it is…</p>
        </Card>
      );
    case "chosen":
      return (
        <>
          <SummaryCard key={state.source.name} source={state.source} summary={state.summary} />
          {state.problem !== null && <ProblemView problem={state.problem} source={state.source} />}
        </>
      );
    case "opening":
      return <OpeningCard state={state} />;
  }
}

function Chooser({ problem }: { problem: Problem | null }) {
  const [hosted] = useState(hostedSource);
  const [address, setAddress] = useState("");
  const addressId = useId();
  const choose = (find: () => Source) => void modelStore().choose(find);
  const find = () => fromAddress(address, document.baseURI);
  return (
    <>
      <Card title="Choose a model" note="Any GGUF file of Llama, Qwen, Gemma or Phi; a few hundred megabytes answer well, and load fast">
        <div className="chooser">
          <DropZone onFiles={(files) => choose(() => fromFiles(files))} />
          <div className="chooser-other">
            {hosted !== null && <Button look="primary" icon="download" onClick={() => choose(() => hosted)}>Use {hosted.name}</Button>}
            <form
              onSubmit={(event) => {
                event.preventDefault();
                if (address.trim() !== "") choose(find);
              }}
            >
              <Field label="Or its address" htmlFor={addressId} hint="It is fetched from there, and from nowhere else.">
                <div className="address">
                  <input id={addressId} className="input" type="text" inputMode="url" autoComplete="off" spellCheck={false} placeholder="https://…/model.gguf" value={address} onChange={(event) => setAddress(event.target.value)} />
                  <button className="button button-plain" type="submit">Look</button>
                </div>
              </Field>
            </form>
            <StoredList onChoose={(url) => choose(() => fromAddress(url, document.baseURI))} />
          </div>
        </div>
      </Card>
      {problem !== null && <ProblemView problem={problem} source={null} address={address} />}
    </>
  );
}

function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const id = useId();
  return (
    <div className="drop-zone">
      <Icon name="chat" size={30} />
      <p className="drop-title">Drop a GGUF file here</p>
      <div className="file-choice">
        <label className="button button-primary" htmlFor={id}>Choose a file…</label>
        <input
          id={id}
          className="visually-hidden"
          type="file"
          accept=".gguf"
          multiple
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            // The same file may be chosen again.
            event.target.value = "";
            if (files.length > 0) onFiles(files);
          }}
        />
      </div>
      <p className="small">Of a split model choose all parts. <a href="https://huggingface.co/models?library=gguf&sort=trending&search=instruct" target="_blank" rel="noopener noreferrer">Where to find models</a></p>
    </div>
  );
}

function ProblemView({ problem, source, address = "" }: { problem: Problem; source: Source | null; address?: string }) {
  const isForeign = source === null ? /^https?:/i.test(address.trim()) && !address.trim().startsWith(location.origin) : isElsewhere(source, location.origin);
  const advice = adviceFor(problem.code, isForeign);
  return (
    <Callout tone="bad" title="The model could not be opened">
      <p>{sentence(problem.message)}</p>
      {advice !== "" && <p>{advice}</p>}
    </Callout>
  );
}

function adviceFor(code: string, isForeign: boolean): string {
  switch (code) {
    case "io":
      return isForeign ? "Another host may not allow this page to fetch the file, or the address may be wrong. Download the file yourself and choose it here." : "";
    case "out_of_memory":
      return "Choose a shorter context or a smaller model, and close other tabs.";
    case "too_large":
      return "Choose a shorter context, a smaller model, or the other device.";
    case "no_device":
      return "Choose Automatic or the CPU.";
    case "device_lost":
      return "The GPU was taken away, or had no room. Try again, with a smaller model or on the CPU.";
    default:
      return "";
  }
}
