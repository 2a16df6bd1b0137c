// Texts to search in, and what is found.

export interface Passage {
  readonly text: string;
  readonly vector: Float32Array | null;
}

export interface Hit {
  readonly text: string;
  /** From -1 to 1. */
  readonly similarity: number;
}

/** Longer passages lose their end in the model, so they are cut at sentences into pieces of about this many characters. */
const MAX_CHARACTERS = 600;

/** The passages of a pasted text: its lines, long ones cut between sentences; none twice. */
export function passagesOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "");
  return [...new Set(lines.flatMap(pieces))];
}

function pieces(line: string): string[] {
  if (line.length <= MAX_CHARACTERS) return [line];
  const sentences = line.match(/[^.!?…。]+(?:[.!?…。]+["”’)]*\s*|$)/gu) ?? [line];
  const found: string[] = [];
  let piece = "";
  for (const sentence of sentences) {
    if (piece !== "" && piece.length + sentence.length > MAX_CHARACTERS) {
      found.push(piece.trim());
      piece = "";
    }
    piece += sentence;
  }
  return [...found, piece.trim()].filter((one) => one !== "");
}

/** The passages that mean most nearly what the query means, best first. */
export function search(query: Float32Array, passages: readonly Passage[], n: number): Hit[] {
  const hits = passages.flatMap(({ text, vector }) => (vector === null ? [] : [{ text, similarity: dot(query, vector) }]));
  return hits.sort((a, b) => b.similarity - a.similarity).slice(0, n);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
