// JavaScript, read just far enough: where statements at the top level begin, and which names they declare.

export interface Scanned {
  /** Where statements at the top level begin. */
  readonly starts: readonly number[];
  /** Names that the top level declares. */
  readonly names: readonly string[];
}

const OPEN = "([{";
const CLOSE = ")]}";
/** A line that ends or begins like this goes on. */
const ENDS_OPEN = /(?:[-+*/%=<>&|^!~?:,.([{]|=>|\b(?:await|return|new|typeof|in|of|instanceof|else|void|delete|throw))$/;
const BEGINS_ON = /^(?:[.,)\]}*/%=<>&|^?:]|\+(?!\+)|-(?!-)|instanceof\b|in\b|of\b|else\b|catch\b|finally\b|while\b(?=.*\}\s*while))/;
/** What may stand before a regular expression, and not before a division. */
const BEFORE_REGEX = /(?:^|[-+*/%=<>&|^!~?:,;([{}]|\b(?:return|typeof|case|in|of|await))$/;

/** Blanks out comments, and what strings and regular expressions hold, so that their brackets do not count. */
export function blanked(code: string): string {
  let out = "";
  let i = 0;
  const skip = (end: number, keep = 1) => {
    const piece = code.slice(i, end);
    out += piece.slice(0, keep) + piece.slice(keep, -keep).replace(/[^\n]/g, "_") + piece.slice(Math.max(keep, piece.length - keep));
    i = end;
  };
  while (i < code.length) {
    const two = code.slice(i, i + 2);
    const char = code[i] as string;
    if (two === "//" || two === "/*") {
      const end = two === "//" ? code.indexOf("\n", i) : code.indexOf("*/", i + 2) + 2;
      const until = end <= 1 ? code.length : end;
      out += code.slice(i, until).replace(/[^\n]/g, " ");
      i = until;
    } else if (char === '"' || char === "'" || char === "`") {
      skip(endOfString(code, i));
    } else if (char === "/" && BEFORE_REGEX.test(out.trimEnd())) {
      skip(endOfRegex(code, i));
    } else {
      out += char;
      i += 1;
    }
  }
  return out;
}

function endOfString(code: string, start: number): number {
  const quote = code[start] as string;
  for (let i = start + 1; i < code.length; i++) {
    if (code[i] === "\\") i += 1;
    else if (code[i] === quote) return i + 1;
    else if (code[i] === "\n" && quote !== "`") return i;
    else if (quote === "`" && code.startsWith("${", i)) i = endOfHole(code, i + 2) - 1;
  }
  return code.length;
}

/** Behind the bracket that closes `${`. */
function endOfHole(code: string, start: number): number {
  let depth = 1;
  for (let i = start; i < code.length; i++) {
    const char = code[i] as string;
    if (char === '"' || char === "'" || char === "`") i = endOfString(code, i) - 1;
    else if (char === "{") depth += 1;
    else if (char === "}" && --depth === 0) return i + 1;
  }
  return code.length;
}

function endOfRegex(code: string, start: number): number {
  let isInClass = false;
  for (let i = start + 1; i < code.length && code[i] !== "\n"; i++) {
    if (code[i] === "\\") i += 1;
    else if (code[i] === "[") isInClass = true;
    else if (code[i] === "]") isInClass = false;
    else if (code[i] === "/" && !isInClass) return i + 1;
  }
  return start + 1;
}

/** Reads `code`. What is no JavaScript gives some answer, too; whoever compiles it finds out. */
export function scan(code: string): Scanned {
  const text = blanked(code);
  const starts: number[] = [];
  let depth = 0;
  let isStart = true;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (depth === 0 && isStart && !/[\s;]/.test(char)) {
      starts.push(i);
      isStart = false;
    }
    if (OPEN.includes(char)) depth += 1;
    else if (CLOSE.includes(char)) depth = Math.max(depth - 1, 0);
    if (depth > 0) continue;
    if (char === ";") isStart = true;
    else if (char === "\n" && !goesOn(text, i)) isStart = true;
  }
  const names = starts.flatMap((start, k) => declared(text.slice(start, starts[k + 1] ?? text.length)));
  return { starts, names: [...new Set(names)] };
}

function goesOn(text: string, newline: number): boolean {
  return ENDS_OPEN.test(text.slice(0, newline).trimEnd()) || BEGINS_ON.test(text.slice(newline).trimStart());
}

function declared(statement: string): string[] {
  const named = /^(?:async\s+)?(?:function\s*\*?|class)\s+([\w$]+)/.exec(statement)?.[1];
  if (named !== undefined) return [named];
  const rest = /^(?:const|let|var)\b([\s\S]*)$/.exec(statement)?.[1];
  return rest === undefined ? [] : pieces(rest, ",").flatMap((piece) => boundNames(pieces(piece, "=")[0] ?? ""));
}

/** Cut at a character outside of all brackets. */
function pieces(text: string, at: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (OPEN.includes(char)) depth += 1;
    else if (CLOSE.includes(char)) depth -= 1;
    else if (char === at && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** The names that a pattern binds: `a`, `{ a, b: c, ...d }`, `[a, [b]]`. */
function boundNames(pattern: string): string[] {
  const text = pattern.trim().replace(/^\.\.\./, "");
  if (/^[\w$]+;?$/.test(text)) return [text.replace(";", "")];
  if (!/^[[{]/.test(text)) return [];
  const isObject = text.startsWith("{");
  return pieces(text.slice(1, -1), ",").flatMap((part) => {
    const target = pieces(part, "=")[0] ?? "";
    return boundNames(isObject ? (pieces(target, ":").at(-1) ?? "") : target);
  });
}
