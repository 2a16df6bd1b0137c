import { memo } from "react";
import { CopyButton } from "../Button";
import { highlightLines } from "./highlight";
import "./code.css";

/** WGSL with line numbers; they are not part of what is selected or read aloud. */
export const CodeView = memo(function CodeView({ name, source }: { name: string; source: string }) {
  const lines = highlightLines(source);
  return (
    <div className="code">
      <div className="code-head">
        <span className="mono">{name}</span>
        <span className="small">{lines.length} lines</span>
        <CopyButton look="quiet" text={() => source} />
      </div>
      <pre role="region" aria-label={`Source of ${name}`} tabIndex={0}>
        <code>
          {lines.map((spans, i) => (
            <span key={i} className="code-line" data-line={i + 1}>
              {spans.map((span, j) => (span.look === "plain" ? span.text : <span key={j} className={`code-${span.look}`}>{span.text}</span>))}
              {"\n"}
            </span>
          ))}
        </code>
      </pre>
    </div>
  );
});
