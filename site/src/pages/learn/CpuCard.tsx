import { useState } from "react";
import { problemOf } from "../../engine/problem";
import { sentence } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Callout, Card } from "../../ui/layout";
import { ShowView } from "./output/ShowView";
import type { ShowItem } from "./sandbox/messages";

type State =
  | { readonly status: "idle" | "running" }
  | { readonly status: "done"; readonly items: readonly ShowItem[] }
  | { readonly status: "failed"; readonly message: string };

interface CpuCardProps {
  compute: (input: unknown) => Promise<readonly ShowItem[]>;
  input: unknown;
  /** There is no GPU to run the lesson's own code. */
  isOnlyWay: boolean;
}

/** The same network by the engine's arrays in WebAssembly: the way out without a GPU, and a second opinion with one. */
export function CpuCard({ compute, input, isOnlyWay }: CpuCardProps) {
  const [state, setState] = useState<State>({ status: "idle" });
  const run = async () => {
    setState({ status: "running" });
    try {
      setState({ status: "done", items: await compute(input) });
    } catch (error) {
      setState({ status: "failed", message: problemOf(error).message });
    }
  };
  return (
    <Card title={isOnlyWay ? "Without a GPU" : "A second opinion"} note="The same network by Tilework’s arrays in WebAssembly, not by the code above." className="cpu-card">
      <Button look={isOnlyWay ? "primary" : "plain"} icon="chip" busy={state.status === "running"} onClick={() => void run()}>{isOnlyWay ? "Compute it with WebAssembly on the CPU instead" : "Compute it on the CPU too"}</Button>
      <div role="status" aria-live="polite">{state.status === "running" && <p className="small output-running"><span className="spinner" /> Computing…</p>}</div>
      {state.status === "failed" && <Callout tone="bad" title="Not computed">{sentence(state.message)}</Callout>}
      {state.status === "done" && state.items.map((item, i) => <ShowView key={i} item={item} />)}
    </Card>
  );
}
