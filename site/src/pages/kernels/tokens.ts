// Text to words, for the parser.
import type { ParseError } from "./parser";

export type Token =
  | { readonly kind: "number"; readonly text: string; readonly at: number; readonly value: number }
  | { readonly kind: "name" | "symbol"; readonly text: string; readonly at: number };

const PATTERN = /\s+|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_][A-Za-z_0-9]*)|(?<symbol>[-+*/%^(),])/uy;

// What people paste from formulas; each is one character for one, so that places stay right.
const SPELLINGS: Record<string, string> = { "×": "*", "·": "*", "−": "-", "÷": "/" };

/** The tokens, or the first character that belongs to none. */
export function tokenize(text: string): Token[] | ParseError {
  const tokens: Token[] = [];
  const plain = text.replace(/[×·−÷]/g, (sign) => SPELLINGS[sign] ?? sign);
  let at = 0;
  while (at < plain.length) {
    PATTERN.lastIndex = at;
    const match = PATTERN.exec(plain);
    if (match === null) {
      if (plain[at] === "π") {
        tokens.push({ kind: "name", text: "pi", at });
        at += 1;
        continue;
      }
      const character = String.fromCodePoint(plain.codePointAt(at) ?? 0);
      return { message: `“${character}” means nothing here`, at, length: character.length };
    }
    const { number, name, symbol } = match.groups ?? {};
    if (number !== undefined) tokens.push({ kind: "number", text: number, at, value: Number(number) });
    else if (name !== undefined) tokens.push({ kind: "name", text: name, at });
    else if (symbol !== undefined) tokens.push({ kind: "symbol", text: symbol, at });
    at = PATTERN.lastIndex;
  }
  return tokens;
}
