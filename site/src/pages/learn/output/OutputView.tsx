import type { ReactNode } from "react";
import { formatMs } from "../../../lib/format";
import { PATIENCE_MS } from "../sandbox/frame";
import type { Run } from "../useRun";
import { ShowView } from "./ShowView";

/** What a run showed. */
export function OutputView({ run, canRun }: { run: Run | null; canRun: boolean }) {
  return (
    <section className="output" aria-label="Output">
      <h3>Output</h3>
      <div role="status" aria-live="polite" className="output-status">{statusOf(run, canRun)}</div>
      {run?.items.map((item, i) => <ShowView key={i} item={item} />)}
    </section>
  );
}

function statusOf(run: Run | null, canRun: boolean): ReactNode {
  if (run === null) return <p className="small">{canRun ? <>Nothing has run yet. <kbd>Ctrl</kbd> <kbd>Enter</kbd> in the editor runs the code.</> : "Running needs WebGPU."}</p>;
  switch (run.status) {
    case "running":
      return <p className="small output-running"><span className="spinner" /> Running…</p>;
    case "stopped":
      return <p className="small">Stopped.</p>;
    case "silent":
      return <p className="output-bad">No answer in {PATIENCE_MS / 1000} seconds, so the run was ended. Is there a loop that never stops, or a promise that never settles?</p>;
    case "absent":
      return <p className="output-bad">The frame for the code did not start. Check the connection and run it again. (For who runs this site: a content security policy sent with <code>learn/run.html</code> must be that file’s own.)</p>;
    case "done":
      return run.problems.some((problem) => problem.severity === "error") ? <p className="output-bad">It did not work: see the messages above.</p> : <p className="small">Done in {formatMs(run.ms)}.</p>;
  }
}
