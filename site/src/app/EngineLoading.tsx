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
  const totalBytes = progress?.totalBytes || __ENGINE_BYTES__;
  const known = progress !== null && totalBytes >= progress.loadedBytes && totalBytes > 0;
  return (
    <div className="engine-loading" role="status">
      <Progress value={known ? progress.loadedBytes / totalBytes : null} label="Loading the engine" />
      <p>
        <span>{STAGES[stage]}…</span>
        {progress !== null && progress.loadedBytes > 0 && (
          <span className="numeric">{formatBytes(progress.loadedBytes)}{known && ` of ${formatBytes(totalBytes)}`}</span>
        )}
      </p>
    </div>
  );
}
