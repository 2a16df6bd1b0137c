import { useEffect, useState } from "react";
import type { LanguageModel } from "tilework/llm";
import { requestOf, type Conversation } from "./conversation";
import { meterOf, usedBy, type Meter } from "./meter";
import type { Writing } from "./talk";

/** After the last key. */
const QUIET_MS = 300;

/** The context in use: what the model holds while it writes, else what it would read with the draft. Null until it is known. */
export function useTokens(model: LanguageModel | null, conversation: Conversation, draft: string, writing: Writing | null): Meter | null {
  const [counted, setCounted] = useState<{ of: Conversation; n: number } | null>(null);
  const isFree = writing === null;
  useEffect(() => {
    if (model === null || !isFree) return;
    let current = true;
    const timer = setTimeout(() => {
      const words = draft.trim();
      const messages = requestOf(conversation);
      const asked = words === "" ? messages : [...messages, { role: "user" as const, content: words }];
      if (asked.length === 0) return setCounted({ of: conversation, n: 0 });
      // A model that cannot count them says so when it is asked to answer.
      model.countTokens(asked).then((n) => current && setCounted({ of: conversation, n }), () => {});
    }, QUIET_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [model, conversation, draft, isFree]);
  if (model === null) return null;
  // An answer that has just ended is not counted yet, but its length is known.
  const speed = writing?.speed ?? (counted?.of === conversation ? null : conversation.messages.at(-1)?.speed) ?? null;
  const used = speed === null ? (counted?.n ?? null) : usedBy(speed);
  return used === null ? null : meterOf(used, model.contextLength);
}
