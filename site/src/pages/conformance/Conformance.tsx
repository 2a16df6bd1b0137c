import { useState } from "react";
import { setQuery, useRoute } from "../../app/router";
import { formatCount, formatMs, sentence } from "../../lib/format";
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

export default function Conformance() {
  const { query } = useRoute();
  const [filter, setFilter] = useState(query.get("filter") ?? "");
  const [scope, setScope] = useState<Scope>("both");
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
            <input id="case-filter" className="input" type="search" placeholder="all, or e.g. softmax" data-shortcut="/" value={filter} disabled={running} onChange={(event) => setFilter(event.target.value)} />
          </Field>
          {/* With keys: React would otherwise turn the clicked Cancel into the Run that submits. */}
          {running
            ? <Button key="cancel" look="primary" className="button-large" icon="stop" onClick={cancel}>Cancel</Button>
            : <Button key="run" look="primary" className="button-large" icon="play" type="submit">Run</Button>}
        </form>
      </Card>
      {runs.length === 0 ? (
        <Card><Empty icon="shield" title="Not run yet"><p>Scalar functions, reductions, products, softmax, indexing, gradients: seconds on a GPU, less than a minute on a software adapter.</p></Empty></Card>
      ) : (
        <div className="device-runs">{runs.map((run) => <RunCard key={run.device} run={run} />)}</div>
      )}
      {runs.map((run) => <Failures key={run.device} run={run} />)}
      {reports.length > 0 && <ErrorTable reports={reports} action={<CopyButton label="Copy report" text={() => reportText(reports)} />} />}
    </div>
  );
}

function RunCard({ run }: { run: DeviceRun }) {
  return (
    <Card title={NAMES[run.device]} note={run.report?.device ?? "\u00a0"} actions={<StatusBadge run={run} />}>
      {(run.status === "running" || run.status === "waiting") && (
        <div className="run-progress" role="status">
          <Progress value={run.total === 0 ? null : run.done / run.total} label={`Cases on the ${NAMES[run.device]}`} />
          <p className="small run-name"><span>{run.status === "waiting" ? "Waiting" : run.name || "Starting"}</span><span className="numeric">{run.total > 0 && `${run.done} / ${run.total}`}</span></p>
        </div>
      )}
      {run.status === "cancelled" && <p className="small">Cancelled{run.total > 0 && ` after ${run.done} of ${run.total} cases`}.</p>}
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
