import type { LanguageModel } from "tilework/llm";
import { deviceName, placeName } from "../../../engine/names";
import { focusMain } from "../../../lib/focus";
import { formatBytes, formatCount, formatMs } from "../../../lib/format";
import { Button } from "../../../ui/Button";
import { Icon } from "../../../ui/Icon";
import { Badge } from "../../../ui/layout";
import { modelStore } from "./open";

/** The model that answers, and what it runs on. */
export function ModelBar({ model, openMs }: { model: LanguageModel; openMs: number }) {
  const { summary, device } = model;
  return (
    <div className="model-bar">
      <div className="model-bar-text">
        <b>{summary.name}</b>
        <span className="small">{summary.format}, {formatBytes(summary.fileBytes)}, context of {formatCount(model.contextLength)} tokens, loaded in {formatMs(openMs)}</span>
      </div>
      {!summary.hasChatTemplate && <Badge tone="warn">no chat template</Badge>}
      {model.templateProblem !== "" && <span title={model.templateProblem}><Badge tone="warn">plain chat template</Badge></span>}
      <span className="chat-device" title={deviceName(device)}><Icon name="chip" size={15} /> <b>{placeName(device)}</b> <span>{deviceName(device)}</span></span>
      <Button onClick={() => { focusMain(); modelStore().cancel(); }}>Unload</Button>
    </div>
  );
}
