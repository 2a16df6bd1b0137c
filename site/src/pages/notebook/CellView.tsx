import { useId } from "react";
import { Button, IconButton } from "../../ui/Button";
import { Editor } from "../learn/editor/Editor";
import type { Cell } from "./document";
import { ItemView } from "./output/ItemView";
import type { CellOutput } from "./useNotebook";

interface CellProps {
  cell: Cell;
  number: number;
  isLast: boolean;
  output: CellOutput | undefined;
  onRun: () => void;
  onEdit: (code: string) => void;
  onAdd: () => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

export function CellView({ cell, number, isLast, output, onRun, onEdit, onAdd, onMove, onRemove }: CellProps) {
  const errorId = useId();
  const error = output?.done?.error ?? null;
  const name = `Cell ${number}.js`;
  const problems = error === null ? [] : [{ source: "script", severity: "error", message: error.message, file: name, line: error.line, column: null } as const];
  return (
    <section
      className="card nb-cell"
      aria-label={`Cell ${number}`}
      data-state={output?.state ?? "idle"}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey || event.shiftKey)) return;
        event.preventDefault();
        onRun();
      }}
    >
      <div className="nb-bar">
        <Button look="quiet" icon="play" onClick={onRun} aria-label={`Run cell ${number}`}>Run</Button>
        <span className="nb-time" role="status">{timeWords(output)}</span>
        <IconButton icon="send" label={`Move cell ${number} up`} disabled={number === 1} onClick={() => onMove(-1)} />
        <IconButton icon="down" label={`Move cell ${number} down`} disabled={isLast} onClick={() => onMove(1)} />
        <IconButton icon="plus" label={`Add a cell below cell ${number}`} onClick={onAdd} />
        <IconButton icon="trash" label={`Delete cell ${number}`} onClick={onRemove} />
      </div>
      <Editor name={name} text={cell.code} onChange={onEdit} readOnly={false} problems={problems} describedBy={errorId} />
      <div className="nb-output">
        {output?.items.map((item, i) => <ItemView key={i} item={item} />)}
        <div id={errorId}>
          {error !== null && <div className="problem" role="alert"><b>{error.name}{error.line === null ? "" : ` in line ${error.line}`}</b><pre>{error.message}</pre></div>}
        </div>
      </div>
    </section>
  );
}

function timeWords(output: CellOutput | undefined): string {
  if (output === undefined) return "";
  if (output.state !== "done" || output.done === null) return output.state === "running" ? "running …" : "waiting …";
  return output.done.error === null ? `${output.done.elapsedMs < 10 ? output.done.elapsedMs.toFixed(1) : Math.round(output.done.elapsedMs)} ms` : "";
}
