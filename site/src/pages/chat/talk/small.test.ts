import { expect, test } from "vitest";
import { meterOf, ratesOf, usedBy } from "./meter";
import { DEFAULTS, parseSettings, samplingOf, within } from "./settings";
import { splitThinking } from "./thinking";

test("the meter warns before it is full, and says what to do", () => {
  expect(meterOf(100, 2048)).toEqual({ tone: "good", share: 100 / 2048, text: "100 of 2,048 tokens", advice: "" });
  expect(meterOf(1740, 2048).tone).toBe("good");
  expect(meterOf(1741, 2048).tone).toBe("warn");
  expect(meterOf(1741, 2048).advice).toMatch(/new conversation/);
  expect(meterOf(2047, 2048).tone).toBe("warn");
  expect(meterOf(2048, 2048).tone).toBe("bad");
  expect(meterOf(5000, 2048)).toMatchObject({ tone: "bad", share: 1 });
  expect(meterOf(0, 0).tone).toBe("bad");
  expect(usedBy({ promptTokens: 10, writtenTokens: 5 })).toBe(15);
});

test("rates leave out what was read before, and what was not measured", () => {
  const speed = { promptTokens: 30, cachedTokens: 20, promptMs: 100, writtenTokens: 8, writtenMs: 400, firstMs: 120 };
  expect(ratesOf(speed)).toEqual({ reading: 100, writing: 20 });
  expect(ratesOf({ ...speed, cachedTokens: 30, writtenTokens: 0 })).toEqual({ reading: null, writing: null });
  expect(ratesOf({ ...speed, promptMs: 0, writtenMs: 0 })).toEqual({ reading: null, writing: null });
});

test("settings that were kept are held to their ranges", () => {
  expect(parseSettings(null)).toEqual(DEFAULTS);
  for (const text of ["{", "null", "7", "[]"]) expect(parseSettings(text)).toEqual(DEFAULTS);
  expect(parseSettings('{"temperature":9,"top_p":-1,"top_k":2.6,"max_tokens":"x","seed":-5}')).toEqual({ temperature: 2, top_p: 0.05, top_k: 3, max_tokens: 1024, seed: 0 });
  expect(within("top_k", NaN, 40)).toBe(40);
  expect(samplingOf(DEFAULTS)).not.toHaveProperty("seed");
  expect(samplingOf({ ...DEFAULTS, seed: 0 })).toHaveProperty("seed", 0);
});

test("thinking aloud is told apart from the answer", () => {
  expect(splitThinking("plain")).toEqual({ thinking: "", answer: "plain", isThinking: false });
  expect(splitThinking("<think>\nhm")).toEqual({ thinking: "hm", answer: "", isThinking: true });
  expect(splitThinking("\n<think>hm</think>\n\nYes.")).toEqual({ thinking: "hm", answer: "Yes.", isThinking: false });
  expect(splitThinking("hm\n</think>\nYes.")).toEqual({ thinking: "hm", answer: "Yes.", isThinking: false });
  expect(splitThinking("The mark `</think>` ends it.").answer).toBe("The mark `</think>` ends it.");
});
