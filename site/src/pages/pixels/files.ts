// Files that a visitor brings or takes: pages in their order, and names that say what is inside.

import mlpUrl from "../../../../models/digits_mlp.safetensors?url";
import type { Choice } from "./useModel";

/** The network that every visitor has. */
export const DIGIT_NETWORK: Choice = { name: "digits_mlp.safetensors", files: [mlpUrl] };

/** The pages of a model, the first one first: "m.png", "m.2.png", "m.3.png" ... */
export function choiceOf(files: readonly File[]): Choice | null {
  const numbered = files.map((file) => ({ file, number: pageNumber(file.name) })).sort((a, b) => a.number - b.number);
  const [first] = numbered;
  return first === undefined ? null : { name: first.file.name, files: numbered.map(({ file }) => file) };
}

/** 1 of "m.png", 3 of "m.3.png". */
export function pageNumber(name: string): number {
  return Number(/\.(\d+)\.png$/i.exec(name)?.[1] ?? 1);
}

/** The name of a page that is saved: "digits_mlp-edited.png", "digits_mlp-edited.2.png". */
export function savedName(source: string, isEdited: boolean, page: number): string {
  const stem = source.replace(/(\.\d+)?\.(png|safetensors|gguf)$/i, "").replace(/-edited$/, "") || "model";
  return `${stem}${isEdited ? "-edited" : ""}${page === 0 ? "" : `.${page + 1}`}.png`;
}
