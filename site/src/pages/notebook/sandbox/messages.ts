// What a notebook's worker says. Its code is anybody's, so every message is looked at before it is believed.

/** Something to show under a cell. */
export type Item =
  | { readonly kind: "text"; readonly text: string; readonly look: "plain" | "value" | "warn" }
  | { readonly kind: "table"; readonly title: string; readonly rows: readonly (readonly string[])[]; readonly head: readonly string[]; readonly side: readonly string[] }
  | { readonly kind: "plot"; readonly look: "line" | "scatter" | "bars"; readonly title: string; readonly series: readonly PlotSeries[] }
  | { readonly kind: "image"; readonly title: string; readonly width: number; readonly height: number; readonly rgba: Uint8ClampedArray<ArrayBuffer> };

export interface PlotSeries {
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export interface CellError {
  /** "TypeError", or "shape" for a mistake that the engine found. */
  readonly name: string;
  readonly message: string;
  readonly line: number | null;
}

export type FromRuntime =
  | { readonly kind: "ready" }
  | { readonly kind: "opened"; readonly device: string }
  | { readonly kind: "refused" | "broken"; readonly message: string }
  | { readonly kind: "item"; readonly run: number; readonly item: Item }
  | { readonly kind: "done"; readonly run: number; readonly elapsedMs: number; readonly error: CellError | null };

export type ToRuntime =
  | { readonly kind: "open"; readonly device: "cpu" | "gpu"; readonly wasm: ArrayBuffer }
  | { readonly kind: "run"; readonly run: number; readonly name: string; readonly code: string };

const MAX_TEXT = 20_000;
const MAX_NUMBERS = 100_000;
const MAX_PIXELS = 4_000_000;

type Raw = Readonly<Record<string, unknown>>;

export function readMessage(data: unknown): FromRuntime | null {
  if (!isRaw(data)) return null;
  switch (data["kind"]) {
    case "ready":
      return { kind: "ready" };
    case "opened":
      return { kind: "opened", device: text(data["device"]) };
    case "refused":
    case "broken":
      return { kind: data["kind"], message: text(data["message"]) };
    case "item": {
      const item = readItem(data["item"]);
      return item === null ? null : { kind: "item", run: number(data["run"]), item };
    }
    case "done":
      return { kind: "done", run: number(data["run"]), elapsedMs: number(data["elapsedMs"]), error: readError(data["error"]) };
    default:
      return null;
  }
}

function readError(error: unknown): CellError | null {
  if (!isRaw(error)) return null;
  const line = error["line"];
  return { name: text(error["name"]), message: text(error["message"]), line: typeof line === "number" ? line : null };
}

function readItem(item: unknown): Item | null {
  if (!isRaw(item)) return null;
  switch (item["kind"]) {
    case "text": {
      const look = item["look"];
      return { kind: "text", text: text(item["text"]), look: look === "value" || look === "warn" ? look : "plain" };
    }
    case "table": {
      const rows = list(item["rows"]).slice(0, 100).map((row) => list(row).slice(0, 100).map(text));
      return { kind: "table", title: text(item["title"]), rows, head: list(item["head"]).map(text), side: list(item["side"]).map(text) };
    }
    case "plot":
      return readPlot(item);
    case "image": {
      const [width, height, rgba] = [number(item["width"]), number(item["height"]), item["rgba"]];
      const fits = rgba instanceof Uint8ClampedArray && width >= 1 && height >= 1 && width * height <= MAX_PIXELS && rgba.length === width * height * 4;
      return fits ? { kind: "image", title: text(item["title"]), width, height, rgba: rgba as Uint8ClampedArray<ArrayBuffer> } : null;
    }
    default:
      return null;
  }
}

function readPlot(item: Raw): Item {
  const look = item["look"];
  const series = list(item["series"]).slice(0, 12).filter(isRaw).map((one) => ({
    name: text(one["name"]),
    x: list(one["x"]).slice(0, MAX_NUMBERS).map(number),
    y: list(one["y"]).slice(0, MAX_NUMBERS).map(number),
  }));
  return { kind: "plot", look: look === "scatter" || look === "bars" ? look : "line", title: text(item["title"]), series };
}

function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null;
}

function text(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX_TEXT) : "";
}

function number(value: unknown): number {
  return typeof value === "number" ? value : NaN;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
