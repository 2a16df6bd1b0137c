// How much of what the model can see at once is in use.
import { formatCount } from "../../../lib/format";
import type { Speed } from "./conversation";

export interface Meter {
  readonly tone: "good" | "warn" | "bad";
  /** From 0 to 1. */
  readonly share: number;
  readonly text: string;
  /** What to do, when something has to be done. */
  readonly advice: string;
}

/** An answer needs room; below this much of the context it gets little. */
const NEARLY_FULL = 0.85;

export function meterOf(usedTokens: number, contextLength: number): Meter {
  const share = contextLength > 0 ? Math.min(usedTokens / contextLength, 1) : 0;
  const text = `${formatCount(usedTokens)} of ${formatCount(contextLength)} tokens`;
  if (usedTokens >= contextLength) return { tone: "bad", share, text, advice: "The context is full: the model cannot see more. Start a new conversation, edit an earlier message to go on from there, or load the model again with a longer context." };
  if (share >= NEARLY_FULL) return { tone: "warn", share, text, advice: "The context is nearly full: the next answer may be cut off. Start a new conversation, or load the model with a longer context." };
  return { tone: "good", share, text, advice: "" };
}

/** Tokens that the model holds while it writes. */
export function usedBy({ promptTokens, writtenTokens }: Pick<Speed, "promptTokens" | "writtenTokens">): number {
  return promptTokens + writtenTokens;
}

/** Tokens per second of reading and of writing; null where nothing was measured. */
export function ratesOf(speed: Speed): { reading: number | null; writing: number | null } {
  const read = speed.promptTokens - speed.cachedTokens;
  return {
    reading: read > 0 && speed.promptMs > 0 ? (read / speed.promptMs) * 1000 : null,
    writing: speed.writtenTokens > 0 && speed.writtenMs > 0 ? (speed.writtenTokens / speed.writtenMs) * 1000 : null,
  };
}
