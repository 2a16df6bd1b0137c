// The numbers behind the pixels in sight, for a view that is near enough to print them.

import { spanOf, type PixelTensor } from "tilework/models";
import type { Box } from "./camera";

/** Who knows the weights. */
export interface ValueSource {
  readonly info: { readonly tensors: readonly PixelTensor[] };
  stretch(name: string, stretch: { readonly start: number; readonly count: number; readonly lines: number; readonly step: number }): Promise<Float32Array>;
}

interface Patch {
  readonly tensor: PixelTensor;
  readonly page: number;
  readonly box: Box;
  /** Line of the tensor in the first row of the box, and its pixel in the first column. */
  readonly line: number;
  readonly pixel: number;
  /** The first weight, and how many there are of each line. */
  readonly start: number;
  readonly count: number;
  readonly data: Float32Array;
}

/** Read beyond what is in sight, in parts of it, so that a short way asks for nothing. */
const MARGIN = 0.5;

export class Cells {
  readonly #source: ValueSource;
  readonly #onValues: () => void;
  #page = -1;
  #box: Box | null = null;
  #patches: readonly Patch[] = [];
  #isStale = false;
  #isBusy = false;
  #wanted: { readonly page: number; readonly box: Box } | null = null;

  constructor(source: ValueSource, onValues: () => void) {
    this.#source = source;
    this.#onValues = onValues;
  }

  /** What is in sight now. */
  want(page: number, box: Box): void {
    this.#wanted = { page, box };
    if (!this.#isBusy && (this.#isStale || this.#page !== page || !contains(this.#box, box))) void this.#load();
  }

  /** Weights changed. */
  touch(): void {
    this.#isStale = true;
    if (this.#wanted !== null && !this.#isBusy) void this.#load();
  }

  /** Nothing is printed any more. */
  rest(): void {
    this.#wanted = null;
  }

  /** The weights of a pixel; undefined if they are not here or there are none. */
  at(page: number, x: number, y: number): Float32Array | undefined {
    const patch = this.#patches.find(({ page: on, box }) => on === page && x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height);
    if (patch === undefined) return undefined;
    const span = spanOf(patch.tensor, patch.line + y - patch.box.y, patch.pixel + x - patch.box.x, 1);
    if (span === undefined) return undefined;
    const start = (y - patch.box.y) * patch.count + ((span.start - patch.start) % patch.tensor.perLine);
    return patch.data.subarray(start, start + span.count);
  }

  async #load(): Promise<void> {
    const wanted = this.#wanted;
    if (wanted === null) return;
    this.#isBusy = true;
    this.#isStale = false;
    const { page, box } = wanted;
    const wide = { x: box.x - box.width * MARGIN, y: box.y - box.height * MARGIN, width: box.width * (1 + 2 * MARGIN), height: box.height * (1 + 2 * MARGIN) };
    try {
      this.#patches = await Promise.all(partsOf(this.#source.info.tensors, page, wide).map(async (part) => {
        const { tensor, start, count, box } = part;
        return { ...part, data: await this.#source.stretch(tensor.name, { start, count, lines: box.height, step: tensor.perLine }) };
      }));
      [this.#page, this.#box] = [page, wide];
      this.#onValues();
    } catch {
      // The tiles, which come from the same place, tell what is wrong.
    } finally {
      this.#isBusy = false;
      const next = this.#wanted;
      if (next !== null && (this.#isStale || next.page !== page || !contains(wide, next.box))) void this.#load();
    }
  }
}

/** Which weights of which tensors lie in a box. */
export function partsOf(tensors: readonly PixelTensor[], page: number, wide: Box): Omit<Patch, "data">[] {
  const parts: Omit<Patch, "data">[] = [];
  for (const tensor of tensors) {
    for (const rect of tensor.rects) {
      const box = rect.page === page ? common(rect, wide) : null;
      if (box === null) continue;
      const [line, pixel] = [rect.line + box.y - rect.y, box.x - rect.x];
      const span = spanOf(tensor, line, pixel, box.width);
      if (span !== undefined) parts.push({ tensor, page, box, line, pixel, ...span });
    }
  }
  return parts;
}

function common(a: Box, b: Box): Box | null {
  const [x, y] = [Math.max(a.x, Math.floor(b.x)), Math.max(a.y, Math.floor(b.y))];
  const [right, bottom] = [Math.min(a.x + a.width, Math.ceil(b.x + b.width)), Math.min(a.y + a.height, Math.ceil(b.y + b.height))];
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}

function contains(outer: Box | null, inner: Box): boolean {
  return outer !== null && inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;
}
