import { useMemo, type KeyboardEvent } from "react";
import { highlightLines, type Language, type Span } from "../../../ui/code/highlight";
import type { Problem } from "../sandbox/messages";
import { byLine, shorten } from "../sandbox/problems";
import { indentAfter } from "./indent";

interface EditorProps {
  name: string;
  text: string;
  onChange: (text: string) => void;
  readOnly: boolean;
  problems: readonly Problem[];
  /** The id of the list that says the problems in words. */
  describedBy: string;
}

/**
 * A plain text field above a colored copy of its text. The field does the editing, so undo, selection, touch and screen readers
 * work as everywhere; its own letters are transparent. Tab leaves it, as it must for those who have no mouse.
 */
export function Editor({ name, text, onChange, readOnly, problems, describedBy }: EditorProps) {
  const language: Language = name.endsWith(".js") ? "js" : "wgsl";
  // One more newline, so that an empty last line has its number and its height.
  const lines = useMemo(() => highlightLines(`${text}\n`, language), [text, language]);
  const marks = byLine(problems, name);
  return (
    <div className="editor">
      <div className="editor-sheet">
        <pre aria-hidden="true">
          {lines.map((spans, i) => <Line key={i} number={i + 1} spans={spans} problems={marks.get(i + 1)} />)}
        </pre>
        <textarea
          aria-label={name}
          aria-describedby={describedBy}
          aria-invalid={problems.some((problem) => problem.file === name && problem.severity === "error")}
          aria-keyshortcuts="Control+Enter"
          value={text}
          readOnly={readOnly}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          wrap="off"
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={keepIndent}
        />
      </div>
    </div>
  );
}

function Line({ number, spans, problems }: { number: number; spans: readonly Span[]; problems: readonly Problem[] | undefined }) {
  const worst = problems?.find((problem) => problem.severity === "error") ?? problems?.[0];
  return (
    <span className={worst === undefined ? "code-line" : `code-line code-line-${worst.severity}`} data-line={number}>
      {spans.map((span, i) => (span.look === "plain" ? span.text : <span key={i} className={`code-${span.look}`}>{span.text}</span>))}
      {worst !== undefined && <span className="line-problem">{shorten(worst.message).split("\n")[0]}</span>}
      {"\n"}
    </span>
  );
}

/** Enter starts the next line where this one started. Through the editing command, which keeps the field's undo. */
function keepIndent(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
  const field = event.currentTarget;
  const indent = indentAfter(field.value.slice(0, field.selectionStart));
  if (field.readOnly || indent === "") return;
  if (document.execCommand("insertText", false, `\n${indent}`)) event.preventDefault();
}
