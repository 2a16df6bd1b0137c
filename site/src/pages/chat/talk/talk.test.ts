import { beforeEach, expect, test } from "vitest";
import type { ChatChunk, ChatRequest, RequestOptions } from "tilework/llm";
import { DEFAULTS } from "./settings";
import { Talk, type Partner } from "./talk";

/** As much of localStorage as is used; `room` is how many entries it takes. */
function useStorage(room = Infinity): Map<string, string> {
  const entries = new Map<string, string>();
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (!entries.has(key) && entries.size >= room) throw new Error("full");
      entries.set(key, value);
    },
    removeItem: (key: string) => entries.delete(key),
    key: (i: number) => [...entries.keys()][i] ?? null,
    get length() {
      return entries.size;
    },
  };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
  return entries;
}

beforeEach(() => void useStorage());

/** A model that says `words`, one in each turn; "wait" waits until it is stopped, "fail" fails. */
function partnerOf(...words: string[]): Partner & { asked: ChatRequest[] } {
  const asked: ChatRequest[] = [];
  async function* answer(options: RequestOptions): AsyncGenerator<ChatChunk> {
    const chunk = (content: string | null, n: number): ChatChunk => ({
      id: "1", object: "chat.completion.chunk", created: 0, model: "m",
      choices: [{ index: 0, delta: content === null ? {} : { content }, logprobs: null, finish_reason: content === null ? "stop" : null }],
      timings: { promptTokens: 7, cachedTokens: 0, promptMs: 1, writtenTokens: n, writtenMs: 2 },
    });
    options.onPrompt?.(7, 7);
    for (const [i, word] of words.entries()) {
      await Promise.resolve();
      options.signal?.throwIfAborted();
      if (word === "fail") throw new Error("no more room");
      if (word === "wait") await new Promise((_, reject) => options.signal?.addEventListener("abort", () => reject(options.signal?.reason)));
      yield chunk(word, i + 1);
    }
    yield chunk(null, words.length);
  }
  const create = (request: ChatRequest, options: RequestOptions = {}) => {
    asked.push(request);
    return Promise.resolve(answer(options));
  };
  return { asked, settings: DEFAULTS, model: { summary: { name: "Tiny" }, chat: { completions: { create } } } as unknown as Partner["model"] };
}

const said = (talk: Talk) => talk.state.conversation.messages.map(({ content }) => content);

test("a question is asked with what was said before, and its answer is kept", async () => {
  const talk = new Talk();
  talk.instruct("Be kind.");
  const partner = partnerOf("Hel", "lo");
  await talk.send("Hi", partner);
  await talk.send("More", partner);
  expect(said(talk)).toEqual(["Hi", "Hello", "More", "Hello"]);
  expect(partner.asked[1]?.messages.map(({ content }) => content)).toEqual(["Be kind.", "Hi", "Hello", "More"]);
  expect(partner.asked[0]).toMatchObject({ stream: true, temperature: DEFAULTS.temperature, max_tokens: DEFAULTS.max_tokens });
  expect(talk.state).toMatchObject({ writing: null, problem: null, isLost: false });
  expect(talk.state.conversation.messages[1]).toMatchObject({ ending: "stop", model: "Tiny", speed: { promptTokens: 7, writtenTokens: 2 } });
  expect(new Talk().state.conversation).toEqual(talk.state.conversation);
});

test("stopping keeps the words that are there", async () => {
  const talk = new Talk();
  const done = talk.send("Hi", partnerOf("Once", "wait", "never"));
  expect(talk.state.writing).not.toBeNull();
  await new Promise((later) => setTimeout(later, 5));
  talk.stop();
  await done;
  expect(said(talk)).toEqual(["Hi", "Once"]);
  expect(talk.state).toMatchObject({ writing: null, problem: null });
  expect(talk.state.conversation.messages[1]?.ending).toBe("stopped");
});

test("stopped before the first word there is no answer, and it can be asked again", async () => {
  const talk = new Talk();
  const done = talk.send("Hi", partnerOf("wait"));
  talk.stop();
  await done;
  expect(said(talk)).toEqual(["Hi"]);
  await talk.again(partnerOf("Yes"));
  expect(said(talk)).toEqual(["Hi", "Yes"]);
  await talk.again(partnerOf("No"));
  expect(said(talk)).toEqual(["Hi", "No"]);
});

test("a failure is shown, and what came before it stays", async () => {
  const talk = new Talk();
  await talk.send("Hi", partnerOf("Half", "fail"));
  expect(said(talk)).toEqual(["Hi", "Half"]);
  expect(talk.state.problem?.message).toBe("no more room");
  expect(talk.state.conversation.messages[1]?.ending).toBe("failed");
  await talk.again(partnerOf("fail"));
  expect(said(talk)).toEqual(["Hi"]);
});

test("an edited question replaces all that followed", async () => {
  const talk = new Talk();
  await talk.send("One", partnerOf("1"));
  await talk.send("Two", partnerOf("2"));
  const partner = partnerOf("uno");
  await talk.edit(talk.state.conversation.messages[0]?.id ?? "", "Uno", partner);
  expect(said(talk)).toEqual(["Uno", "uno"]);
  expect(partner.asked[0]?.messages).toEqual([{ role: "user", content: "Uno" }]);
});

test("several conversations: each is kept, found and forgotten by itself", async () => {
  const talk = new Talk();
  await talk.send("First", partnerOf("1"));
  const first = talk.state.conversation.id;
  talk.startNew();
  expect(said(talk)).toEqual([]);
  await talk.send("Second", partnerOf("2"));
  const second = talk.state.conversation.id;
  expect(talk.state.saved.map(({ title }) => title).sort()).toEqual(["First", "Second"]);
  talk.open(first);
  expect(said(talk)).toEqual(["First", "1"]);
  expect(said(new Talk())).toEqual(["First", "1"]);
  talk.delete(second);
  expect(said(talk)).toEqual(["First", "1"]);
  talk.delete(first);
  expect(talk.state.saved).toEqual([]);
  expect(said(talk)).toEqual([]);
});

test("an answer under way does not follow into another conversation, nor bring back a deleted one", async () => {
  const talk = new Talk();
  const done = talk.send("Hi", partnerOf("Once", "wait"));
  await new Promise((later) => setTimeout(later, 5));
  const { id } = talk.state.conversation;
  talk.startNew();
  expect(talk.state.writing).toBeNull();
  await done;
  expect(said(talk)).toEqual([]);
  talk.open(id);
  expect(said(talk)).toEqual(["Hi", "Once"]);
  const more = talk.again(partnerOf("Twice", "wait"));
  talk.delete(id);
  await more;
  expect(talk.state.saved).toEqual([]);
});

test("a browser without room is told of, and nothing breaks", async () => {
  useStorage(1);
  const talk = new Talk();
  await talk.send("Hi", partnerOf("Hello"));
  expect(said(talk)).toEqual(["Hi", "Hello"]);
  expect(talk.state.isLost).toBe(true);
});

test("another tab's conversations appear", async () => {
  const [here, there] = [new Talk(), new Talk()];
  await there.send("Elsewhere", partnerOf("1"));
  expect(here.state.saved).toEqual([]);
  here.refresh();
  expect(here.state.saved.map(({ title }) => title)).toEqual(["Elsewhere"]);
});
