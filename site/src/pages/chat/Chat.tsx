import { useState } from "react";
import { useFileDrop } from "../../lib/drop";
import { useStore, useStorePart } from "../../lib/store";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { PageHead } from "../../ui/layout";
import { ModelBar } from "./model/ModelBar";
import { modelStore } from "./model/open";
import { fromFiles } from "./model/source";
import { StartCard } from "./model/StartCard";
import { ConversationList } from "./talk/ConversationList";
import { SettingsPanel } from "./talk/SettingsPanel";
import { loadSettings, saveSettings, type Settings } from "./talk/settings";
import { talk } from "./talk/talk";
import { TalkView } from "./talk/TalkView";
import "./chat.css";
import "./talk/talk.css";

const LEAD = "A language model in this tab: its file is read here, it answers here, and what you write stays here.";

export default function Chat() {
  const model = useStore(modelStore());
  const isKept = useStorePart(talk(), ({ conversation, saved }) => conversation.messages.length > 0 || saved.length > 0);
  const [overlay, setOverlay] = useState<"settings" | "conversations" | null>(null);
  const [settings, setSettings] = useState(loadSettings);
  const { isOver, ...drop } = useDrop(model.status !== "ready" && model.status !== "opening");
  const change = (next: Settings) => {
    saveSettings(next);
    setSettings(next);
  };
  const isReady = model.status === "ready";
  const hasTalk = isReady || isKept;
  return (
    <div className={isOver ? "page chat-page drop-over" : "page chat-page"} {...drop}>
      <PageHead title="Chat" lead={isReady ? undefined : LEAD}>
        {hasTalk && <Button className="narrow-only" icon="list" onClick={() => setOverlay("conversations")}>Conversations</Button>}
        <Button icon="sliders" onClick={() => setOverlay("settings")}>Settings</Button>
      </PageHead>
      {isReady ? <ModelBar model={model.model} openMs={model.openMs} /> : <StartCard state={model} />}
      {hasTalk && (
        <div className="chat">
          <div className="chat-side"><ConversationList /></div>
          <TalkView model={isReady ? model.model : null} settings={settings} />
        </div>
      )}
      <Dialog title="Settings" place="side" open={overlay === "settings"} onClose={() => setOverlay(null)}>
        <SettingsPanel settings={settings} onChange={change} />
      </Dialog>
      <Dialog title="Conversations" place="side" open={overlay === "conversations"} onClose={() => setOverlay(null)}>
        <ConversationList onPick={() => setOverlay(null)} />
      </Dialog>
    </div>
  );
}

/** Files may be dropped anywhere on the page while no model is open. */
function useDrop(isOpen: boolean) {
  const { isOver, handlers } = useFileDrop((files) => {
    if (isOpen) void modelStore().choose(() => fromFiles(files));
  });
  return { isOver: isOver && isOpen, ...handlers };
}
