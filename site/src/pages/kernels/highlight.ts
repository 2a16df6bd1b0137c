// WGSL in colors: a tokenizer of one regular expression. Unknown text stays plain, so nothing is ever lost.

export type Look = "comment" | "keyword" | "type" | "number" | "attribute" | "call" | "plain";

export interface Span {
  readonly look: Look;
  readonly text: string;
}

const KEYWORDS = new Set(
  ("alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let loop override requires " +
    "return struct switch true var while").split(" "),
);

const TYPE = /^(?:bool|[iuf]32|f16|u?int|vec[234][iufh]?|mat[234]x[234][fh]?|array|atomic|ptr|sampler\w*|texture_\w+|[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)$/;

const PATTERN =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<attribute>@[a-z_]+)|(?<number>0[xX][0-9a-fA-F]+[iu]?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[iufh]?)|(?<word>[A-Za-z_][A-Za-z_0-9]*)/g;

export function highlight(source: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const match of source.matchAll(PATTERN)) {
    if (match.index > end) spans.push({ look: "plain", text: source.slice(end, match.index) });
    end = match.index + match[0].length;
    spans.push({ look: lookOf(match, source[end]), text: match[0] });
  }
  if (end < source.length) spans.push({ look: "plain", text: source.slice(end) });
  return spans;
}

function lookOf(match: RegExpExecArray, next: string | undefined): Look {
  const { comment, attribute, number } = match.groups ?? {};
  if (comment !== undefined) return "comment";
  if (attribute !== undefined) return "attribute";
  if (number !== undefined) return "number";
  if (KEYWORDS.has(match[0])) return "keyword";
  if (TYPE.test(match[0])) return "type";
  return next === "(" ? "call" : "plain";
}

/** Spans line by line; a comment over several lines is cut at each. */
export function highlightLines(source: string): Span[][] {
  const lines: Span[][] = [[]];
  for (const { look, text } of highlight(source.replace(/\n$/, ""))) {
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
