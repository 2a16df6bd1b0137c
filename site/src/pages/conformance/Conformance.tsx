import { useState } from "react";
import { setQuery, useRoute } from "../../app/router";
import type { Adapter } from "../../engine/adapter";
import { useAdapter } from "../../engine/useAdapter";
import { formatClock, formatCount, formatMs, sentence } from "../../lib/format";
import { Button, CopyButton } from "../../ui/Button";
import { Choice, Field } from "../../ui/Choice";
import { Badge, Callout, Card, Empty, PageHead, Progress } from "../../ui/layout";
import { ErrorTable } from "./ErrorTable";
import { reportText } from "./reportText";
import { useConformance, type Device, type DeviceRun } from "./useConformance";
import "./conformance.css";

type Scope = "both" | Device;

const SCOPES = [
  { value: "both", label: "GPU and CPU" },
  { value: "gpu", label: "GPU" },
  { value: "cpu", label: "CPU" },
] as const;

const NAMES: Record<Device, string> = { gpu: "GPU", cpu: "CPU" };

// Longer than nearly every case takes anywhere: from here on a case needs a word of explanation.
const LONG_CASE_MS = 4000;

export default function Conformance() {
  const { query } = useRoute();
  const [filter, setFilter] = useState(query.get("filter") ?? "");
  const [scope, setScope] = useState<Scope>("both");
  const adapter = useAdapter();
  const { runs, start, cancel } = useConformance();
  const running = runs.some((run) => run.status === "waiting" || run.status === "running");
  const begin = () => {
    setQuery({ filter });
    void start(scope === "both" ? ["gpu", "cpu"] : [scope], filter);
  };
  const reports = runs.flatMap((run) => (run.report === null ? [] : [{ device: run.device, report: run.report }]));
  return (
    <div className="page">
      <PageHead title="Conformance" lead="Every operation’s cases, run in this browser and compared with the operation’s own reference in double precision." />
      <Card>
        <form className="conformance-controls" onSubmit={(event) => { event.preventDefault(); if (!running) begin(); }}>
          <Field label="Device"><div><Choice label="Device" options={SCOPES} value={scope} onChange={setScope} disabled={running} /></div></Field>
          <Field label="Only cases that contain" htmlFor="case-filter">
            <input id="case-filter" className="input" type="search" placeholder="all, or e.g. softmax" data-shortcut="/" value={filter} readOnly={running} onChange={(event) => setFilter(event.target.value)} />
          </Field>
          {/* One button, so that the focus stays; not of type submit, or Cancel would run again. Enter in the field submits without. */}
          <Button look={running ? "plain" : "primary"} className="button-large" icon={running ? "stop" : "play"} onClick={running ? cancel : begin}>{running ? "Cancel" : "Run"}</Button>
        </form>
        {scope !== "cpu" && adapter?.software === true && <SoftwareNote adapter={adapter} />}
      </Card>
      {runs.length === 0 ? (
        <Card><Empty icon="shield" title="Not run yet"><p>Scalar functions, reductions, products, softmax, indexing and gradients, each against its reference.</p></Empty></Card>
      ) : (
        <div className="device-runs">{runs.map((run) => <RunCard key={run.device} run={run} adapter={adapter ?? null} />)}</div>
      )}
      {runs.map((run) => <Failures key={run.device} run={run} />)}
      {reports.length > 0 && <ErrorTable reports={reports} action={<CopyButton label="Copy report" text={() => reportText(reports)} />} />}
    </div>
  );
}

function SoftwareNote({ adapter }: { adapter: Adapter }) {
  return (
    <p className="software-note">
      <Badge tone="warn" icon="warning">software adapter</Badge>
      <span>
        WebGPU is computed by the CPU here ({adapter.name}): results count, times do not. All cases take a minute or more,
        most of it in two cases with many rows.
      </span>
    </p>
  );
}

function RunCard({ run, adapter }: { run: DeviceRun; adapter: Adapter | null }) {
  const device = run.device === "cpu" ? "WebAssembly SIMD, one thread" : (adapter?.name ?? run.report?.device ?? "no adapter");
  return (
    <Card title={NAMES[run.device]} note={device} actions={<span role="status"><StatusBadge run={run} /></span>}>
      {run.status === "waiting" && <p className="small">Starts when the {NAMES.gpu} is done.</p>}
      {run.status === "running" && <Running run={run} software={run.device === "gpu" && adapter?.software === true} />}
      {run.status === "cancelled" && (
        <p className="small">{run.total === 0 ? "Cancelled before the first case." : `Cancelled after ${run.done} of ${run.total} cases and ${formatMs(run.elapsedMs)}, in “${run.name}”.`}</p>
      )}
      {run.problem !== null && <ProblemNote run={run} code={run.problem.code} message={run.problem.message} />}
      {run.report !== null && (
        <dl className="totals">
          <div><dt>Passed</dt><dd className="good">{formatCount(run.report.passed)}</dd></div>
          <div><dt>Failed</dt><dd className={run.report.failed > 0 ? "bad" : ""}>{formatCount(run.report.failed)}</dd></div>
          <div><dt>Not for this device</dt><dd>{formatCount(run.report.skipped)}</dd></div>
          <div><dt>Time</dt><dd>{formatMs(run.elapsedMs)}</dd></div>
        </dl>
      )}
    </Card>
  );
}

/** Not a live region: what changes several times a second would be read aloud without end. */
function Running({ run, software }: { run: DeviceRun; software: boolean }) {
  if (run.total === 0) {
    return (
      <div className="run-progress">
        <Progress value={null} label={`Cases on the ${NAMES[run.device]}`} />
        <p className="small">Loading the cases and opening the device…{run.device === "gpu" && run.elapsedMs >= LONG_CASE_MS && " The GPU may still be busy with what was cancelled before."}</p>
      </div>
    );
  }
  return (
    <div className="run-progress">
      <Progress value={run.done / run.total} label={`Cases on the ${NAMES[run.device]}`} />
      <p className="small run-line"><span>{run.done} / {run.total} cases</span><span>{formatClock(run.elapsedMs)}</span></p>
      <p className="run-name"><code>{run.name}</code>{run.caseMs >= 1000 && <span className="small numeric">for {formatClock(run.caseMs)}</span>}</p>
      {run.caseMs >= LONG_CASE_MS && (
        <p className="small">{software ? "Still computing: the software adapter needs long for this one. Cancel works at any time." : "Still computing. Cancel works at any time."}</p>
      )}
    </div>
  );
}

function StatusBadge({ run }: { run: DeviceRun }) {
  if (run.report === null) return run.status === "failed" ? <Badge tone="bad" icon="warning">did not run</Badge> : <Badge>{run.status}</Badge>;
  if (run.report.passed + run.report.failed + run.report.skipped === 0) return <Badge tone="warn">no such case</Badge>;
  return run.report.failed === 0 ? <Badge tone="good" icon="check">all passed</Badge> : <Badge tone="bad" icon="warning">{run.report.failed} failed</Badge>;
}

function ProblemNote({ run, code, message }: { run: DeviceRun; code: string; message: string }) {
  return (
    <Callout tone={code === "no_device" ? "warn" : "bad"} title={code === "no_device" ? "No GPU in this browser" : `The ${NAMES[run.device]} run stopped`}>
      <p>{sentence(message)}</p>
      {code === "device_lost" && <p>Press Run: the device is opened anew.</p>}
    </Callout>
  );
}

function Failures({ run }: { run: DeviceRun }) {
  const failures = run.report?.failures ?? [];
  if (failures.length === 0) return null;
  return (
    <Card title={`Failures on the ${NAMES[run.device]}`} note="Shapes and values as the case saw them">
      <ul className="failures">
        {failures.map((failure) => (
          <li key={failure.case}>
            <details open={failures.length <= 5}>
              <summary><code>{failure.case}</code></summary>
              <pre>{failure.message}</pre>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  );
}
