import { useEffect, useRef, useState } from "react";
import { cellOf, keepCells, moved, openCells, type Cell, type NotebookSource } from "./document";
import { Kernel, type Device, type Done } from "./sandbox/kernel";
import type { Item } from "./sandbox/messages";

export interface CellOutput {
  readonly state: "waiting" | "running" | "done";
  readonly items: readonly Item[];
  readonly done: Done | null;
}

const MAX_ITEMS = 200;

/** An open notebook: its cells, what they showed, and the kernel that runs them, one at a time. */
export function useNotebook(source: NotebookSource, device: Device) {
  const [cells, setCells] = useState<readonly Cell[]>(() => openCells(source));
  const [outputs, setOutputs] = useState<ReadonlyMap<number, CellOutput>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const kernel = useRef<Kernel | null>(null);
  const queue = useRef<Cell[]>([]);

  const change = (next: readonly Cell[]) => {
    setCells(next);
    keepCells(source, next);
  };
  const put = (id: number, next: (before: CellOutput) => CellOutput) =>
    setOutputs((all) => new Map(all).set(id, next(all.get(id) ?? { state: "waiting", items: [], done: null })));

  const stop = () => {
    queue.current = [];
    kernel.current?.stop();
    kernel.current = null;
    setOutputs((all) => new Map([...all].filter(([, output]) => output.state !== "waiting")));
  };
  // A device is chosen when a kernel is opened, and a page that is left needs none.
  useEffect(() => stop, [device]);

  const work = async () => {
    setRunning(true);
    for (let cell = queue.current.shift(); cell !== undefined; cell = queue.current.shift()) {
      const { id, code } = cell;
      kernel.current ??= new Kernel(device);
      put(id, () => ({ state: "running", items: [], done: null }));
      const hear = (item: Item) => put(id, (before) => (before.items.length < MAX_ITEMS ? { ...before, items: [...before.items, item] } : before));
      const done = await kernel.current.run(`cell-${id}.js`, code, hear);
      put(id, (before) => ({ ...before, state: "done", done }));
      // What follows a mistake would only repeat it.
      if (done.error !== null) {
        queue.current = [];
        setOutputs((all) => new Map([...all].filter(([, output]) => output.state !== "waiting")));
      }
    }
    setRunning(false);
  };
  const run = (wanted: readonly Cell[]) => {
    queue.current.push(...wanted);
    for (const { id } of wanted) put(id, () => ({ state: "waiting", items: [], done: null }));
    if (!isRunning) void work();
  };

  return {
    cells,
    outputs,
    isRunning,
    stop,
    run: (cell: Cell) => run([cell]),
    runAll: () => run(cells),
    edit: (id: number, code: string) => change(cells.map((cell) => (cell.id === id ? { ...cell, code } : cell))),
    add: (index: number) => change([...cells.slice(0, index), cellOf(""), ...cells.slice(index)]),
    move: (index: number, by: -1 | 1) => change(moved(cells, index, by)),
    remove: (id: number) => change(cells.filter((cell) => cell.id !== id)),
    replace: (codes: readonly string[]) => {
      stop();
      setOutputs(new Map());
      change(codes.map(cellOf));
    },
  };
}
