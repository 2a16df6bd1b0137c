// The Markdown that the project's documents use, as blocks: headings, paragraphs, lists, tables, fenced code. Text that is
// something else stays text; nothing is ever taken as HTML.

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly string[] }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[]; readonly right: readonly boolean[] }
  | { readonly kind: "code"; readonly text: string };

export type Inline =
  | { readonly kind: "text" | "code" | "bold" | "italic"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly target: string };

const ITEM = /^\s{0,3}(?:[-*]|\d+\.)\s+/;

export function parseMarkdown(source: string): Block[] {
  const lines = source.replace(/<!--[\s\S]*?-->/g, "").split("\n");
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const [block, end] = readBlock(lines, at);
    if (block !== null) blocks.push(block);
    at = Math.max(end, at + 1);
  }
  return blocks;
}

/** The block that starts at a line, and the line after it. */
function readBlock(lines: readonly string[], at: number): [Block | null, number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [null, at + 1];
  if (line.startsWith("```")) return readCode(lines, at);
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading !== null) return [{ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" }, at + 1];
  if (line.startsWith("|")) return readTable(lines, at);
  if (ITEM.test(line)) return readList(lines, at);
  const end = endOf(lines, at, (next) => next.trim() !== "" && !/^(?:```|#{1,6}\s|\|)/.test(next) && !ITEM.test(next));
  return [{ kind: "paragraph", text: lines.slice(at, end).join(" ") }, end];
}

function endOf(lines: readonly string[], at: number, belongs: (line: string) => boolean): number {
  let end = at + 1;
  while (end < lines.length && belongs(lines[end] ?? "")) end += 1;
  return end;
}

function readCode(lines: readonly string[], at: number): [Block, number] {
  const end = endOf(lines, at, (line) => !line.startsWith("```"));
  return [{ kind: "code", text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function readTable(lines: readonly string[], at: number): [Block, number] {
  const end = endOf(lines, at, (line) => line.startsWith("|"));
  const rows = lines.slice(at, end).map((line) => line.replace(/^\||\|\s*$/g, "").split("|").map((cell) => cell.trim()));
  const right = (rows[1] ?? []).map((cell) => /-:$/.test(cell));
  return [{ kind: "table", rows: rows.filter((_, i) => i !== 1), right }, end];
}

function readList(lines: readonly string[], at: number): [Block, number] {
  const end = endOf(lines, at, (line) => ITEM.test(line) || /^\s{2,}\S/.test(line));
  const items: string[] = [];
  for (const line of lines.slice(at, end)) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return [{ kind: "list", ordered: /^\s*\d/.test(lines[at] ?? ""), items }, end];
}

const INLINE = /`(?<code>[^`]+)`|\*\*(?<bold>[^*]+)\*\*|(?<![\w*])\*(?<italic>[^*\s][^*]*)\*|\[(?<text>[^\]]+)\]\((?<target>[^)\s]+)\)/g;

export function parseInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) parts.push({ kind: "text", text: text.slice(end, match.index) });
    end = match.index + match[0].length;
    const { code, bold, italic, text: label, target } = match.groups ?? {};
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (bold !== undefined) parts.push({ kind: "bold", text: bold });
    else if (italic !== undefined) parts.push({ kind: "italic", text: italic });
    else parts.push({ kind: "link", text: label ?? "", target: target ?? "" });
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}
