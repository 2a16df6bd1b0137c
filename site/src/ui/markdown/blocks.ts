// Markdown as blocks: headings, paragraphs, lists, quotes, tables, rules and fenced code. Text that is something else stays text, and
// nothing is ever taken as HTML. The text may be a model's: it may be unfinished (an open fence runs to the end), hostile, or one line
// of a megabyte. So every step is linear in its length, and nesting has an end.

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly ordered: boolean; readonly start: number; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[]; readonly right: readonly boolean[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "rule" };

/** Lists and quotes inside each other; what is deeper is a paragraph. */
const MAX_DEPTH = 8;

/** A block, and the line after it. */
type Found = readonly [block: Block | null, end: number];

export function parseMarkdown(source: string): Block[] {
  return parseLines(linesOf(source), 0);
}

/**
 * The text of each block at the outermost level; `parseMarkdown` of one gives that one block. While a text grows only the last of
 * them changes, so the others need not be rendered again.
 */
export function splitBlocks(source: string): string[] {
  const lines = linesOf(source);
  return eachBlock(lines, 0).map(([, start, end]) => lines.slice(start, end).join("\n"));
}

function linesOf(source: string): string[] {
  return source.split(/\r\n?|\n/);
}

function parseLines(lines: readonly string[], depth: number): Block[] {
  return eachBlock(lines, depth).map(([block]) => block);
}

function eachBlock(lines: readonly string[], depth: number): [Block, number, number][] {
  const blocks: [Block, number, number][] = [];
  let at = 0;
  while (at < lines.length) {
    const [block, end] = readBlock(lines, at, depth);
    if (block !== null) blocks.push([block, at, end]);
    at = Math.max(end, at + 1);
  }
  return blocks;
}

function readBlock(lines: readonly string[], at: number, depth: number): Found {
  const line = lines[at] ?? "";
  if (isBlank(line)) return [null, at + 1];
  const fence = fenceOf(line);
  if (fence !== null) return readCode(lines, at, fence);
  const heading = /^ {0,3}(#{1,6})[ \t]+/.exec(line);
  if (heading !== null) return [{ kind: "heading", level: heading[1]?.length ?? 1, text: headingText(line.slice(heading[0].length)) }, at + 1];
  if (isRule(line)) return [{ kind: "rule" }, at + 1];
  if (isTable(lines, at)) return readTable(lines, at);
  if (depth < MAX_DEPTH && isQuote(line)) return readQuote(lines, at, depth);
  if (depth < MAX_DEPTH && markerOf(line) !== null) return readList(lines, at, depth);
  let end = at + 1;
  while (end < lines.length && !interrupts(lines, end, depth)) end += 1;
  return [{ kind: "paragraph", text: lines.slice(at, end).map((text) => text.trim()).join("\n") }, end];
}

/** Whether a line ends the paragraph above it. */
function interrupts(lines: readonly string[], at: number, depth: number): boolean {
  const line = lines[at] ?? "";
  if (isBlank(line) || fenceOf(line) !== null || /^ {0,3}#{1,6}[ \t]/.test(line) || isRule(line) || isTable(lines, at)) return true;
  return depth < MAX_DEPTH && (isQuote(line) || markerOf(line) !== null);
}

function isBlank(line: string): boolean {
  return line.trim() === "";
}

/** Without the closing number signs that a heading may have. */
function headingText(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (trimmed[end - 1] === "#") end -= 1;
  return end < trimmed.length && /[ \t]/.test(trimmed[end - 1] ?? " ") ? trimmed.slice(0, end).trim() : trimmed.trim();
}

/** At least three of one of - * _ and nothing else. */
function isRule(line: string): boolean {
  const first = line.trimStart()[0];
  if (first !== "-" && first !== "*" && first !== "_") return false;
  let n = 0;
  for (const character of line) {
    if (character === first) n += 1;
    else if (character !== " " && character !== "\t") return false;
  }
  return n >= 3;
}

interface Fence {
  readonly mark: string;
  readonly language: string;
}

function fenceOf(line: string): Fence | null {
  const found = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line);
  if (found === null) return null;
  return { mark: found[1] ?? "```", language: (found[2] ?? "").trim().split(/\s/, 1)[0] ?? "" };
}

function readCode(lines: readonly string[], at: number, fence: Fence): Found {
  const closes = (line: string) => {
    const mark = line.trim();
    return mark.length >= fence.mark.length && mark.startsWith(fence.mark) && fenceOf(line)?.language === "";
  };
  let end = at + 1;
  while (end < lines.length && !closes(lines[end] ?? "")) end += 1;
  return [{ kind: "code", language: fence.language, text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function isTable(lines: readonly string[], at: number): boolean {
  const next = lines[at + 1];
  return (lines[at] ?? "").includes("|") && next !== undefined && next.includes("|") && next.includes("-") && /^[ \t|:-]+$/.test(next);
}

function readTable(lines: readonly string[], at: number): Found {
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? "").includes("|")) end += 1;
  const right = cellsOf(lines[at + 1] ?? "").map((cell) => cell.endsWith("-:"));
  const rows = [at, ...Array.from({ length: end - at - 2 }, (_, i) => at + 2 + i)].map((i) => cellsOf(lines[i] ?? ""));
  return [{ kind: "table", rows, right }, end];
}

/** The cells of a row; a bar behind a backslash is part of its cell. */
function cellsOf(line: string): string[] {
  const cells = line.trim().split("|");
  if (cells[0] === "") cells.shift();
  if (cells.length > 1 && cells.at(-1) === "") cells.pop();
  const joined: string[] = [];
  for (const cell of cells) {
    const last = joined.at(-1);
    if (last?.endsWith("\\") === true) joined[joined.length - 1] = `${last.slice(0, -1)}|${cell}`;
    else joined.push(cell);
  }
  return joined.map((cell) => cell.trim());
}

function isQuote(line: string): boolean {
  return /^ {0,3}>/.test(line);
}

function readQuote(lines: readonly string[], at: number, depth: number): Found {
  let end = at + 1;
  while (end < lines.length && isQuote(lines[end] ?? "")) end += 1;
  const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ""));
  return [{ kind: "quote", blocks: parseLines(inner, depth + 1) }, end];
}

interface Marker {
  readonly ordered: boolean;
  readonly number: number;
  /** Where the item's text starts. */
  readonly width: number;
}

function markerOf(line: string): Marker | null {
  const found = /^( {0,3})([-*+]|\d{1,9}[.)])([ \t]+|$)/.exec(line);
  if (found === null) return null;
  const [, indent = "", mark = "", space = ""] = found;
  // More than four spaces belong to the text.
  const width = indent.length + mark.length + (space.length > 4 ? 1 : Math.max(space.length, 1));
  return { ordered: mark.length > 1, number: parseInt(mark, 10) || 0, width };
}

function readList(lines: readonly string[], at: number, depth: number): Found {
  const first = markerOf(lines[at] ?? "");
  if (first === null) return [null, at + 1];
  const items: Block[][] = [];
  let end = at;
  while (end < lines.length) {
    const start = afterBlanks(lines, end);
    const marker = markerOf(lines[start] ?? "");
    if (marker === null || marker.ordered !== first.ordered || isRule(lines[start] ?? "")) break;
    const [inner, after] = readItem(lines, start, marker);
    items.push(parseLines(inner, depth + 1));
    end = after;
  }
  return [{ kind: "list", ordered: first.ordered, start: first.number, items }, end];
}

/** The lines of an item without their indentation. */
function readItem(lines: readonly string[], at: number, marker: Marker): [string[], number] {
  const inner = [(lines[at] ?? "").slice(marker.width)];
  let end = at + 1;
  while (end < lines.length) {
    const next = afterBlanks(lines, end);
    const line = lines[next] ?? "";
    // Models indent by two wherever they start.
    const isInside = next < lines.length && indentOf(line) >= Math.min(marker.width, 2);
    const goesOn = next === end && !isInside && markerOf(line) === null && !interrupts(lines, next, 0);
    if (!isInside && !goesOn) break;
    for (; end < next; end++) inner.push("");
    inner.push(dedent(line, marker.width));
    end = next + 1;
  }
  return [inner, end];
}

function afterBlanks(lines: readonly string[], at: number): number {
  let next = at;
  while (next < lines.length && isBlank(lines[next] ?? "")) next += 1;
  return next;
}

function indentOf(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === " ") width += 1;
    else if (character === "\t") width += 4;
    else break;
  }
  return width;
}

function dedent(line: string, width: number): string {
  let at = 0;
  for (let left = width; left > 0 && (line[at] === " " || line[at] === "\t"); at++) left -= line[at] === "\t" ? 4 : 1;
  return line.slice(at);
}
