import { useEngine } from "../engine/useEngine";
import { formatBytes } from "../lib/format";
import { Progress } from "../ui/layout";
import type { LoadProgress } from "tilework";

const STAGES: Record<LoadProgress["stage"], string> = {
  download: "Downloading the engine",
  compile: "Compiling",
  device: "Opening the device",
  ready: "Ready",
};

/** How far the engine is, in bytes that really arrived; nothing once it runs. */
export function EngineLoading() {
  const engine = useEngine();
  if (engine.status !== "loading") return null;
  const { progress } = engine;
  const stage = progress?.stage ?? "download";
  const known = progress !== null && progress.totalBytes > 0;
  return (
    <div className="engine-loading" role="status">
      <Progress value={known ? progress.loadedBytes / progress.totalBytes : null} label="Loading the engine" />
      <p>
        <span>{STAGES[stage]}…</span>
        {progress !== null && progress.loadedBytes > 0 && (
          <span className="numeric">{formatBytes(progress.loadedBytes)}{known && ` of ${formatBytes(progress.totalBytes)}`}</span>
        )}
      </p>
    </div>
  );
}
