// Runs in the worker of the sandboxed frame, with the engine beside it. Bundled into one file by vite.config.ts, because nothing can be fetched
// from there.
import { ellipsis, NdArray, newAxis, openEmbedded, slice, Tilework, TileworkError } from "tilework/embedded";
import { type CellFunction, compile, lineOf, lineOfSyntaxError, type Make } from "./compile";
import type { CellError, FromRuntime, Item, ToRuntime } from "./messages";
import { binned, itemOf, numbersOf, pictureOf, seriesOf, wordsOf } from "./values";

/** In a frame without a worker the page of the frame says how to reach the studio. */
const host = globalThis as unknown as { postMessage(message: FromRuntime): void; notebookPost?: (message: FromRuntime) => void };
const post = (message: FromRuntime): void => (host.notebookPost === undefined ? host.postMessage(message) : host.notebookPost(message));
const make: Make = (body) => new Function("scope", body) as CellFunction;

interface PlotOptions {
  readonly title?: string;
  readonly names?: readonly string[];
}

let tw: Tilework | undefined;
let run = 0;
/** What a cell has asked for and is not shown yet: a cell is done when all of it is. */
let pending: Promise<void>[] = [];

function show(work: Promise<Item | null>): Promise<void> {
  const current = run;
  const shown = work.then((item) => {
    if (item !== null) post({ kind: "item", run: current, item });
  });
  // A cell may wait for it or not; in both cases its error is the cell's.
  shown.catch(() => {});
  pending.push(shown);
  return shown;
}

const isOptions = (value: unknown): value is PlotOptions =>
  typeof value === "object" && value !== null && !(value instanceof NdArray) && !(Symbol.iterator in value);

function plotter(look: "line" | "scatter") {
  return (first: unknown, ...rest: unknown[]): Promise<void> => {
    const second = isOptions(rest[0]) ? undefined : rest[0];
    const options = rest.find(isOptions) ?? {};
    const plot = async (): Promise<Item> => ({ kind: "plot", look, title: options.title ?? "", series: await seriesOf(first, second, options.names ?? []) });
    return show(plot());
  };
}

const write = (look: "plain" | "warn") => (...values: unknown[]): void => {
  post({ kind: "item", run, item: { kind: "text", text: values.map(wordsOf).join(" "), look } });
};

/** What cells have without declaring it. */
const scope: Record<string, unknown> = {
  slice,
  newAxis,
  ellipsis,
  NdArray,
  TileworkError,
  plot: plotter("line"),
  scatter: plotter("scatter"),
  histogram: (values: unknown, options: { bins?: number; title?: string } = {}) =>
    show(numbersOf(values).then((numbers): Item => ({ kind: "plot", look: "bars", title: options.title ?? "", series: [binned(numbers, Math.min(Math.max(options.bins ?? 20, 1), 1000))] }))),
  image: (array: NdArray, options: { range?: readonly [number, number]; title?: string } = {}) => show(pictureOf(array, options.range, options.title ?? "")),
  show: (...values: unknown[]) => Promise.all(values.map((value) => show(itemOf(value)))).then(() => {}),
  print: write("plain"),
  console: { log: write("plain"), info: write("plain"), debug: write("plain"), warn: write("warn"), error: write("warn") },
};

async function runCell({ name, code }: Extract<ToRuntime, { kind: "run" }>): Promise<CellError | null> {
  pending = [];
  try {
    const value = await compile(code, name, make)(scope);
    await show(itemOf(value));
    await Promise.all(pending);
    return null;
  } catch (thrown) {
    return errorOf(thrown, name, code);
  }
}

function errorOf(thrown: unknown, name: string, code: string): CellError {
  if (!(thrown instanceof Error)) return { name: "Thrown", message: wordsOf(thrown), line: null };
  const line = lineOf(thrown.stack ?? "", name) ?? (thrown instanceof SyntaxError ? lineOfSyntaxError(code, complaint) : null);
  return { name: thrown instanceof TileworkError ? `${thrown.code} error` : thrown.name, message: thrown.message, line };
}

function complaint(code: string): string | null {
  try {
    compile(code, "", make);
    return null;
  } catch (thrown) {
    return String(thrown);
  }
}

async function receive(message: ToRuntime): Promise<void> {
  if (message.kind === "open") {
    try {
      tw = await openEmbedded({ device: message.device, wasm: message.wasm });
      scope["tw"] = tw;
      post({ kind: "opened", device: tw.info.name });
    } catch (thrown) {
      post({ kind: "refused", message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
    return;
  }
  if (message.kind !== "run") return;
  run = message.run;
  const startMs = performance.now();
  const error = await runCell(message);
  post({ kind: "done", run: message.run, elapsedMs: performance.now() - startMs, error });
}

addEventListener("message", ({ data }: MessageEvent<ToRuntime>) => void receive(data));
