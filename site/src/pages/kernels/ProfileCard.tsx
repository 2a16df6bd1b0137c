import { useState } from "react";
import { isLost, problemOf, type Problem } from "../../engine/problem";
import { noticeLoss } from "../../engine/store";
import { useEngine } from "../../engine/useEngine";
import { formatMs } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Card, TableFrame } from "../../ui/layout";
import { profile, type Pass, type Question } from "./evaluate";

type State = { status: "idle" | "running" } | { status: "done"; passes: Pass[] } | { status: "failed"; problem: Problem };

/** Times from the GPU's own clock, where the device has timestamp queries. */
export function ProfileCard({ question }: { question: Question }) {
  const engine = useEngine();
  const [state, setState] = useState<State>({ status: "idle" });
  if (engine.status !== "ready") return null;
  const { tw } = engine;
  const measure = async () => {
    setState({ status: "running" });
    try {
      setState({ status: "done", passes: await profile(tw, question) });
    } catch (error) {
      noticeLoss(tw, error);
      setState(isLost(error) ? { status: "idle" } : { status: "failed", problem: problemOf(error) });
    }
  };
  const button = <Button icon="gauge" busy={state.status === "running"} onClick={() => void measure()}>{state.status === "running" ? "Measuring…" : "Measure"}</Button>;
  return (
    <Card title="GPU time per pass" note="The expression over 1,048,576 points, by timestamp queries" actions={button}>
      {state.status === "idle" && <p className="small">Press Measure. Timestamps come from the GPU itself, so they hold no waiting and no transfer.</p>}
      {state.status === "failed" && (
        <p className="small" role="status">
          {state.problem.code === "unsupported" ? "Not available here: this device has no timestamp queries, or the work runs on the CPU. " : "Not measured. "}
          {state.problem.message}
        </p>
      )}
      {state.status === "done" && <Passes passes={state.passes} />}
    </Card>
  );
}

function Passes({ passes }: { passes: readonly Pass[] }) {
  return (
    <TableFrame label="Passes on the GPU">
      <thead><tr><th scope="col">Pass</th><th scope="col">Workgroups</th><th scope="col" className="right">Start</th><th scope="col" className="right">Duration</th></tr></thead>
      <tbody>
        {passes.map((pass, i) => (
          <tr key={i}>
            <th scope="row">{pass.label}</th>
            <td className="numeric">{pass.workgroups.join(" × ")}</td>
            <td className="right">{formatMs(pass.startNs / 1e6)}</td>
            <td className="right">{formatMs(pass.durationNs / 1e6)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
