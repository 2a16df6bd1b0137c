import { expect, test } from "vitest";
import { before, fileNameOf, newConversation, parseConversation, requestOf, titleOf, toJson, toMarkdown, untilQuestion, withAnswer, withLast, withQuestion } from "./conversation";

const asked = withQuestion(newConversation("Be brief."), "What is  a\ntile?");
const answered = withLast(withAnswer(asked, "Tiny 1B"), { content: "A *square*.", ending: "stop" });
const longer = withLast(withAnswer(withQuestion(answered, "And now?"), "Tiny 1B"), { content: "Now nothing.", ending: "length" });

test("ids are unique and stay with their message", () => {
  const ids = longer.messages.map(({ id }) => id);
  expect(new Set([longer.id, ...ids]).size).toBe(5);
  expect(withLast(longer, { content: "x" }).messages.map(({ id }) => id)).toEqual(ids);
});

test("the first question names it", () => {
  expect(titleOf(newConversation(""))).toBe("New conversation");
  expect(titleOf(longer)).toBe("What is a tile?");
  const title = titleOf(withQuestion(newConversation(""), "word ".repeat(100)));
  expect(title.length).toBeLessThanOrEqual(61);
  expect(title.endsWith("word…")).toBe(true);
});

test("the model reads the instructions and all that was said, but no answer that never began", () => {
  expect(requestOf(withAnswer(answered, "m"))).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "What is  a\ntile?" },
    { role: "assistant", content: "A *square*." },
  ]);
  expect(requestOf({ ...asked, system: "  " })[0]?.role).toBe("user");
});

test("going back", () => {
  const [first, , third] = longer.messages;
  expect(before(longer, third?.id ?? "").messages).toEqual(answered.messages);
  expect(before(longer, first?.id ?? "").messages).toEqual([]);
  expect(before(longer, "unknown")).toBe(longer);
  expect(untilQuestion(longer).messages.map(({ content }) => content)).toEqual(["What is  a\ntile?", "A *square*.", "And now?"]);
  expect(untilQuestion(asked)).toBe(asked);
  expect(untilQuestion(newConversation("")).messages).toEqual([]);
});

test("what is kept comes back; what is not a conversation does not", () => {
  expect(parseConversation(JSON.stringify(longer))).toEqual(longer);
  for (const text of [null, "", "{", "null", "[]", "3", '{"id":"a"}', '{"id":1,"system":"","createdMs":1,"changedMs":1,"messages":[]}', '{"id":"a","system":"","createdMs":1,"changedMs":"x","messages":[]}']) expect(parseConversation(text)).toBeNull();
  const messages = [longer.messages[0], null, { id: "b", role: "system", content: "" }, { id: "c", role: "user", content: 5 }, { id: "d", role: "assistant", content: "", speed: { promptMs: "1" } }];
  expect(parseConversation(JSON.stringify({ ...longer, messages }))?.messages).toEqual([longer.messages[0]]);
});

test("export", () => {
  const json = JSON.parse(toJson(longer)) as { messages: unknown; models: string[] };
  expect(json.messages).toEqual(requestOf(longer));
  expect(json.models).toEqual(["Tiny 1B"]);
  expect(toMarkdown(answered)).toBe("# What is a tile?\n\n## Instructions\n\nBe brief.\n\n## You\n\nWhat is  a\ntile?\n\n## Model\n\nA *square*.\n");
  expect(fileNameOf(longer, "md")).toBe("what-is-a-tile.md");
  expect(fileNameOf(withQuestion(newConversation(""), "../..\\:*?"), "json")).toBe("conversation.json");
});
