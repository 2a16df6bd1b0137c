// The inside of a block of Markdown: code, emphasis and links. Linear in the length of the text, whatever it holds.

export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "bold" | "italic" | "struck"; readonly parts: readonly Inline[] }
  | { readonly kind: "link"; readonly target: string; readonly parts: readonly Inline[] };

type Mark = "*" | "**" | "***" | "_" | "__" | "___" | "~~";

type Token = Inline | { readonly kind: "mark"; readonly mark: Mark; readonly canOpen: boolean; readonly canClose: boolean };

/** Emphasis that is open at once; what is older becomes text. */
const MAX_OPEN = 6;
const MAX_TARGET = 2000;

const SPECIAL = /\\|`+|\*+|_+|~+|!?\[|<https?:|https?:\/\//g;

export function parseInline(text: string): Inline[] {
  return nest(tokensOf(text, true));
}

function tokensOf(text: string, withLinks: boolean): Token[] {
  const tokens: Token[] = [];
  const closers = withLinks ? bracketsOf(text) : new Map<number, number>();
  const codeEnd = codeEndsOf(text);
  let done = 0;
  const add = (token: Token, start: number, end: number) => {
    if (start > done) tokens.push({ kind: "text", text: text.slice(done, start) });
    tokens.push(token);
    SPECIAL.lastIndex = done = end;
  };
  SPECIAL.lastIndex = 0;
  for (let found = SPECIAL.exec(text); found !== null; found = SPECIAL.exec(text)) {
    const at = found.index;
    const [special] = found;
    const after = at + special.length;
    if (special === "\\") {
      if (/[!-/:-@[-`{-~]/.test(text[after] ?? "")) add({ kind: "text", text: text[after] ?? "" }, at, after + 1);
    } else if (special[0] === "`") {
      const end = codeEnd(at, special.length);
      if (end !== null) add({ kind: "code", text: codeText(text.slice(after, end)) }, at, end + special.length);
    } else if (special.endsWith("[")) {
      const link = withLinks ? linkAt(text, after - 1, closers.get(after - 1)) : null;
      if (link !== null) add(link.token, at, link.end);
    } else if (special[0] === "<" || special[0] === "h") {
      const link = withLinks ? addressAt(text, at) : null;
      if (link !== null) add(link.token, at, link.end);
    } else {
      const mark = markAt(text, at, special);
      if (mark !== null) add(mark, at, after);
    }
  }
  if (done < text.length) tokens.push({ kind: "text", text: text.slice(done) });
  return tokens;
}

/** Finds where the code that a run of backticks opens ends: at the next run of the same length. Asked from left to right. */
function codeEndsOf(text: string): (at: number, length: number) => number | null {
  const runs = new Map<number, number[]>();
  for (const run of text.matchAll(/`+/g)) {
    const known = runs.get(run[0].length);
    if (known === undefined) runs.set(run[0].length, [run.index]);
    else known.push(run.index);
  }
  for (const known of runs.values()) known.reverse();
  return (at, length) => {
    const known = runs.get(length) ?? [];
    while (known.length > 0 && (known.at(-1) ?? 0) <= at) known.pop();
    return known.at(-1) ?? null;
  };
}

/** One space on each side only keeps backticks apart. */
function codeText(text: string): string {
  return text.length > 2 && text.startsWith(" ") && text.endsWith(" ") ? text.slice(1, -1) : text;
}

/** Where the bracket that opens at a place closes. */
function bracketsOf(text: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: bracket, index } of text.matchAll(/\\.|[[\]]/gs)) {
    if (bracket === "[") open.push(index);
    else if (bracket === "]") {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, index);
    }
  }
  return pairs;
}

interface Placed {
  readonly token: Inline;
  readonly end: number;
}

/** `[label](target "title")`; the title is dropped. */
function linkAt(text: string, start: number, close: number | undefined): Placed | null {
  if (close === undefined || text[close + 1] !== "(") return null;
  const end = targetEnd(text, close + 2);
  if (end === null) return null;
  const target = (text.slice(close + 2, end).trim().split(/\s/, 1)[0] ?? "").replace(/^<|>$/g, "");
  const label = text.slice(start + 1, close);
  return { token: { kind: "link", target, parts: nest(tokensOf(label === "" ? target : label, false)) }, end: end + 1 };
}

/** The parenthesis that closes a target; one pair inside is part of it. */
function targetEnd(text: string, start: number): number | null {
  let open = 0;
  const limit = Math.min(text.length, start + MAX_TARGET);
  for (let at = start; at < limit; at++) {
    const character = text[at];
    if (character === "\n") return null;
    if (character === "(" && ++open > 1) return null;
    if (character === ")" && --open < 0) return at;
  }
  return null;
}

const ADDRESS = /(<?)(https?:\/\/[^\s<>"`\\^{|}]{1,2000})(>?)/y;

/** A bare address, or one in angle brackets. */
function addressAt(text: string, at: number): Placed | null {
  if (/\w/.test(text[at - 1] ?? "")) return null;
  ADDRESS.lastIndex = at;
  const found = ADDRESS.exec(text);
  if (found === null) return null;
  const [, open = "", whole = "", close = ""] = found;
  if (open !== "") {
    if (close === "") return null;
    return { token: { kind: "link", target: whole, parts: [{ kind: "text", text: whole }] }, end: ADDRESS.lastIndex };
  }
  const target = withoutTail(whole);
  return { token: { kind: "link", target, parts: [{ kind: "text", text: target }] }, end: at + target.length };
}

/** Without the punctuation of the sentence that an address ends. */
function withoutTail(address: string): string {
  let end = address.length;
  const nOpen = address.split("(").length;
  let nClose = address.split(")").length;
  for (; end > 0; end--) {
    const last = address[end - 1] ?? "";
    if (last === ")" && nClose > nOpen) nClose -= 1;
    else if (!/[.,;:!?'*_~\]]/.test(last)) break;
  }
  return address.slice(0, end);
}

function markAt(text: string, at: number, run: string): Token | null {
  const isStruck = run[0] === "~";
  if (isStruck ? run.length !== 2 : run.length > 3) return null;
  const before = text[at - 1] ?? " ";
  const after = text[at + run.length] ?? " ";
  // Underscores inside of words are part of names, single stars between words multiply.
  const isStrict = run[0] === "_" || run === "*";
  const canOpen = !/\s/.test(after) && !(isStrict && /\w/.test(before));
  const canClose = !/\s/.test(before) && !(isStrict && /\w/.test(after));
  return canOpen || canClose ? { kind: "mark", mark: run as Mark, canOpen, canClose } : null;
}

interface Frame {
  readonly mark: Mark | "";
  readonly parts: Inline[];
}

/** Pairs the marks; those without a partner are text. */
function nest(tokens: readonly Token[]): Inline[] {
  const root: Frame = { mark: "", parts: [] };
  const open: Frame[] = [];
  const top = () => open.at(-1) ?? root;
  for (const token of tokens) {
    if (token.kind !== "mark") {
      append(top(), token);
      continue;
    }
    const partner = token.canClose ? open.map((frame) => frame.mark).lastIndexOf(token.mark) : -1;
    if (partner >= 0) {
      while (open.length > partner + 1) flatten(open.pop(), top());
      const { parts } = open.pop() ?? root;
      append(top(), emphasis(token.mark, parts));
    } else if (token.canOpen) {
      if (open.length >= MAX_OPEN) flatten(open.shift(), root);
      open.push({ mark: token.mark, parts: [] });
    } else {
      append(top(), { kind: "text", text: token.mark });
    }
  }
  while (open.length > 0) flatten(open.pop(), top());
  return root.parts;
}

function emphasis(mark: Mark, parts: readonly Inline[]): Inline {
  if (mark === "~~") return { kind: "struck", parts };
  if (mark.length === 1) return { kind: "italic", parts };
  return { kind: "bold", parts: mark.length === 2 ? parts : [{ kind: "italic", parts }] };
}

/** What had no end goes to the frame around it, its mark as text. */
function flatten(frame: Frame | undefined, into: Frame): void {
  if (frame === undefined) return;
  append(into, { kind: "text", text: frame.mark });
  for (const part of frame.parts) append(into, part);
}

function append(frame: Frame, part: Inline): void {
  const last = frame.parts.at(-1);
  if (part.kind === "text" && last?.kind === "text") frame.parts[frame.parts.length - 1] = { kind: "text", text: last.text + part.text };
  else frame.parts.push(part);
}
