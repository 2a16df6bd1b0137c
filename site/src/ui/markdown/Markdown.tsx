import { createElement, memo, type ReactNode } from "react";
import { CopyButton } from "../Button";
import { TableFrame } from "../layout";
import { parseMarkdown, splitBlocks, type Block } from "./blocks";
import { parseInline, type Inline } from "./inline";
import { outsideAddress } from "./links";
import "./markdown.css";

interface MarkdownProps {
  source: string;
  /** The level that the first level of headings gets on this page. */
  topLevel?: number;
  /** The address that a link leads to; null leaves its text only. One function for all renders, since blocks are remembered. */
  resolve?: (target: string) => string | null;
}

/** Markdown as elements. Nothing in it is taken as HTML, nothing is loaded, and links lead where `resolve` says. */
export const Markdown = memo(function Markdown({ source, topLevel = 1, resolve = outsideAddress }: MarkdownProps) {
  return splitBlocks(source).map((text, i) => <TopBlock key={i} text={text} topLevel={topLevel} resolve={resolve} />);
});

type Look = Required<Pick<MarkdownProps, "topLevel" | "resolve">>;

/** While a text is written only its last block changes. */
const TopBlock = memo(function TopBlock({ text, ...look }: { text: string } & Look) {
  return parseMarkdown(text).map((block, i) => <BlockView key={i} block={block} {...look} />);
});

function BlockView({ block, ...look }: { block: Block } & Look) {
  const text = (words: string) => <Inlines parts={parseInline(words)} resolve={look.resolve} />;
  switch (block.kind) {
    case "heading":
      return createElement(`h${Math.min(block.level + look.topLevel - 1, 6)}`, null, text(block.text));
    case "paragraph":
      return <p>{text(block.text)}</p>;
    case "list": {
      const items = block.items.map((item, i) => <li key={i}>{item.map((inner, j) => <BlockView key={j} block={inner} {...look} />)}</li>);
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case "quote":
      return <blockquote>{block.blocks.map((inner, i) => <BlockView key={i} block={inner} {...look} />)}</blockquote>;
    case "code":
      return <CodeBlock language={block.language} text={block.text} />;
    case "table":
      return <Table block={block} text={text} />;
    case "rule":
      return <hr />;
  }
}

function CodeBlock({ language, text }: { language: string; text: string }) {
  return (
    <div className="markdown-code">
      <div className="markdown-code-head">
        <span className="mono">{language.slice(0, 30)}</span>
        <CopyButton look="quiet" text={() => text} />
      </div>
      <pre tabIndex={0} role="region" aria-label="Code">{text}</pre>
    </div>
  );
}

function Table({ block, text }: { block: Extract<Block, { kind: "table" }>; text: (words: string) => ReactNode }) {
  const [head = [], ...body] = block.rows;
  const look = (i: number) => (block.right[i] ? "right" : undefined);
  return (
    <TableFrame label={head.filter((cell) => cell !== "").join(", ") || "Table"}>
      <thead><tr>{head.map((cell, i) => <th key={i} scope="col" className={look(i)}>{text(cell)}</th>)}</tr></thead>
      <tbody>{body.map((row, i) => <tr key={i}>{row.map((cell, j) => <td key={j} className={look(j)}>{text(cell)}</td>)}</tr>)}</tbody>
    </TableFrame>
  );
}

function Inlines({ parts, resolve }: { parts: readonly Inline[]; resolve: Look["resolve"] }) {
  return parts.map((part, i) => {
    switch (part.kind) {
      case "text":
        return part.text;
      case "code":
        return <code key={i}>{part.text}</code>;
      case "bold":
        return <strong key={i}><Inlines parts={part.parts} resolve={resolve} /></strong>;
      case "italic":
        return <em key={i}><Inlines parts={part.parts} resolve={resolve} /></em>;
      case "struck":
        return <del key={i}><Inlines parts={part.parts} resolve={resolve} /></del>;
      case "link":
        return <Link key={i} address={resolve(part.target)} label={<Inlines parts={part.parts} resolve={resolve} />} />;
    }
  });
}

function Link({ address, label }: { address: string | null; label: ReactNode }) {
  if (address === null) return label;
  if (address.startsWith("#")) return <a href={address}>{label}</a>;
  // The title says where it leads, whatever its text claims.
  return <a href={address} title={address} target="_blank" rel="noopener noreferrer nofollow">{label}</a>;
}
