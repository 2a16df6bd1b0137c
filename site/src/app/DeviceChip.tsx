import { useEngine } from "../engine/useEngine";
import type { EngineState } from "../engine/store";
import { deviceName } from "../engine/names";
import { Icon } from "../ui/Icon";

/** Always in sight: what computes, and whether it is well. Opens the device panel. */
export function DeviceChip({ onClick }: { onClick: () => void }) {
  const engine = useEngine();
  const { tone, text, detail } = describe(engine);
  return (
    <button type="button" className="device-chip" aria-haspopup="dialog" onClick={onClick} title="Open the device panel (d)">
      <span className={`dot dot-${tone}`} />
      <Icon name="chip" size={16} />
      <span className="device-chip-text"><b>{text}</b><span className="device-chip-detail">{detail}</span></span>
    </button>
  );
}

function describe(engine: EngineState): { tone: string; text: string; detail: string } {
  switch (engine.status) {
    case "loading":
      return { tone: "busy", text: "Starting", detail: "" };
    case "failed":
      return { tone: "bad", text: "Stopped", detail: "no engine" };
    case "lost":
      return { tone: "bad", text: "Lost", detail: "device is gone" };
    case "ready": {
      const { info } = engine.tw;
      const failed = engine.check.status === "failed" || (engine.check.status === "done" && !engine.check.result.passed);
      const tone = failed ? "bad" : engine.check.status === "done" ? "good" : "busy";
      return { tone, text: info.runsOn === "cpu" ? "CPU" : info.software ? "Software GPU" : "GPU", detail: deviceName(info) };
    }
  }
}
