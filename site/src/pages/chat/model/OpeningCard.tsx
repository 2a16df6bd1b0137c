import type { OpenProgress } from "tilework/llm";
import { formatBytes } from "../../../lib/format";
import { Button } from "../../../ui/Button";
import { Card, Progress } from "../../../ui/layout";
import { modelStore, type ModelState } from "./open";

const STAGES: Record<OpenProgress["stage"], string> = {
  head: "Reading its head",
  download: "Fetching it",
  engine: "Starting the engine",
  weights: "Preparing its weights",
  ready: "Ready",
};

/** A model on its way, in bytes that really arrived. */
export function OpeningCard({ state }: { state: Extract<ModelState, { status: "opening" }> }) {
  const { progress, summary, source } = state;
  const isCounted = progress !== null && progress.totalBytes > 0 && (progress.stage === "download" || progress.stage === "weights");
  const share = isCounted ? progress.loadedBytes / progress.totalBytes : null;
  return (
    <Card title={summary.name || source.name} actions={<Button autoFocus onClick={() => modelStore().cancel()}>Cancel</Button>}>
      <div className="opening">
        <Progress value={share} label="Loading the model" />
        <p className="small">
          <span role="status">{STAGES[progress?.stage ?? "head"]}…</span>
          {share !== null && progress !== null && <span className="numeric">{formatBytes(progress.loadedBytes)} of {formatBytes(progress.totalBytes)}, {Math.floor(share * 100)} %</span>}
        </p>
      </div>
    </Card>
  );
}
