import { useState } from "react";
import { open, type Tilework, type Tuned } from "tilework";
import { problemOf } from "../engine/problem";
import { formatMs } from "../lib/format";
import { Button } from "../ui/Button";
import { Badge, Callout, PanelSection, TableFrame } from "../ui/layout";

const TUNE_S = 10;

type TuneState =
  | { readonly status: "idle" }
  | { readonly status: "running"; readonly next: string }
  | { readonly status: "done"; readonly tuned: readonly Tuned[] }
  | { readonly status: "failed"; readonly message: string };

/** Measures which kernels are fastest here, and keeps the answer for the next visit. */
export function TuneSection({ tw }: { tw: Tilework }) {
  const [state, setState] = useState<TuneState>({ status: "idle" });
  const tune = async () => {
    setState({ status: "running", next: "starting" });
    try {
      // The engine of the pages has the core operations alone, and goes on meanwhile.
      const tuner = await open({ device: "gpu", ops: "all", worker: true });
      try {
        const tuned = await tuner.tune({ seconds: TUNE_S, onProgress: (next) => setState({ status: "running", next }) });
        await tw.useTuned(tuned);
        setState({ status: "done", tuned });
      } finally {
        tuner.dispose();
      }
    } catch (error) {
      setState({ status: "failed", message: problemOf(error).message });
    }
  };
  return (
    <PanelSection title="Kernels">
      <p className="small">Some operations have several kernels, and which is fastest depends on the GPU. Measuring takes about {TUNE_S} seconds; the choice is remembered in this browser.</p>
      {state.status === "running" && <p className="small" role="status">Measuring {state.next} …</p>}
      {state.status === "failed" && <Callout tone="bad" title="Not measured">{state.message}</Callout>}
      {state.status === "done" && <Choices tuned={state.tuned} />}
      <Button look="quiet" icon="refresh" busy={state.status === "running"} onClick={() => void tune()}>Find the fastest kernels</Button>
    </PanelSection>
  );
}

function Choices({ tuned }: { tuned: readonly Tuned[] }) {
  if (tuned.length === 0) return <p className="small">Nothing could be measured in this time.</p>;
  return (
    <TableFrame label="Kernels measured">
      <thead>
        <tr><th>Work</th><th>Fastest</th><th>Others</th></tr>
      </thead>
      <tbody>
        {tuned.map(({ op, sizes, chosen, ms }) => (
            <tr key={`${op} ${sizes.join(" ")}`} data-chosen={chosen}>
              <td>{op} {sizes.join(" · ")}</td>
              <td><Badge tone="good">{chosen}</Badge> {formatMs(ms[chosen] ?? Number.NaN)}</td>
              <td>{Object.entries(ms).filter(([name]) => name !== chosen).map(([name, time]) => `${name} ${formatMs(time)}`).join(", ")}</td>
            </tr>
          ))}
      </tbody>
    </TableFrame>
  );
}
