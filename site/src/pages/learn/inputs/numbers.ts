// Numbers from text, as somebody types them.

export type ParsedNumbers = { readonly ok: true; readonly numbers: number[] } | { readonly ok: false; readonly message: string };

/** "1, -2.5 3e2" → [1, -2.5, 300]; between one and `max` numbers. */
export function parseNumbers(text: string, max: number): ParsedNumbers {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "");
  const wrong = words.find((word) => !Number.isFinite(Number(word)));
  if (wrong !== undefined) return { ok: false, message: `“${wrong.slice(0, 20)}” is not a number` };
  if (words.length === 0) return { ok: false, message: "at least one number is needed" };
  if (words.length > max) return { ok: false, message: `at most ${max} numbers fit here` };
  return { ok: true, numbers: words.map(Number) };
}
