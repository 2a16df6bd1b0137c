import { useState } from "react";
import { diagnosticReport } from "../engine/diagnostics";
import type { Choice as DeviceChoice } from "../engine/choice";
import { deviceName } from "../engine/names";
import { problemOf, type Problem } from "../engine/problem";
import { choose, runSelfCheck, simulateLoss, type CheckState, type ReadyState } from "../engine/store";
import { useEngine } from "../engine/useEngine";
import { formatBytes, formatCount, formatError, formatKey, formatMs, sentence } from "../lib/format";
import { Button, CopyButton } from "../ui/Button";
import { Choice } from "../ui/Choice";
import { Dialog } from "../ui/Dialog";
import { Badge, Callout, Fact, Facts, PanelSection } from "../ui/layout";
import { EngineLoading } from "./EngineLoading";
import { TuneSection } from "./TuneSection";

export function DevicePanel({ open, onClose }: { open: boolean; onClose: () => void }) {
  const engine = useEngine();
  return (
    <Dialog title="Device" place="side" open={open} onClose={onClose}>
      <Switch choice={engine.choice} />
      {engine.status === "loading" && <EngineLoading />}
      {engine.status === "ready" && <Ready engine={engine} close={onClose} />}
      {(engine.status === "failed" || engine.status === "lost") && <Callout tone="bad" title="No device">{engine.problem.message}</Callout>}
      <PanelSection title="Diagnostics">
        <p className="small">The report holds device, self-check, browser and page errors. It stays on this device unless you paste it somewhere; nothing is sent anywhere.</p>
        <CopyButton label="Copy report" text={diagnosticReport} />
      </PanelSection>
    </Dialog>
  );
}

const CHOICES: readonly { value: DeviceChoice; label: string }[] = [
  { value: "auto", label: "Auto" },
  { value: "gpu", label: "GPU" },
  { value: "cpu", label: "CPU" },
];

const CHOICE_NOTES: Record<DeviceChoice, string> = {
  auto: "Auto measures, and uses the GPU where it is faster; it ignores software adapters.",
  gpu: "Everything runs on the GPU, even on a software adapter.",
  cpu: "Everything runs on the CPU, by WebAssembly SIMD.",
};

function Switch({ choice }: { choice: DeviceChoice }) {
  return (
    <div className="device-switch">
      <Choice label="Device" options={CHOICES} value={choice} onChange={choose} />
      <p className="small">{CHOICE_NOTES[choice]} Remembered in this browser.</p>
    </div>
  );
}

function Ready({ engine, close }: { engine: ReadyState; close: () => void }) {
  const { info } = engine.tw;
  const reason = engine.refusal?.message ?? info.note;
  return (
    <>
      <div className="device-name">
        <p>{deviceName(info)}</p>
        <div>
          <Badge tone={info.runsOn === "cpu" ? "neutral" : "accent"}>{{ gpu: "runs on the GPU", cpu: "runs on the CPU", auto: "GPU or CPU, by size" }[info.runsOn]}</Badge>
          {info.software && <Badge tone="warn" icon="warning">software adapter</Badge>}
        </div>
      </div>
      {reason !== "" && <p className="reason">{sentence(reason)}</p>}
      {info.software && <p className="small">A software adapter computes WebGPU on the CPU. Its results are real, its speed says nothing about a GPU.</p>}
      <Facts>
        <Fact name="Backend">{info.backend || "–"}</Fact>
        {info.backend !== "cpu" && (
          <>
            <Fact name="Vendor">{info.vendor || "not disclosed"}</Fact>
            <Fact name="Driver">{info.driver || "not disclosed"}</Fact>
            <Fact name="Kind">{info.kind}</Fact>
          </>
        )}
        <Fact name="Thread">{info.worker ? "worker" : "page"}</Fact>
        <Fact name="Opened in">{formatMs(engine.openMs)}</Fact>
      </Facts>
      <SelfCheckSection check={engine.check} isCpu={info.runsOn === "cpu"} />
      {info.runsOn !== "cpu" && <TuneSection tw={engine.tw} />}
      <Limits limits={info.limits} features={info.features} />
      {info.runsOn !== "cpu" && <TryIt close={close} />}
    </>
  );
}

function SelfCheckSection({ check, isCpu }: { check: CheckState; isCpu: boolean }) {
  const isBusy = check.status === "waiting" || check.status === "running";
  return (
    <PanelSection title={isCpu ? "Self-check" : "Self-check, GPU against CPU"}>
      {isCpu && <p className="small">Everything runs on the CPU, so there is no GPU to compare with; the same checks ran on the CPU.</p>}
      <p className="check-line">
        {isBusy && <Badge>{check.status === "waiting" ? "waiting" : "running…"}</Badge>}
        {check.status === "done" && <CheckBadge passed={check.result.passed} />}
        {check.status === "failed" && <Badge tone="bad" icon="warning">did not run</Badge>}
        {check.status === "done" && <span className="small">worst error {formatError(check.result.worst)} in {check.result.checks.length} checks, {formatMs(check.result.elapsedMs)}</span>}
        {check.status === "failed" && <span className="small">{check.problem.message}</span>}
      </p>
      {check.status === "done" && (
        <details>
          <summary>All checks</summary>
          <Facts>{check.result.checks.map(({ name, error }) => <Fact key={name} name={name}>{formatError(error)}</Fact>)}</Facts>
        </details>
      )}
      <Button look="quiet" icon="refresh" busy={isBusy} onClick={() => void runSelfCheck()}>Check again</Button>
    </PanelSection>
  );
}

function CheckBadge({ passed }: { passed: boolean }) {
  return passed ? <Badge tone="good" icon="check">passed</Badge> : <Badge tone="bad" icon="warning">failed</Badge>;
}

function Limits({ limits, features }: { limits: Record<string, number>; features: readonly string[] }) {
  const entries = Object.entries(limits);
  if (entries.length === 0 && features.length === 0) return null;
  return (
    <PanelSection title="Limits and features">
      <details>
        <summary>{entries.length} limits</summary>
        <Facts>{entries.map(([name, value]) => <Fact key={name} name={formatKey(name)}>{formatLimit(name, value)}</Fact>)}</Facts>
      </details>
      <p className="features">{features.length === 0 ? "No optional features." : features.map((feature) => <Badge key={feature}>{feature}</Badge>)}</p>
    </PanelSection>
  );
}

function formatLimit(name: string, value: number): string {
  return /size|bytes|storage$/i.test(name) && value >= 4096 && !/workgroup_?size_?[xyz]/i.test(name) ? formatBytes(value) : formatCount(value);
}

function TryIt({ close }: { close: () => void }) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const lose = async () => {
    try {
      await simulateLoss();
      close();
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <PanelSection title="Try it">
      <p className="small">Destroys the GPU device as a driver crash would. One click brings it back.</p>
      <Button look="danger" icon="bolt" onClick={() => void lose()}>Simulate a lost device</Button>
      {problem !== null && <Callout tone="warn" title="That did not work">{problem.message}</Callout>}
    </PanelSection>
  );
}
