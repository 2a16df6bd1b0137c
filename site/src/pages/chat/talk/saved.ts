// Conversations kept in this browser: one entry each, so that two tabs do not overwrite each other's.
import { forget, keys, load, save } from "../../../lib/storage";
import { parseConversation, titleOf, type Conversation } from "./conversation";

const PREFIX = "chat-1:";
const CURRENT = "chat-current";

export interface Saved {
  readonly id: string;
  readonly title: string;
  readonly changedMs: number;
}

/** All of them, the newest first. */
export function savedConversations(): Saved[] {
  const found = keys(PREFIX).flatMap((key) => parseConversation(load(key)) ?? []);
  return found.map((one) => ({ id: one.id, title: titleOf(one), changedMs: one.changedMs })).sort((a, b) => b.changedMs - a.changedMs);
}

export function loadConversation(id: string): Conversation | null {
  return parseConversation(load(PREFIX + id));
}

/** False if the browser has no room for it; one without a message is not worth keeping. */
export function saveConversation(conversation: Conversation): boolean {
  return conversation.messages.length === 0 || save(PREFIX + conversation.id, JSON.stringify(conversation));
}

export function forgetConversation(id: string): void {
  forget(PREFIX + id);
}

/** The one that was in sight last. */
export function loadCurrent(): Conversation | null {
  const id = load(CURRENT);
  return id === null ? null : loadConversation(id);
}

export function saveCurrent(id: string): void {
  save(CURRENT, id);
}

/** Calls back when another tab changed one of them. */
export function watchSaved(changed: () => void): () => void {
  const act = (event: StorageEvent) => {
    if (event.key === null || event.key.includes(PREFIX)) changed();
  };
  addEventListener("storage", act);
  return () => removeEventListener("storage", act);
}
