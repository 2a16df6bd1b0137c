// The tiles of a picture that are here, and those that are on their way. A worker makes them one after the other, so few are asked
// for at a time, and what left the view meanwhile never is.

import type { PixelColors, PixelImage, PixelTileRequest } from "tilework/models";
import type { Box } from "./camera";

/** Who makes tiles. */
export interface TileSource {
  tile(request: PixelTileRequest): Promise<PixelImage>;
}

/** What a canvas draws, and lets go of. */
export interface Drawable {
  readonly width: number;
  readonly height: number;
  close(): void;
}

interface Entry<T> {
  readonly request: PixelTileRequest;
  readonly bitmap: T;
  /** What it shows was changed since. */
  isStale: boolean;
}

/** Asked for at a time: one is being made while another one is on its way. */
const MAX_UNDER_WAY = 2;
/** Each takes a quarter of a megabyte. */
const MAX_KEPT = 320;

export class TileCache<T extends Drawable> {
  readonly #source: TileSource;
  readonly #draw: (image: PixelImage) => Promise<T>;
  readonly #onTile: () => void;
  readonly #onProblem: (thrown: unknown) => void;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #underWay = new Map<string, { isStale: boolean; readonly request: PixelTileRequest }>();
  #wanted: readonly PixelTileRequest[] = [];
  #isClosed = false;

  constructor(source: TileSource, draw: (image: PixelImage) => Promise<T>, onTile: () => void, onProblem: (thrown: unknown) => void) {
    this.#source = source;
    this.#draw = draw;
    this.#onTile = onTile;
    this.#onProblem = onProblem;
  }

  /** A tile, if it is here; perhaps not the latest. */
  find(request: PixelTileRequest): T | undefined {
    const key = keyOf(request);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.bitmap;
  }

  /** What the view needs now, the most urgent first. */
  want(requests: readonly PixelTileRequest[]): void {
    this.#wanted = requests;
    this.#next();
  }

  /** Something changed in a part of a page: its tiles are made anew when they are next wanted, and shown until then. */
  touch(page: number, box: Box, tileSide: number): void {
    const hits = ({ page: on, level, column, row }: PixelTileRequest): boolean => {
      const side = tileSide * 2 ** level;
      return on === page && column * side < box.x + box.width && (column + 1) * side > box.x && row * side < box.y + box.height && (row + 1) * side > box.y;
    };
    for (const entry of [...this.#entries.values(), ...this.#underWay.values()]) if (hits(entry.request)) entry.isStale = true;
  }

  /** Everything changed. */
  touchAll(colors?: PixelColors): void {
    for (const entry of [...this.#entries.values(), ...this.#underWay.values()]) if (colors === undefined || entry.request.colors === colors) entry.isStale = true;
  }

  /** Whether everything that is wanted is here and up to date. */
  get isSettled(): boolean {
    return this.#underWay.size === 0 && this.#wanted.every((request) => !this.#isMissing(request));
  }

  close(): void {
    this.#isClosed = true;
    for (const { bitmap } of this.#entries.values()) bitmap.close();
    this.#entries.clear();
  }

  #isMissing(request: PixelTileRequest): boolean {
    return this.#entries.get(keyOf(request))?.isStale ?? true;
  }

  #next(): void {
    for (const request of this.#wanted) {
      if (this.#isClosed || this.#underWay.size >= MAX_UNDER_WAY) return;
      if (!this.#underWay.has(keyOf(request)) && this.#isMissing(request)) void this.#get(request);
    }
  }

  async #get(request: PixelTileRequest): Promise<void> {
    const [key, mark] = [keyOf(request), { isStale: false, request }];
    this.#underWay.set(key, mark);
    try {
      const bitmap = await this.#draw(await this.#source.tile(request));
      if (this.#isClosed) return bitmap.close();
      this.#entries.get(key)?.bitmap.close();
      this.#entries.delete(key);
      this.#entries.set(key, { request, bitmap, isStale: mark.isStale });
      this.#forget();
      this.#onTile();
    } catch (thrown) {
      // Asked again and again it would fail again and again.
      this.#wanted = this.#wanted.filter((wanted) => keyOf(wanted) !== key);
      if (!this.#isClosed) this.#onProblem(thrown);
    } finally {
      this.#underWay.delete(key);
      this.#next();
    }
  }

  #forget(): void {
    for (const [key, { bitmap }] of this.#entries) {
      if (this.#entries.size <= MAX_KEPT) return;
      bitmap.close();
      this.#entries.delete(key);
    }
  }
}

export function keyOf({ colors, page, level, column, row }: PixelTileRequest): string {
  return `${colors} ${page} ${level} ${column} ${row}`;
}

/** The tiles of a level that a box of the page touches. */
export function tilesOf(box: Box, level: number, tileSide: number): { column: number; row: number }[] {
  const side = tileSide * 2 ** level;
  const tiles: { column: number; row: number }[] = [];
  if (box.width <= 0 || box.height <= 0) return tiles;
  for (let row = Math.floor(box.y / side); row * side < box.y + box.height; row++) {
    for (let column = Math.floor(box.x / side); column * side < box.x + box.width; column++) tiles.push({ column, row });
  }
  return tiles;
}
