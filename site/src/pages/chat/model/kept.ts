// Models that were downloaded before, as a visitor counts them: the parts of a split one are one.
import type { StoredModel } from "tilework/llm";
import { PART } from "./source";

export interface Kept {
  readonly name: string;
  /** Of all parts that are here, in order. */
  readonly urls: readonly string[];
  readonly sizeBytes: number;
}

export function joinParts(models: readonly StoredModel[]): Kept[] {
  const kept = new Map<string, Kept>();
  for (const { url, name, sizeBytes } of [...models].sort((a, b) => a.url.localeCompare(b.url))) {
    const key = url.replace(PART, "");
    const known = kept.get(key);
    kept.set(key, { name: name.replace(PART, ".gguf"), urls: [...(known?.urls ?? []), url], sizeBytes: (known?.sizeBytes ?? 0) + sizeBytes });
  }
  return [...kept.values()];
}
