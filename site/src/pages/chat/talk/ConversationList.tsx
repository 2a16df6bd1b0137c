import { useState } from "react";
import { download } from "../../../lib/files";
import { formatWhen } from "../../../lib/format";
import { useStore } from "../../../lib/store";
import { Button, IconButton } from "../../../ui/Button";
import { fileNameOf, toJson, toMarkdown } from "./conversation";
import type { Saved } from "./saved";
import { talk } from "./talk";

/** What was said before, in this browser only. */
export function ConversationList({ onPick = () => {} }: { onPick?: () => void }) {
  const { conversation, saved } = useStore(talk());
  const [leaving, setLeaving] = useState<string | null>(null);
  const isEmpty = conversation.messages.length === 0;
  const picked = (act: () => void) => () => {
    act();
    onPick();
  };
  return (
    <nav className="conversations" aria-label="Conversations">
      <Button icon="plus" busy={isEmpty} onClick={picked(() => talk().startNew())}>New conversation</Button>
      <ul>
        {saved.map((one) => (
          <li key={one.id}>
            {leaving === one.id ? (
              <Leaving one={one} onEnd={() => setLeaving(null)} />
            ) : (
              <>
                <button type="button" className="conversation" aria-current={one.id === conversation.id || undefined} onClick={picked(() => talk().open(one.id))}>
                  <span>{one.title}</span>
                  <small>{formatWhen(one.changedMs)}</small>
                </button>
                <IconButton icon="trash" label={`Delete “${one.title}”`} onClick={() => setLeaving(one.id)} />
              </>
            )}
          </li>
        ))}
      </ul>
      {!isEmpty && (
        <div className="row export">
          <Button look="quiet" icon="download" title="Save this conversation as Markdown" onClick={() => download(fileNameOf(conversation, "md"), "text/markdown", toMarkdown(conversation))}>Markdown</Button>
          <Button look="quiet" icon="download" title="Save this conversation as JSON" onClick={() => download(fileNameOf(conversation, "json"), "application/json", toJson(conversation))}>JSON</Button>
        </div>
      )}
      <p className="small">Kept in this browser only.</p>
    </nav>
  );
}

/** Asked once more, since nothing brings it back. */
function Leaving({ one, onEnd }: { one: Saved; onEnd: () => void }) {
  const remove = () => {
    onEnd();
    talk().delete(one.id);
  };
  return (
    <div className="leaving" role="group" aria-label={`Delete “${one.title}”?`}>
      <span className="small">Delete it?</span>
      <Button look="danger" onClick={remove}>Delete</Button>
      <Button autoFocus onClick={onEnd}>Keep</Button>
    </div>
  );
}
