import { useRef, useState } from "react";
import { download } from "../../../lib/files";
import { formatWhen } from "../../../lib/format";
import { useStorePart } from "../../../lib/store";
import { Button, IconButton } from "../../../ui/Button";
import { fileNameOf, toJson, toMarkdown, type Conversation } from "./conversation";
import type { Saved } from "./saved";
import { talk } from "./talk";

/** What was said before, in this browser only. */
export function ConversationList({ onPick = () => {} }: { onPick?: () => void }) {
  const saved = useStorePart(talk(), (state) => state.saved);
  const currentId = useStorePart(talk(), ({ conversation }) => conversation.id);
  const isEmpty = useStorePart(talk(), ({ conversation }) => conversation.messages.length === 0);
  const [leaving, setLeaving] = useState<string | null>(null);
  const list = useRef<HTMLElement>(null);
  const decided = () => {
    setLeaving(null);
    list.current?.focus({ preventScroll: true });
  };
  const picked = (act: () => void) => () => {
    act();
    onPick();
  };
  return (
    <nav ref={list} className="conversations" aria-label="Conversations" tabIndex={-1}>
      <Button icon="plus" busy={isEmpty} onClick={picked(() => talk().startNew())}>New conversation</Button>
      <ul>
        {saved.map((one) => (
          <li key={one.id}>
            {leaving === one.id ? (
              <Leaving one={one} onEnd={decided} />
            ) : (
              <>
                <button type="button" className="conversation" aria-current={one.id === currentId || undefined} onClick={picked(() => talk().open(one.id))}>
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
          <Button look="quiet" icon="download" title="Save this conversation as Markdown" onClick={() => save("md", "text/markdown", toMarkdown)}>Markdown</Button>
          <Button look="quiet" icon="download" title="Save this conversation as JSON" onClick={() => save("json", "application/json", toJson)}>JSON</Button>
        </div>
      )}
      <p className="small">Kept in this browser only.</p>
    </nav>
  );
}

/** Saves the conversation in sight as a file. */
function save(ending: string, type: string, write: (conversation: Conversation) => string): void {
  const { conversation } = talk().state;
  download(fileNameOf(conversation, ending), type, write(conversation));
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
