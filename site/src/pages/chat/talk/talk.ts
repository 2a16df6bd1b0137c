// The conversation in sight: asks the model, takes its words as they come, and keeps everything in this browser. It lives outside of
// React, so that a look at another page of the studio ends nothing.
import type { ChatChunk, LanguageModel } from "tilework/llm";
import { problemOf, type Problem } from "../../../engine/problem";
import { perFrame } from "../../../lib/frames";
import { Store } from "../../../lib/store";
import { before, newConversation, requestOf, untilQuestion, withAnswer, withLast, withQuestion, type Conversation, type Ending, type Speed } from "./conversation";
import { forgetConversation, loadConversation, loadCurrent, saveConversation, saveCurrent, savedConversations, watchSaved, type Saved } from "./saved";
import { loadSystem, samplingOf, saveSystem, type Settings } from "./settings";

/** What an answer is asked of. */
export interface Partner {
  readonly model: Pick<LanguageModel, "chat" | "summary">;
  readonly settings: Settings;
}

export interface Writing {
  /** How much of the conversation the model has read. */
  readonly read: { readonly done: number; readonly total: number };
  readonly speed: Speed | null;
}

export interface TalkState {
  readonly conversation: Conversation;
  readonly saved: readonly Saved[];
  /** While an answer is under way. */
  readonly writing: Writing | null;
  readonly problem: Problem | null;
  /** The browser refused to keep it. */
  readonly isLost: boolean;
}

/** An answer on its way to the screen. */
interface Draft {
  readonly control: AbortController;
  readonly asked: Conversation;
  readonly model: string;
  readonly startMs: number;
  content: string;
  writing: Writing;
  conversation: Conversation;
}

const SAVE_EVERY_MS = 1000;

export class Talk extends Store<TalkState> {
  #draft: Draft | null = null;
  #savedMs = 0;

  constructor() {
    super({ conversation: loadCurrent() ?? newConversation(loadSystem()), saved: savedConversations(), writing: null, problem: null, isLost: false });
  }

  send(text: string, partner: Partner): Promise<void> {
    return this.#answer(withQuestion(this.state.conversation, text), partner);
  }

  /** Answers the last question again. */
  again(partner: Partner): Promise<void> {
    return this.#answer(untilQuestion(this.state.conversation), partner);
  }

  /** Asks something else in the place of a question; what followed it is gone. */
  edit(id: string, text: string, partner: Partner): Promise<void> {
    return this.#answer(withQuestion(before(this.state.conversation, id), text), partner);
  }

  /** Ends the answer; its words stay. */
  stop(): void {
    this.#draft?.control.abort();
  }

  instruct(system: string): void {
    saveSystem(system);
    this.#leave();
    this.#show({ ...this.state.conversation, system });
    this.#keep();
  }

  startNew(): void {
    this.#leave();
    this.#enter(newConversation(loadSystem()));
  }

  open(id: string): void {
    if (id === this.state.conversation.id) return;
    this.#leave();
    this.#enter(loadConversation(id) ?? newConversation(loadSystem()));
  }

  delete(id: string): void {
    const isCurrent = id === this.state.conversation.id;
    if (isCurrent) this.#leave();
    forgetConversation(id);
    if (isCurrent) this.#enter(newConversation(loadSystem()));
    else this.refresh();
  }

  /** Another tab may have changed what is kept. */
  refresh(): void {
    this.set({ ...this.state, saved: savedConversations() });
  }

  /** Keeps what is on the screen now; for a page that is about to go. */
  keep(): void {
    if (this.#draft !== null) this.#keep();
  }

  async #answer(asked: Conversation, { model, settings }: Partner): Promise<void> {
    this.#leave();
    if (asked.messages.length === 0) return;
    const name = model.summary.name;
    const draft: Draft = { control: new AbortController(), asked, model: name, startMs: performance.now(), content: "", writing: { read: { done: 0, total: 0 }, speed: null }, conversation: withAnswer(asked, name) };
    this.#draft = draft;
    this.#draw(draft);
    this.#keep();
    this.refresh();
    const frames = perFrame(() => this.#draw(draft));
    let ending: Ending = "failed";
    let problem: Problem | null = null;
    try {
      const request = { ...samplingOf(settings), messages: requestOf(asked), stream: true as const };
      const onPrompt = (done: number, total: number) => {
        draft.writing = { ...draft.writing, read: { done, total } };
        frames.request();
      };
      for await (const chunk of await model.chat.completions.create(request, { signal: draft.control.signal, onPrompt })) {
        ending = take(draft, chunk) ?? ending;
        frames.request();
      }
    } catch (error) {
      if (!draft.control.signal.aborted) problem = problemOf(error);
    }
    frames.cancel();
    if (draft.control.signal.aborted) ending = "stopped";
    else if (ending === "failed" && problem === null) problem = { code: "unexpected", message: "the model ended without saying why" };
    this.#finish(draft, ending, problem);
  }

  #draw(draft: Draft): void {
    if (this.#draft !== draft) return;
    draft.conversation = withLast(draft.conversation, { content: draft.content });
    this.set({ ...this.state, conversation: draft.conversation, writing: draft.writing, problem: null });
    if (performance.now() - this.#savedMs > SAVE_EVERY_MS) this.#keep();
  }

  #finish(draft: Draft, ending: Ending, problem: Problem | null): void {
    if (this.#draft !== draft) return;
    this.#draft = null;
    const { speed } = draft.writing;
    const isEmpty = draft.content === "" && (ending === "stopped" || ending === "failed");
    const conversation = isEmpty ? draft.asked : withLast(draft.conversation, { content: draft.content, ending, ...(speed !== null && { speed }) });
    this.set({ ...this.state, conversation, writing: null, problem });
    this.#keep();
    this.refresh();
  }

  /** Ends what is under way before anything else begins. */
  #leave(): void {
    const draft = this.#draft;
    if (draft === null) return;
    draft.control.abort();
    this.#finish(draft, "stopped", null);
  }

  #show(conversation: Conversation): void {
    this.set({ ...this.state, conversation, problem: null });
  }

  #enter(conversation: Conversation): void {
    saveCurrent(conversation.id);
    this.#show(conversation);
    this.refresh();
  }

  #keep(): void {
    const { conversation, isLost } = this.state;
    this.#savedMs = performance.now();
    saveCurrent(conversation.id);
    const kept = saveConversation(conversation);
    if (kept === isLost) this.set({ ...this.state, isLost: !kept });
  }
}

/** Takes a piece of an answer; gives how it ended, if it did. */
function take(draft: Draft, { choices: [choice], timings }: ChatChunk): "stop" | "length" | null {
  const words = choice.delta.content ?? "";
  const firstMs = draft.writing.speed?.firstMs || (words === "" ? 0 : performance.now() - draft.startMs);
  draft.content += words;
  draft.writing = { ...draft.writing, speed: { ...timings, firstMs } };
  return choice.finish_reason;
}

let only: Talk | null = null;

/** The one of this tab. */
export function talk(): Talk {
  if (only === null) {
    const made = (only = new Talk());
    addEventListener("pagehide", () => made.keep());
    watchSaved(() => made.refresh());
  }
  return only;
}
