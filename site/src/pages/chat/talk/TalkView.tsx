import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { LanguageModel } from "tilework/llm";
import { sentence } from "../../../lib/format";
import { useStore } from "../../../lib/store";
import { Button } from "../../../ui/Button";
import { Callout, Empty } from "../../../ui/layout";
import { Composer } from "./Composer";
import type { Message } from "./conversation";
import { MessageView, type MessageActions } from "./MessageView";
import type { Settings } from "./settings";
import { splitThinking } from "./thinking";
import { talk, type Partner } from "./talk";
import { useFollow } from "./useFollow";
import { useTokens } from "./useTokens";

/** The conversation; without a model it can be read. */
export function TalkView({ model, settings }: { model: LanguageModel | null; settings: Settings }) {
  const state = useStore(talk());
  const { conversation, writing, problem } = state;
  const { messages } = conversation;
  const [draft, setDraft] = useState("");
  const partner = useRef<Partner | null>(null);
  partner.current = model === null ? null : { model, settings };
  const follow = useFollow(conversation);
  const meter = useTokens(model, conversation, draft, writing);

  const section = useRef<HTMLElement>(null);
  // The button that was used goes away; the field keeps the focus, and does not get it, which would raise a phone's keyboard.
  const keepFocus = useCallback(() => {
    if (!(document.activeElement instanceof HTMLTextAreaElement && document.activeElement.closest(".composer") !== null)) section.current?.focus({ preventScroll: true });
  }, []);
  const ask = useCallback((start: (partner: Partner) => Promise<void>) => {
    if (partner.current === null) return;
    keepFocus();
    follow.toEnd();
    void start(partner.current);
  }, [follow, keepFocus]);
  const actions = useMemo<MessageActions>(() => ({
    edit: (id, text) => ask((with_) => talk().edit(id, text, with_)),
    again: () => ask((with_) => talk().again(with_)),
  }), [ask]);
  const send = () => {
    const text = draft.trim();
    if (text === "" || writing !== null || model === null) return;
    setDraft("");
    ask((with_) => talk().send(text, with_));
  };
  useStopKey(writing !== null);

  const last = messages.at(-1);
  return (
    <section ref={section} className="talk" aria-label="Conversation" tabIndex={-1}>
      <ol className="messages">
        {messages.map((message) => (
          <MessageView
            key={message.id}
            message={message}
            writing={message === last && message.role === "assistant" ? writing : null}
            canAsk={model !== null && writing === null}
            canRepeat={message === last}
            actions={actions}
          />
        ))}
      </ol>
      {messages.length === 0 && <Empty icon="chat" title="Ask something"><p>Enter sends, Shift+Enter starts a new line, Escape stops an answer.</p></Empty>}
      {problem !== null && (
        <Callout tone="bad" title="The answer failed" actions={model !== null && <Button icon="refresh" onClick={actions.again}>Try again</Button>}>
          <p>{sentence(problem.message)}</p>
          {problem.code === "argument" && meter !== null && meter.advice !== "" && <p>{meter.advice}</p>}
          {(problem.code === "device_lost" || problem.code === "disposed") && <p>Unload the model and load it again.</p>}
        </Callout>
      )}
      {state.isLost && <Callout tone="warn" title="This conversation is not being kept"><p>The browser refused to store it: it is full, or storage is switched off. Delete old conversations, or export this one.</p></Callout>}
      {model !== null && (
        <Composer draft={draft} setDraft={setDraft} send={send} writing={writing} speed={writing?.speed ?? last?.speed ?? null} meter={meter} model={model} isAway={follow.isAway && messages.length > 0} toEnd={follow.toEnd} />
      )}
      <Announcer message={last} isWriting={writing !== null} />
    </section>
  );
}

/** Escape ends an answer wherever the focus is; in a dialog it closes that. */
function useStopKey(isWriting: boolean): void {
  useEffect(() => {
    if (!isWriting) return;
    const act = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && document.querySelector("dialog[open]") === null) talk().stop();
    };
    addEventListener("keydown", act);
    return () => removeEventListener("keydown", act);
  }, [isWriting]);
}

/** For those who listen: that an answer is being written, and then the whole of it, instead of every word. */
function Announcer({ message, isWriting }: { message: Message | undefined; isWriting: boolean }) {
  const wasWriting = useRef(false);
  if (isWriting) wasWriting.current = true;
  const isDone = wasWriting.current && !isWriting && message?.role === "assistant";
  return <p className="visually-hidden" role="status">{isWriting ? "The model is answering" : isDone ? `Answer: ${splitThinking(message.content).answer}` : ""}</p>;
}
