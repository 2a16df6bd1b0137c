import { createElement } from "react";
import { href } from "../../app/router";
import { useText } from "../../lib/useText";
import { Callout, TableFrame } from "../../ui/layout";
import { documentOfLink, type DocumentFile } from "./documents";
import { parseInline, parseMarkdown, type Block } from "./markdown";

export function DocumentReader({ file }: { file: DocumentFile }) {
  const { text: source, failed } = useText(file);
  if (failed) return <Callout tone="bad" title="This document could not be loaded">Check the connection and open it again.</Callout>;
  if (source === null) return <div className="page-loading" role="status"><span className="spinner" /> Loading {file.path}…</div>;
  return <article className="prose">{parseMarkdown(source).map((block, i) => <BlockView key={i} block={block} />)}</article>;
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      return createElement(`h${Math.min(block.level, 4)}`, null, <Text text={block.text} />);
    case "paragraph":
      return <p><Text text={block.text} /></p>;
    case "list":
      return createElement(block.ordered ? "ol" : "ul", null, block.items.map((item, i) => <li key={i}><Text text={item} /></li>));
    case "code":
      return <pre tabIndex={0} role="region" aria-label="Code">{block.text}</pre>;
    case "table":
      return <Table block={block} />;
  }
}

function Table({ block }: { block: Extract<Block, { kind: "table" }> }) {
  const [head = [], ...body] = block.rows;
  const look = (i: number) => (block.right[i] ? "right" : undefined);
  return (
    <TableFrame label={head.filter((cell) => cell !== "").join(", ")}>
      <thead><tr>{head.map((cell, i) => <th key={i} scope="col" className={look(i)}><Text text={cell} /></th>)}</tr></thead>
      <tbody>{body.map((row, i) => <tr key={i}>{row.map((cell, j) => <td key={j} className={look(j)}><Text text={cell} /></td>)}</tr>)}</tbody>
    </TableFrame>
  );
}

function Text({ text }: { text: string }) {
  return parseInline(text).map((part, i) => {
    if (part.kind === "code") return <code key={i}>{part.text}</code>;
    if (part.kind === "bold") return <strong key={i}><Text text={part.text} /></strong>;
    if (part.kind === "italic") return <em key={i}>{part.text}</em>;
    if (part.kind !== "link") return part.text;
    const document = documentOfLink(part.target);
    if (document !== undefined) return <a key={i} href={href("about", { doc: document.id })}>{part.text}</a>;
    return /^https:\/\//.test(part.target) ? <a key={i} href={part.target} rel="noreferrer">{part.text}</a> : part.text;
  });
}
