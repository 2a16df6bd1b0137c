// Edits as text to remember: only files that differ from where they started, so that a better starting text reaches everybody else.
import type { CodeFile } from "../lesson";

type Texts = Readonly<Record<string, string>>;

/** The texts to show, from what was remembered; anything unreadable counts as nothing. */
export function readEdits(words: string | null, files: readonly CodeFile[]): Texts {
  let kept: unknown = null;
  try {
    kept = words === null ? null : JSON.parse(words);
  } catch {
    // As if nothing had been remembered.
  }
  const edits = typeof kept === "object" && kept !== null ? (kept as Readonly<Record<string, unknown>>) : {};
  return Object.fromEntries(files.map(({ name, starter }) => {
    const edit = edits[name];
    return [name, typeof edit === "string" ? edit : starter];
  }));
}

/** What to remember; null if nothing was edited. */
export function writeEdits(texts: Texts, files: readonly CodeFile[]): string | null {
  const edits = files.flatMap(({ name, starter }) => (texts[name] === undefined || texts[name] === starter ? [] : [[name, texts[name]] as const]));
  return edits.length === 0 ? null : JSON.stringify(Object.fromEntries(edits));
}
