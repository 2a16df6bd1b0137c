// A conversation as plain data, and everything that is done to one. Nothing here knows of a screen, a model or a disk.
import type { ChatMessage, Timings } from "tilework/llm";

/** How an answer came to its end: by itself, at the longest length, by the visitor, or by an error. */
export type Ending = "stop" | "length" | "stopped" | "failed";

/** How fast an answer was. */
export interface Speed extends Timings {
  /** From the question to the first word. */
  readonly firstMs: number;
}

export interface Message {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string;
  /** Of answers that are complete. */
  readonly ending?: Ending;
  readonly speed?: Speed;
  /** The model that answered. */
  readonly model?: string;
}

export interface Conversation {
  readonly id: string;
  readonly system: string;
  readonly createdMs: number;
  readonly changedMs: number;
  readonly messages: readonly Message[];
}

const MAX_TITLE = 60;

let lastId = 0;

/** Unique among tabs too. */
function newId(): string {
  lastId += 1;
  return `${Date.now().toString(36)}-${lastId.toString(36)}${Math.random().toString(36).slice(2, 8)}`;
}

export function newConversation(system: string): Conversation {
  const now = Date.now();
  return { id: newId(), system, createdMs: now, changedMs: now, messages: [] };
}

/** The first words of the first question. */
export function titleOf({ messages }: Conversation): string {
  const words = (messages[0]?.content ?? "").trim().replace(/\s+/g, " ");
  if (words === "") return "New conversation";
  return words.length <= MAX_TITLE ? words : `${words.slice(0, MAX_TITLE).replace(/\s\S*$/, "")}…`;
}

function changed(conversation: Conversation, messages: readonly Message[]): Conversation {
  return { ...conversation, messages, changedMs: Date.now() };
}

export function withQuestion(conversation: Conversation, content: string): Conversation {
  return changed(conversation, [...conversation.messages, { id: newId(), role: "user", content }]);
}

/** With an empty answer at the end, to be written. */
export function withAnswer(conversation: Conversation, model: string): Conversation {
  return changed(conversation, [...conversation.messages, { id: newId(), role: "assistant", content: "", model }]);
}

/** With other words in the last message. */
export function withLast(conversation: Conversation, parts: Partial<Omit<Message, "id" | "role">>): Conversation {
  const last = conversation.messages.at(-1);
  if (last === undefined) return conversation;
  return changed(conversation, [...conversation.messages.slice(0, -1), { ...last, ...parts }]);
}

/** Everything before a message. */
export function before(conversation: Conversation, id: string): Conversation {
  const at = conversation.messages.findIndex((message) => message.id === id);
  return at < 0 ? conversation : changed(conversation, conversation.messages.slice(0, at));
}

/** Up to and with the last question: what an answer is given to. Empty if there is none. */
export function untilQuestion(conversation: Conversation): Conversation {
  const at = conversation.messages.map((message) => message.role).lastIndexOf("user");
  return at === conversation.messages.length - 1 ? conversation : changed(conversation, conversation.messages.slice(0, at + 1));
}

/** What the model reads. Answers that never began are left out: no model was trained on them. */
export function requestOf({ system, messages }: Conversation): ChatMessage[] {
  const said = messages.filter(({ content }) => content !== "").map(({ role, content }) => ({ role, content }));
  return system.trim() === "" ? said : [{ role: "system", content: system }, ...said];
}

/** Reads what was kept; anything that does not look like a conversation is null, never trusted. */
export function parseConversation(text: string | null): Conversation | null {
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Partial<Conversation> | null;
    if (typeof value !== "object" || value === null || !Array.isArray(value.messages)) return null;
    const { id, system, createdMs, changedMs, messages } = value;
    if (typeof id !== "string" || typeof system !== "string" || !Number.isFinite(createdMs) || !Number.isFinite(changedMs)) return null;
    return { id, system, createdMs: Number(createdMs), changedMs: Number(changedMs), messages: messages.filter(isMessage) };
  } catch {
    return null;
  }
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null) return false;
  const { id, role, content, speed } = value as Partial<Message>;
  return typeof id === "string" && (role === "user" || role === "assistant") && typeof content === "string" && (speed === undefined || isSpeed(speed));
}

function isSpeed(value: unknown): value is Speed {
  return typeof value === "object" && value !== null && Object.values(value).every((number) => typeof number === "number");
}

/** For other programs: OpenAI's list of messages, and what is known beyond it. */
export function toJson(conversation: Conversation): string {
  const messages = requestOf(conversation);
  const models = [...new Set(conversation.messages.flatMap(({ model }) => model ?? []))];
  return `${JSON.stringify({ title: titleOf(conversation), created: new Date(conversation.createdMs).toISOString(), models, messages }, null, 2)}\n`;
}

/** For people. */
export function toMarkdown(conversation: Conversation): string {
  const names = { system: "Instructions", user: "You", assistant: "Model" };
  const parts = requestOf(conversation).map(({ role, content }) => `## ${names[role]}\n\n${content.trim()}\n`);
  return [`# ${titleOf(conversation)}\n`, ...parts].join("\n");
}

export function fileNameOf(conversation: Conversation, ending: string): string {
  const words = titleOf(conversation).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 40);
  return `${words || "conversation"}.${ending}`;
}
