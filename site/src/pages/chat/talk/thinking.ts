// Models that think aloud put it between <think> and </think>, in front of the answer. Some are given the first mark and write only
// the second.

export interface Thought {
  readonly thinking: string;
  readonly answer: string;
  /** The answer has not begun. */
  readonly isThinking: boolean;
}

const OPEN = "<think>";
const CLOSE = "</think>";

export function splitThinking(text: string): Thought {
  const trimmed = text.trimStart();
  const isOpened = trimmed.startsWith(OPEN);
  const end = trimmed.indexOf(CLOSE);
  if (end < 0) return isOpened ? { thinking: trimmed.slice(OPEN.length).trim(), answer: "", isThinking: true } : { thinking: "", answer: text, isThinking: false };
  // A mark in the middle of an answer that has code in front of it is what the answer is about.
  if (!isOpened && trimmed.slice(0, end).includes("`")) return { thinking: "", answer: text, isThinking: false };
  return { thinking: trimmed.slice(isOpened ? OPEN.length : 0, end).trim(), answer: trimmed.slice(end + CLOSE.length).trimStart(), isThinking: false };
}
