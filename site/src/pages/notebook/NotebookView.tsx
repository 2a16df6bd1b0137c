import { useRef, useState } from "react";
import { href } from "../../app/router";
import { download } from "../../lib/files";
import { load, save } from "../../lib/storage";
import { Button } from "../../ui/Button";
import { Choice } from "../../ui/Choice";
import { PageHead } from "../../ui/layout";
import { CellView } from "./CellView";
import { fileText, parseCells, type NotebookSource } from "./document";
import type { Device } from "./sandbox/kernel";
import { useNotebook } from "./useNotebook";

const DEVICES = [{ value: "cpu", label: "CPU" }, { value: "gpu", label: "GPU" }] as const;
const DEVICE_KEY = "notebook-device";

export function NotebookView({ source }: { source: NotebookSource }) {
  const [device, setDevice] = useState<Device>(load(DEVICE_KEY) === "gpu" ? "gpu" : "cpu");
  const [refusal, setRefusal] = useState("");
  const notebook = useNotebook(source, device);
  const field = useRef<HTMLInputElement>(null);
  const { cells, isRunning } = notebook;
  const importFile = async (file: File | undefined) => {
    if (file === undefined) return;
    const codes = parseCells(await file.text());
    setRefusal(codes === null ? `${file.name} is no notebook: a JSON file with a list of cells is needed.` : "");
    if (codes !== null) notebook.replace(codes);
  };
  return (
    <div className="page">
      <nav aria-label="Notebooks" className="lesson-steps"><a href={href("notebook")}>Notebook</a></nav>
      <PageHead title={source.title} lead={source.summary}>
        <Choice label="Device" options={DEVICES} value={device} onChange={(next) => { save(DEVICE_KEY, next); setDevice(next); }} />
      </PageHead>
      <div className="nb-actions">
        <Button look="primary" icon="play" busy={isRunning} onClick={notebook.runAll}>Run all</Button>
        <Button icon="stop" disabled={!isRunning} onClick={notebook.stop}>Stop</Button>
        <span className="bench-spacer" />
        <Button look="quiet" icon="refresh" onClick={() => notebook.replace(source.cells)}>Reset</Button>
        <Button look="quiet" icon="download" onClick={() => download(`${source.id}.notebook.json`, "application/json", fileText(source.title, cells))}>Export</Button>
        <Button look="quiet" icon="list" onClick={() => field.current?.click()}>Import</Button>
        <input ref={field} type="file" accept=".json,application/json" hidden aria-label="Notebook file" onChange={(event) => { void importFile(event.target.files?.[0]); event.target.value = ""; }} />
      </div>
      <p className="output-bad" role="status">{refusal}</p>
      <div className="nb-cells">
        {cells.map((cell, i) => (
          <CellView
            key={cell.id}
            cell={cell}
            number={i + 1}
            isLast={i === cells.length - 1}
            output={notebook.outputs.get(cell.id)}
            onRun={() => notebook.run(cell)}
            onEdit={(code) => notebook.edit(cell.id, code)}
            onAdd={() => notebook.add(i + 1)}
            onMove={(by) => notebook.move(i, by)}
            onRemove={() => notebook.remove(cell.id)}
          />
        ))}
      </div>
      <Button icon="plus" onClick={() => notebook.add(cells.length)}>Add a cell</Button>
      <p className="small">
        Cells have <code>tw</code>, the open device, and <code>plot</code>, <code>scatter</code>, <code>histogram</code>, <code>image</code>, <code>show</code> and <code>print</code>. Ctrl + Enter or Shift + Enter
        runs a cell. The code runs in a frame of its own that can reach neither this page nor the network; edits stay in this browser.
      </p>
    </div>
  );
}
