// Notebooks as data: a title and cells. Edits are kept as text in this browser, only where they differ from the notebook of the gallery.
import { forget, load, save } from "../../lib/storage";

export interface NotebookSource {
  /** Its address: "#/notebook/id". */
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly cells: readonly string[];
}

export interface Cell {
  readonly id: number;
  readonly code: string;
}

let nextId = 1;

export function cellOf(code: string): Cell {
  return { id: nextId++, code };
}

const key = (id: string) => `notebook:${id}`;

/** The cells of a notebook as they were left. */
export function openCells(source: NotebookSource): Cell[] {
  return (parseCells(load(key(source.id))) ?? source.cells).map(cellOf);
}

export function keepCells(source: NotebookSource, cells: readonly Cell[]): void {
  const codes = cells.map(({ code }) => code);
  if (JSON.stringify(codes) === JSON.stringify(source.cells)) forget(key(source.id));
  else save(key(source.id), JSON.stringify({ cells: codes }));
}

/** The cells in a file or in what was kept; null if there are none to read. */
export function parseCells(text: string | null): string[] | null {
  if (text === null) return null;
  try {
    const read = JSON.parse(text) as unknown;
    const cells = typeof read === "object" && read !== null ? (read as { cells?: unknown }).cells : null;
    return Array.isArray(cells) && cells.every((cell) => typeof cell === "string") ? cells : null;
  } catch {
    return null;
  }
}

/** A notebook as a file. */
export function fileText(title: string, cells: readonly Cell[]): string {
  return `${JSON.stringify({ title, cells: cells.map(({ code }) => code) }, null, 2)}\n`;
}

/** With the cell at `index` moved by one place, if there is one. */
export function moved(cells: readonly Cell[], index: number, by: -1 | 1): Cell[] {
  const next = [...cells];
  const [here, there] = [next[index], next[index + by]];
  if (here === undefined || there === undefined) return next;
  [next[index], next[index + by]] = [there, here];
  return next;
}
