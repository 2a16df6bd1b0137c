// WGSL and JavaScript in colors: for each a tokenizer of one regular expression. Unknown text stays plain, so nothing is ever lost.

export type Look = "comment" | "keyword" | "type" | "number" | "string" | "attribute" | "call" | "plain";

export type Language = "wgsl" | "js";

export interface Span {
  readonly look: Look;
  readonly text: string;
}

interface Grammar {
  readonly keywords: ReadonlySet<string>;
  readonly type: RegExp;
  /** Its named groups are looks; what is in none of them is a word. */
  readonly pattern: RegExp;
}

const words = (text: string) => new Set(text.split(" "));
const NUMBER = String.raw`(?<number>0[xX][0-9a-fA-F]+[iun]?|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[iufhn]?)`;
const COMMENT = String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)`;
const WORD = String.raw`(?<word>[A-Za-z_$][A-Za-z_$0-9]*)`;
const STRING = String.raw`(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\x60(?:[^\x60\\]|\\[\s\S])*\x60)`;

const GRAMMARS: Record<Language, Grammar> = {
  wgsl: {
    keywords: words("alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let loop override requires return struct switch true var while"),
    type: /^(?:bool|[iuf]32|f16|u?int|vec[234][iufh]?|mat[234]x[234][fh]?|array|atomic|ptr|sampler\w*|texture_\w+|[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)$/,
    pattern: new RegExp(`${COMMENT}|(?<attribute>@[a-z_]+)|${NUMBER}|${WORD}`, "g"),
  },
  js: {
    keywords: words("async await break case catch class const continue default delete do else export extends false finally for function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield"),
    type: /^(?:[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)$/,
    pattern: new RegExp(`${COMMENT}|${STRING}|${NUMBER}|${WORD}`, "g"),
  },
};

export function highlight(source: string, language: Language = "wgsl"): Span[] {
  const grammar = GRAMMARS[language];
  const spans: Span[] = [];
  let end = 0;
  for (const match of source.matchAll(grammar.pattern)) {
    if (match.index > end) spans.push({ look: "plain", text: source.slice(end, match.index) });
    end = match.index + match[0].length;
    spans.push({ look: lookOf(match, source[end], grammar), text: match[0] });
  }
  if (end < source.length) spans.push({ look: "plain", text: source.slice(end) });
  return spans;
}

function lookOf(match: RegExpExecArray, next: string | undefined, { keywords, type }: Grammar): Look {
  const groups = match.groups ?? {};
  for (const look of ["comment", "string", "attribute", "number"] as const) {
    if (groups[look] !== undefined) return look;
  }
  if (keywords.has(match[0])) return "keyword";
  if (type.test(match[0])) return "type";
  return next === "(" ? "call" : "plain";
}

/** Spans line by line; a comment over several lines is cut at each. */
export function highlightLines(source: string, language: Language = "wgsl"): Span[][] {
  const lines: Span[][] = [[]];
  for (const { look, text } of highlight(source.replace(/\n$/, ""), language)) {
    text.split("\n").forEach((part, i) => {
      if (i > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ look, text: part });
    });
  }
  return lines;
}

/** The comment a file opens with: its contract. */
export function contractOf(source: string): string {
  const lines: string[] = [];
  for (const line of source.split("\n")) {
    if (!line.startsWith("//")) break;
    lines.push(line.replace(/^\/\/ ?/, ""));
  }
  return lines.join("\n");
}
