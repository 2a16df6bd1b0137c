// Where the weights of a model lie in its pictures: from a pixel to a weight and back. Pure, so that a page can ask on every
// movement of a pointer without a word to the worker.

/** A part of a tensor on a page, in pixels. */
export interface PixelRect {
  /** Which page, from 0. */
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The tensor's line that is the first row of pixels here. */
  readonly line: number;
}

/** A tensor of a model and its place. */
export interface PixelTensor {
  readonly name: string;
  /** Sizes, outermost first. */
  readonly shape: readonly number[];
  /** "F32", "F16", "BF16", "I8" ..., or a block format such as "Q4_0". */
  readonly dtype: string;
  readonly count: number;
  readonly bytes: number;
  /** Weights of a row (the last axis) and rows (all other axes). */
  readonly columns: number;
  readonly rows: number;
  /**
   * Weights of a line, which is a row of pixels: a row of the tensor, a part of it where that would be too long, or several where
   * it would be too short. In any case lines follow each other as the weights do.
   */
  readonly perLine: number;
  /** Weights of a pixel; no whole number for formats in blocks. */
  readonly perPixel: number;
  /** Whether single weights can be set; those in blocks cannot. */
  readonly editable: boolean;
  /** The size of a value that has its full color. */
  readonly scale: number;
  /** Its parts, in the order of lines. */
  readonly rects: readonly PixelRect[];
}

/** A stretch of weights of a tensor, counted from its first one, row after row. */
export interface WeightSpan {
  readonly start: number;
  readonly count: number;
}

/** What lies under a pixel. */
export interface PixelWeights extends WeightSpan {
  readonly tensor: PixelTensor;
  /** Of the first one. */
  readonly row: number;
  readonly column: number;
}

/** The weights of one pixel of a page; undefined where it is blank. */
export function weightsAt(tensors: readonly PixelTensor[], page: number, x: number, y: number): PixelWeights | undefined {
  for (const tensor of tensors) {
    for (const rect of tensor.rects) {
      if (rect.page !== page || x < rect.x || y < rect.y || x >= rect.x + rect.width || y >= rect.y + rect.height) continue;
      const span = spanOf(tensor, rect.line + Math.floor(y) - rect.y, Math.floor(x) - rect.x, 1);
      return span === undefined ? undefined : { tensor, row: Math.floor(span.start / tensor.columns), column: span.start % tensor.columns, ...span };
    }
  }
  return undefined;
}

/** The weights of `nPixels` pixels of a line, from pixel `first` of it on; undefined beyond its end. */
export function spanOf(tensor: PixelTensor, line: number, first: number, nPixels: number): WeightSpan | undefined {
  const lineStart = line * tensor.perLine;
  const inLine = Math.min(tensor.perLine, tensor.count - lineStart);
  const { perPixel } = tensor;
  // A pixel of a block format holds parts of weights at its edges; each weight belongs to the pixel it starts in. Of a weight wider
  // than a pixel every pixel shows that weight.
  const start = perPixel < 1 ? Math.floor(first * perPixel) : Math.ceil(first * perPixel - 1e-9);
  const end = Math.min(perPixel < 1 ? Math.floor((first + nPixels - 1) * perPixel) + 1 : Math.ceil((first + nPixels) * perPixel - 1e-9), inLine);
  if (start >= end) return undefined;
  return { start: lineStart + start, count: end - start };
}

/** Where a weight is: its page and pixel. Undefined outside of the tensor. */
export function placeOf(tensor: PixelTensor, row: number, column: number): { readonly page: number; readonly x: number; readonly y: number } | undefined {
  if (row < 0 || column < 0 || row >= tensor.rows || column >= tensor.columns) return undefined;
  const flat = row * tensor.columns + column;
  const line = Math.floor(flat / tensor.perLine);
  const rect = tensor.rects.find((part) => line >= part.line && line < part.line + part.height);
  if (rect === undefined) return undefined;
  return { page: rect.page, x: rect.x + Math.floor((flat % tensor.perLine) / tensor.perPixel + 1e-9), y: rect.y + line - rect.line };
}
