// What the sandboxed frame may say, and the reading of it. Host code can post anything, so nothing is believed: what does not fit
// is dropped, what is too large is cut.

export type Severity = "error" | "warning" | "info";

/** Something wrong with the code, at a line of one of its files where that is known. */
export interface Problem {
  /** Who says so: WebGPU's shader compiler, its validation, or JavaScript. */
  readonly source: "wgsl" | "gpu" | "script";
  readonly severity: Severity;
  readonly message: string;
  readonly file: string;
  /** From 1; null if unknown. */
  readonly line: number | null;
  readonly column: number | null;
}

export interface Picture {
  readonly pixels: readonly number[];
  readonly caption: string;
  readonly wrong: boolean;
}

/** What host code shows. */
export type ShowItem =
  | { readonly type: "text"; readonly level: "log" | "warn" | "error"; readonly text: string }
  | { readonly type: "facts"; readonly title: string; readonly pairs: readonly (readonly [string, string])[] }
  | { readonly type: "table"; readonly title: string; readonly values: readonly number[]; readonly nRows: number; readonly nCols: number; readonly isCut: boolean }
  | { readonly type: "bars"; readonly title: string; readonly values: readonly number[]; readonly labels: readonly string[] }
  | { readonly type: "images"; readonly title: string; readonly width: number; readonly height: number; readonly images: readonly Picture[] };

export type FrameMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "done" }
  | { readonly kind: "show"; readonly item: ShowItem }
  | { readonly kind: "problem"; readonly problem: Problem }
  | { readonly kind: "answer"; readonly index: number; readonly value: unknown; readonly nSubmits: number };

const MAX_TEXT = 4000;
const MAX_ROWS = 24;
const MAX_COLS = 24;
const MAX_BARS = 64;
const MAX_IMAGES = 240;
const MAX_SIDE = 64;

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function text(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX_TEXT) : "";
}

function numbers(value: unknown): number[] | null {
  return Array.isArray(value) && value.every((one) => typeof one === "number") ? value : null;
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : null;
}

/** The message, or null for what is none. */
export function readMessage(data: unknown): FrameMessage | null {
  if (!isFields(data)) return null;
  switch (data["kind"]) {
    case "ready":
    case "done":
      return { kind: data["kind"] };
    case "log": {
      const level = data["level"] === "warn" || data["level"] === "error" ? data["level"] : "log";
      return { kind: "show", item: { type: "text", level, text: text(data["text"]) } };
    }
    case "show": {
      const item = readItem(data["item"]);
      return item === null ? null : { kind: "show", item };
    }
    case "problem": {
      const problem = readProblem(data["problem"]);
      return problem === null ? null : { kind: "problem", problem };
    }
    case "answer":
      return { kind: "answer", index: count(data["index"]) ?? 0, value: data["value"], nSubmits: count(data["nSubmits"]) ?? 0 };
    default:
      return null;
  }
}

function readProblem(data: unknown): Problem | null {
  if (!isFields(data)) return null;
  const { source, severity } = data;
  return {
    source: source === "wgsl" || source === "gpu" ? source : "script",
    severity: severity === "warning" || severity === "info" ? severity : "error",
    message: text(data["message"]) || "no message",
    file: text(data["file"]),
    line: count(data["line"]) || null,
    column: count(data["column"]) || null,
  };
}

function readItem(data: unknown): ShowItem | null {
  if (!isFields(data)) return null;
  const title = text(data["title"]);
  switch (data["type"]) {
    case "facts": {
      const pairs = Array.isArray(data["pairs"]) ? data["pairs"] : [];
      return { type: "facts", title, pairs: pairs.filter(Array.isArray).slice(0, MAX_BARS).map(([name, value]) => [text(name), text(value)] as const) };
    }
    case "table":
      return readTable(title, data);
    case "bars": {
      const values = numbers(data["values"]);
      const labels = Array.isArray(data["labels"]) ? data["labels"].map(text) : [];
      return values === null ? null : { type: "bars", title, values: values.slice(0, MAX_BARS), labels };
    }
    case "images":
      return readImages(title, data);
    default:
      return null;
  }
}

function readTable(title: string, data: Fields): ShowItem | null {
  const values = numbers(data["values"]);
  const nRows = count(data["nRows"]) ?? 1;
  const nCols = count(data["nCols"]) ?? values?.length ?? 0;
  if (values === null) return null;
  const shown = { nRows: Math.min(nRows, MAX_ROWS), nCols: Math.min(nCols, MAX_COLS) };
  const kept: number[] = [];
  for (let row = 0; row < shown.nRows; row++) {
    for (let col = 0; col < shown.nCols; col++) kept.push(values[row * nCols + col] ?? Number.NaN);
  }
  return { type: "table", title, values: kept, ...shown, isCut: shown.nRows < nRows || shown.nCols < nCols };
}

function readImages(title: string, data: Fields): ShowItem | null {
  const width = count(data["width"]) ?? 0;
  const height = count(data["height"]) ?? 0;
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE || !Array.isArray(data["images"])) return null;
  const images = data["images"].slice(0, MAX_IMAGES).filter(isFields).map((image) => ({
    pixels: (numbers(image["pixels"]) ?? []).slice(0, width * height),
    caption: text(image["caption"]),
    wrong: image["wrong"] === true,
  }));
  return { type: "images", title, width, height, images };
}
