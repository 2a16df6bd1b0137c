import { useId, useState } from "react";
import { memoryBytes, type ModelSummary } from "tilework/llm";
import { currentChoice, type Choice as Device } from "../../../engine/choice";
import { focusMain } from "../../../lib/focus";
import { formatBytes, formatCount, sentence } from "../../../lib/format";
import { Button } from "../../../ui/Button";
import { Choice, Field } from "../../../ui/Choice";
import { Callout, Card, Fact, Facts } from "../../../ui/layout";
import { contextChoices, fitOf, formatParameters, usualContext } from "./fit";
import { modelStore } from "./open";
import type { Source } from "./source";

const DEVICES = [{ value: "auto", label: "Automatic" }, { value: "gpu", label: "GPU" }, { value: "cpu", label: "CPU" }] as const;

/** What a file says about itself, and how to open it. */
export function SummaryCard({ source, summary }: { source: Source; summary: ModelSummary }) {
  const [device, setDevice] = useState<Device>(currentChoice);
  const [contextLength, setContextLength] = useState(usualContext(summary.contextLength));
  const [keep, setKeep] = useState(true);
  const contextId = useId();
  const bytes = memoryBytes(summary, contextLength);
  const fit = fitOf(bytes, device, (navigator as { deviceMemory?: number }).deviceMemory);
  const isKnown = summary.problem === undefined;
  return (
    <Card title={summary.name || source.name} note={source.address?.host ?? "From this device"}>
      <div className="summary">
        <Facts>
          <Fact name="Architecture">{summary.architecture}</Fact>
          <Fact name="Weights">{formatParameters(summary.parameters)}, {summary.format}</Fact>
          <Fact name="File">{formatBytes(summary.fileBytes)}</Fact>
          <Fact name="Trained context">{formatCount(summary.contextLength)} tokens</Fact>
          <Fact name="Chat template">{summary.hasChatTemplate ? "yes" : "none"}</Fact>
        </Facts>
        <div className="summary-controls">
          <Field label="Device"><div><Choice label="Device" options={DEVICES} value={device} onChange={setDevice} /></div></Field>
          <Field label="Context" htmlFor={contextId} hint={<>Memory: about <b className="numeric">{formatBytes(bytes)}</b></>}>
            <select id={contextId} value={contextLength} onChange={(event) => setContextLength(Number(event.target.value))}>
              {contextChoices(summary.contextLength).map((n) => <option key={n} value={n}>{formatCount(n)} tokens</option>)}
            </select>
          </Field>
          {source.address !== null && <label className="keep"><input type="checkbox" checked={keep} onChange={(event) => setKeep(event.target.checked)} /> Keep it in this browser, to load faster next time</label>}
        </div>
      </div>
      {!isKnown && <Callout tone="bad" title="This model is not supported"><p>{sentence(summary.problem ?? "")}</p></Callout>}
      {isKnown && !summary.hasChatTemplate && <p className="small">It has no chat template: it was made to go on with a text, and may not answer like a chat model.</p>}
      {isKnown && fit !== null && <Callout tone={fit.tone} title={fit.tone === "bad" ? "It does not fit" : "It may not fit"}><p>{fit.text}</p></Callout>}
      <div className="row summary-actions">
        {isKnown && <Button look="primary" icon="play" autoFocus onClick={() => void modelStore().open({ device, contextLength, keep })}>Load</Button>}
        <Button autoFocus={!isKnown} onClick={() => { focusMain(); modelStore().cancel(); }}>Choose another</Button>
      </div>
    </Card>
  );
}
