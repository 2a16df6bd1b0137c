// Models as pictures: PNG files whose pixels are the weights, looked at, measured, compared, changed and saved.

import type { DeviceInfo } from "../backend.js";
import { dispose } from "../dispose.js";
import { TileworkError } from "../errors.js";
import type { DigitGuess, Drawing } from "./digits.js";
import { guessesOf } from "./digits.js";
import { type FileSource, getFiles } from "./files.js";
import { Model, type ModelAnswer, type ModelOptions, numberOf } from "./model.js";
import { type PixelTensor, type PixelWeights, type WeightSpan, weightsAt } from "./pixel_layout.js";

/** A model and the pages it is drawn on. */
export interface PixelInfo {
  /** What the model calls itself; "" if it does not. */
  readonly name: string;
  /** What it was opened from. */
  readonly source: "png" | "safetensors" | "gguf";
  readonly pages: readonly { readonly width: number; readonly height: number }[];
  readonly tensors: readonly PixelTensor[];
  /** What the file says about the model. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The network that reads digits with these weights ("mlp" or "cnn"), if there is one. */
  readonly digits: string | null;
}

/** How weights become colors: their very bytes, blue below zero and red above, or the difference to another model. */
export type PixelColors = "exact" | "heat" | "difference";

/** Pixels of a tile in each direction. */
export const PIXEL_TILE = 256;

/** A tile of a page: at level 0 a pixel is a pixel, each further level halves. */
export interface PixelTileRequest {
  readonly page: number;
  readonly level: number;
  readonly column: number;
  readonly row: number;
  readonly colors: PixelColors;
}

/** Pixels as a canvas takes them, four bytes each; blank ones are transparent. */
export interface PixelImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** Parts of a tensor side by side. */
export interface PixelSheet extends PixelImage {
  /** Parts in a row of the sheet, and pixels of a part; one pixel lies between parts. */
  readonly columns: number;
  readonly partWidth: number;
  readonly partHeight: number;
  readonly parts: number;
}

/** How values are spread. Differences that are exactly zero are in no bin; `zeros` counts them. */
export interface PixelHistogram {
  readonly low: number;
  readonly high: number;
  readonly counts: readonly number[];
  readonly count: number;
  readonly mean: number;
  readonly deviation: number;
  readonly zeros: number;
  readonly notFinite: number;
}

/** What became of a tensor between two models. */
export interface TensorChange {
  readonly name: string;
  readonly state: "same" | "changed" | "shape" | "missing" | "added";
  readonly changed: number;
  readonly count: number;
  readonly largest: number;
  readonly rms: number;
  /** Row and column of the largest difference. */
  readonly row: number;
  readonly column: number;
}

/** What a checksum says of a tensor. */
export interface TensorCheck {
  readonly name: string;
  readonly intact: boolean;
  readonly problem: string;
}

/** How to open a model as pictures. */
export interface PixelOptions extends ModelOptions {
  /** What to call a file that is no picture; its own name unless told. */
  readonly name?: string;
}

/** A model as pictures. Files come from addresses, blobs or bytes: PNG pages, safetensors or GGUF. */
export class PixelModel {
  readonly #model: Model;
  readonly #info: PixelInfo;

  private constructor(model: Model, info: PixelInfo) {
    this.#model = model;
    this.#info = info;
  }

  /** Opens a model; the pages of a large one as a list. Rejects with what is wrong with a file: damaged, re-encoded, cut off. */
  static async open(files: FileSource | readonly FileSource[], { name, ...options }: PixelOptions = {}): Promise<PixelModel> {
    const sources = Array.isArray(files) ? (files as readonly FileSource[]) : [files as FileSource];
    const settings = { name: name ?? nameOf(sources[0]) };
    const model = await Model.open("pixels", numbered(sources), settings, { device: "cpu", ...options });
    try {
      return new PixelModel(model, (await model.ask("info")).value as unknown as PixelInfo);
    } catch (thrown) {
      model.dispose();
      throw thrown;
    }
  }

  /** The device its network runs on. */
  get device(): DeviceInfo {
    return this.#model.device;
  }

  /** Pages, tensors and where they lie. */
  get info(): PixelInfo {
    return this.#info;
  }

  /** The tensor called `name`. */
  tensor(name: string): PixelTensor {
    const tensor = this.#info.tensors.find((known) => known.name === name);
    if (tensor === undefined) throw new TileworkError("argument", `there is no tensor \`${name}\``);
    return tensor;
  }

  /** The weights of a pixel; undefined where a page is blank. */
  weightsAt(page: number, x: number, y: number): PixelWeights | undefined {
    return weightsAt(this.#info.tensors, page, x, y);
  }

  /** A tile of a page. */
  async tile(request: PixelTileRequest): Promise<PixelImage> {
    return imageOf(await this.#model.ask("tile", request));
  }

  /** The weights of some rows and columns, row after row; all of them unless told. */
  async values(name: string, region: { readonly row?: number; readonly column?: number; readonly rows?: number; readonly columns?: number } = {}): Promise<Float32Array> {
    const tensor = this.tensor(name);
    const { row = 0, column = 0, rows = tensor.rows - row, columns = tensor.columns - column } = region;
    if (column + columns > tensor.columns) throw new TileworkError("argument", `\`${name}\` has ${tensor.columns} columns, not ${column + columns}`);
    return this.stretch(name, { start: row * tensor.columns + column, count: columns, lines: rows, step: tensor.columns });
  }

  /** The weights from `start` on: `lines` times `count` of them, `step` from one to the next. Beyond the last weight they are NaN. */
  async stretch(name: string, stretch: WeightSpan & { readonly lines?: number; readonly step?: number }): Promise<Float32Array> {
    return (await this.#model.ask("values", { tensor: name, ...stretch })).data;
  }

  /** Parts of a tensor side by side, such as the heads of an attention: `parts` groups of rows. Single rows are folded. */
  async sheet(name: string, parts: number): Promise<PixelSheet> {
    const answer = await this.#model.ask("sheet", { tensor: name, parts });
    return { ...imageOf(answer), columns: numberOf(answer, "columns"), partWidth: numberOf(answer, "partWidth"), partHeight: numberOf(answer, "partHeight"), parts: numberOf(answer, "parts") };
  }

  /** How the weights of a tensor, or of all, are spread; `of` "difference": their differences to the model compared with. */
  async histogram(options: { readonly tensor?: string; readonly bins?: number; readonly of?: "values" | "difference" } = {}): Promise<PixelHistogram> {
    return (await this.#model.ask("histogram", options)).value as unknown as PixelHistogram;
  }

  /** Singular values of a tensor as a matrix, largest first. */
  async spectrum(name: string): Promise<Float32Array> {
    return (await this.#model.ask("spectrum", { tensor: name })).data;
  }

  /** Compares with another model, tensor by tensor, which it keeps for "difference" tiles and histograms. Large changes first. */
  async compare(other: FileSource): Promise<readonly TensorChange[]> {
    const file = (await getFiles({ other }, () => {}, undefined)).get("other");
    const { value } = await this.#model.ask("compare", {}, undefined, file);
    return value["changes"] as readonly TensorChange[];
  }

  /** The changes since the model was opened, as `compare` gives them; "difference" then means those. */
  async changes(): Promise<readonly TensorChange[]> {
    return (await this.#model.ask("changes")).value["changes"] as readonly TensorChange[];
  }

  /** Sets weights to a value; gives how many were set since it was opened, each counted once. */
  async edit(name: string, spans: readonly WeightSpan[], value: number): Promise<number> {
    return numberOf(await this.#model.ask("edit", { tensor: name, value, spans: spans.map(({ start, count }) => [start, count]) }), "painted");
  }

  /** Takes the weights of another file of the same tensors, such as a later state of a training. */
  async replace(weights: FileSource): Promise<void> {
    await this.#model.ask("replace", {}, undefined, (await getFiles({ weights }, () => {}, undefined)).get("weights"));
  }

  /** Everything as it was opened. */
  async reset(): Promise<void> {
    await this.#model.ask("reset");
  }

  /** The model as it is now: a PNG file for each page. */
  async save(options: { readonly compress?: boolean } = {}): Promise<readonly Uint8Array<ArrayBuffer>[]> {
    const { value, file } = await this.#model.ask("save", options);
    const ends = value["ends"] as readonly number[];
    return ends.map((end, page) => file.slice(ends[page - 1] ?? 0, end));
  }

  /** What the checksums of a PNG say, tensor by tensor. */
  async verify(): Promise<readonly TensorCheck[]> {
    return (await this.#model.ask("verify")).value["tensors"] as readonly TensorCheck[];
  }

  /** Reads digits with the weights of now, or with those it was opened with; see `DigitReader.read`. */
  async read(images: Float32Array, options: { readonly original?: boolean } = {}): Promise<DigitGuess[]> {
    return guessesOf((await this.#model.ask("classify", options, images)).data);
  }

  /** A drawing as the image a network takes; see `DigitReader.prepare`. */
  async prepare({ width, height, ink }: Drawing): Promise<Float32Array> {
    return (await this.#model.ask("prepare", { width, height }, ink)).data;
  }

  /** Lets go of the model. */
  dispose(): void {
    this.#model.dispose();
  }

  /** For `using`. */
  [dispose](): void {
    this.dispose();
  }
}

/** `model`, `model.2`, `model.3` ... */
function numbered(files: readonly FileSource[]): Record<string, FileSource> {
  return Object.fromEntries(files.map((file, index) => [index === 0 ? "model" : `model.${index + 1}`, file]));
}

/** The name of a file, as far as it has one. */
function nameOf(source: FileSource | undefined): string {
  if (source instanceof Blob) return (source as { name?: string }).name ?? "model";
  if (typeof source !== "string" && !(source instanceof URL)) return "model";
  return String(source).replace(/[?#].*$/, "").split("/").at(-1) || "model";
}

function imageOf(answer: ModelAnswer): PixelImage {
  const { buffer, byteOffset, byteLength } = answer.file;
  return { width: numberOf(answer, "width"), height: numberOf(answer, "height"), pixels: new Uint8ClampedArray(buffer, byteOffset, byteLength) };
}
