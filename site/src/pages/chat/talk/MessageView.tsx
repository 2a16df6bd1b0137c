import { memo, useId, useRef, useState } from "react";
import { formatCount, formatMs, formatNumber } from "../../../lib/format";
import { Button, CopyButton } from "../../../ui/Button";
import { Progress } from "../../../ui/layout";
import { Markdown } from "../../../ui/markdown/Markdown";
import { isSendKey } from "./Composer";
import type { Message } from "./conversation";
import { ratesOf } from "./meter";
import type { Writing } from "./talk";
import { splitThinking } from "./thinking";

export interface MessageActions {
  readonly edit: (id: string, text: string) => void;
  readonly again: () => void;
}

interface MessageProps {
  message: Message;
  /** While this message is being written. */
  writing: Writing | null;
  /** There is a model, and it is free. */
  canAsk: boolean;
  /** It is the last one. */
  canRepeat: boolean;
  actions: MessageActions;
}

export const MessageView = memo(function MessageView({ message, writing, canAsk, canRepeat, actions }: MessageProps) {
  const [isEditing, setEditing] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  if (message.role === "assistant") return <Answer message={message} writing={writing} canRepeat={canAsk && canRepeat} again={actions.again} />;
  const leave = () => {
    setEditing(false);
    row.current?.focus({ preventScroll: true });
  };
  return (
    <li ref={row} className="message message-user" tabIndex={-1}>
      <h2 className="visually-hidden">You</h2>
      {isEditing && canAsk ? <Editor message={message} onEnd={leave} onSend={(text) => actions.edit(message.id, text)} /> : <p className="message-said">{message.content}</p>}
      {!(isEditing && canAsk) && (
        <div className="message-actions">
          <CopyButton look="quiet" text={() => message.content} />
          {canAsk && <Button look="quiet" icon="pen" onClick={() => setEditing(true)}>Edit</Button>}
          {canAsk && canRepeat && <Button look="quiet" icon="refresh" onClick={actions.again}>Ask again</Button>}
        </div>
      )}
    </li>
  );
});

function Editor({ message, onEnd, onSend }: { message: Message; onEnd: () => void; onSend: (text: string) => void }) {
  const [text, setText] = useState(message.content);
  const id = useId();
  const send = () => {
    if (text.trim() === "") return;
    onEnd();
    onSend(text.trim());
  };
  return (
    <div className="message-editor">
      <label className="visually-hidden" htmlFor={id}>Your message, edited</label>
      <textarea
        id={id}
        className="input growing"
        autoFocus
        value={text}
        rows={Math.min(text.split("\n").length + 1, 12)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onEnd();
          else if (isSendKey(event)) {
            event.preventDefault();
            send();
          }
        }}
      />
      <p className="small">What followed this message is replaced.</p>
      <div className="row">
        <Button look="primary" onClick={send}>Ask</Button>
        <Button onClick={onEnd}>Cancel</Button>
      </div>
    </div>
  );
}

function Answer({ message, writing, canRepeat, again }: { message: Message; writing: Writing | null; canRepeat: boolean; again: () => void }) {
  const { thinking, answer, isThinking } = splitThinking(message.content);
  const isWaiting = writing !== null && message.content === "";
  return (
    <li className="message message-model" aria-busy={writing !== null}>
      <h2 className="visually-hidden">{message.model ?? "Model"}</h2>
      {isWaiting && <Reading writing={writing} />}
      {thinking !== "" && (
        <details className="thinking">
          <summary>{isThinking && writing !== null ? "Thinking…" : "What it thought"}</summary>
          <p>{thinking}</p>
        </details>
      )}
      {answer !== "" && <div className="prose answer"><Markdown source={answer} topLevel={3} /></div>}
      {writing === null && (
        <div className="message-actions">
          <CopyButton look="quiet" text={() => answer} />
          {canRepeat && <Button look="quiet" icon="refresh" onClick={again}>Answer again</Button>}
          <SpeedLine message={message} />
        </div>
      )}
    </li>
  );
}

/** Until the first word: how much of the conversation the model has read. */
function Reading({ writing }: { writing: Writing }) {
  const { done, total } = writing.read;
  return (
    <div className="reading">
      <Progress value={total > 0 ? done / total : null} label="Reading the conversation" />
      <p className="small numeric">{total > 0 ? `Reading: ${formatCount(done)} of ${formatCount(total)} tokens` : "Reading…"}</p>
    </div>
  );
}

function SpeedLine({ message: { speed, ending, model } }: { message: Message }) {
  const { reading, writing } = speed === undefined ? { reading: null, writing: null } : ratesOf(speed);
  const words = [
    ending === "stopped" && "stopped",
    ending === "length" && "cut off at the longest length",
    ending === "failed" && "failed",
    speed !== undefined && `${formatCount(speed.writtenTokens)} tokens`,
    writing !== null && `${formatNumber(writing)} tokens/s`,
    speed !== undefined && speed.firstMs > 0 && `first after ${formatMs(speed.firstMs)}`,
    reading !== null && `read at ${formatNumber(reading)} tokens/s`,
  ].filter((word) => word !== false);
  return <span className="message-speed numeric" title={model}>{words.join(" · ")}</span>;
}
