import { formatMs } from "../../../lib/format";
import type { ShowItem } from "../sandbox/messages";

export const DIGIT_LABELS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** The first ten probabilities as bars, with words and the time it took. */
export function probabilityItems(probabilities: Float32Array, words: string, ms: number): ShowItem[] {
  return [
    { type: "bars", title: "Probability of each digit", values: Array.from(probabilities.subarray(0, 10)), labels: DIGIT_LABELS },
    { type: "text", level: "log", text: `${words} Computed on the CPU in ${formatMs(ms)}.` },
  ];
}
