// How a view of a page of pixels is drawn.

import { PIXEL_TILE, type PixelColors, type PixelTensor } from "tilework/models";
import { inSight, levelFor, topLevel, toView, type Box, type Camera, type Size, type Spot } from "./camera";
import type { Cells } from "./cells";
import { tilesOf, type TileCache } from "./tiles";

/** Colors of the design system. */
export interface Palette {
  readonly ground: string;
  readonly page: string;
  readonly line: string;
  readonly accent: string;
  readonly plate: string;
  readonly ink: string;
  readonly font: string;
}

export interface Scene {
  readonly paper: CanvasRenderingContext2D;
  readonly view: Size;
  /** Pixels of the screen in a CSS pixel. */
  readonly ratio: number;
  readonly camera: Camera;
  readonly page: number;
  readonly pageSize: Size;
  readonly palette: Palette;
}

/** From here on a pixel has room for its number. */
export const NUMBER_SCALE = 34;
const GRID_SCALE = 14;
const MAX_LABELS = 80;

/** The tiles in sight, or what is known of them; gives what is wanted, nearest to the middle first. */
export function drawTiles(scene: Scene, cache: TileCache<ImageBitmap>, colors: PixelColors) {
  const { paper, view, ratio, camera, page, pageSize } = scene;
  const top = topLevel(pageSize, PIXEL_TILE);
  const level = levelFor(camera.scale, ratio, top);
  const request = (at: number, column: number, row: number) => ({ page, level: at, column, row, colors });
  const wanted = tilesOf(inSight(camera, view, pageSize), level, PIXEL_TILE);
  paper.imageSmoothingEnabled = camera.scale * ratio < 1;
  for (const { column, row } of wanted) {
    // The tile itself, or the part of a coarser one in its place.
    for (let coarser = level; coarser <= top; coarser++) {
      const factor = 2 ** (coarser - level);
      const bitmap = cache.find(request(coarser, Math.floor(column / factor), Math.floor(row / factor)));
      if (bitmap === undefined) continue;
      drawPart(scene, bitmap, level, { column, row }, factor);
      break;
    }
  }
  const middle = { column: camera.x / (PIXEL_TILE * 2 ** level) - 0.5, row: camera.y / (PIXEL_TILE * 2 ** level) - 0.5 };
  const way = (tile: { column: number; row: number }) => Math.hypot(tile.column - middle.column, tile.row - middle.row);
  const sorted = wanted.sort((a, b) => way(a) - way(b)).map(({ column, row }) => request(level, column, row));
  // The whole page at once is always there to fall back on.
  return level === top ? sorted : [request(top, 0, 0), ...sorted];
}

function drawPart({ paper, view, ratio, camera, pageSize }: Scene, bitmap: ImageBitmap, level: number, { column, row }: { column: number; row: number }, factor: number): void {
  const side = PIXEL_TILE * 2 ** level;
  const [x, y] = [column * side, row * side];
  const [width, height] = [Math.min(side, pageSize.width - x), Math.min(side, pageSize.height - y)];
  // Of a tile at the edge the bitmap is smaller, too.
  const perPixel = 2 ** level * factor;
  const [sourceX, sourceY] = [(column % factor) * (PIXEL_TILE / factor), (row % factor) * (PIXEL_TILE / factor)];
  const [sourceWidth, sourceHeight] = [Math.min(width / perPixel, bitmap.width - sourceX), Math.min(height / perPixel, bitmap.height - sourceY)];
  if (sourceWidth <= 0 || sourceHeight <= 0) return;
  // Whole pixels of the screen, so that no seam shows between tiles.
  const from = toView(camera, view, { x, y });
  const to = toView(camera, view, { x: x + width, y: y + height });
  const [left, upper] = [Math.round(from.x * ratio) / ratio, Math.round(from.y * ratio) / ratio];
  paper.drawImage(bitmap, sourceX, sourceY, sourceWidth, sourceHeight, left, upper, Math.round(to.x * ratio) / ratio - left, Math.round(to.y * ratio) / ratio - upper);
}

/** The page itself, under its tiles. */
export function drawGround({ paper, view, camera, pageSize, palette }: Scene): void {
  paper.fillStyle = palette.ground;
  paper.fillRect(0, 0, view.width, view.height);
  const { x, y } = toView(camera, view, { x: 0, y: 0 });
  paper.fillStyle = palette.page;
  paper.fillRect(x, y, pageSize.width * camera.scale, pageSize.height * camera.scale);
}

/** Lines between pixels that are large enough. */
export function drawGrid({ paper, view, camera, pageSize, palette }: Scene): void {
  if (camera.scale < GRID_SCALE) return;
  const box = inSight(camera, view, pageSize);
  const from = toView(camera, view, box);
  paper.strokeStyle = palette.line;
  paper.globalAlpha = Math.min((camera.scale - GRID_SCALE) / 40, 0.35);
  paper.lineWidth = 1;
  paper.beginPath();
  for (let i = 0; i <= box.width; i++) {
    const x = Math.round(from.x + i * camera.scale) + 0.5;
    paper.moveTo(x, from.y);
    paper.lineTo(x, from.y + box.height * camera.scale);
  }
  for (let i = 0; i <= box.height; i++) {
    const y = Math.round(from.y + i * camera.scale) + 0.5;
    paper.moveTo(from.x, y);
    paper.lineTo(from.x + box.width * camera.scale, y);
  }
  paper.stroke();
  paper.globalAlpha = 1;
}

/** The numbers in pixels that are large enough. */
export function drawNumbers({ paper, view, camera, page, pageSize, palette }: Scene, cells: Cells): void {
  const box = inSight(camera, view, pageSize);
  cells.want(page, box);
  paper.textAlign = "center";
  paper.textBaseline = "middle";
  const size = Math.min(Math.max(camera.scale / 4.6, 8), 17);
  paper.font = `${size}px ${palette.font}`;
  const most = Math.max(Math.floor((camera.scale - 4) / (size * 1.25)), 1);
  const plate = camera.scale * 0.88;
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      const values = cells.at(page, x, y);
      if (values === undefined) continue;
      const middle = toView(camera, view, { x: x + 0.5, y: y + 0.5 });
      const lines = Math.min(values.length, most);
      paper.fillStyle = palette.plate;
      paper.fillRect(middle.x - plate / 2, middle.y - (lines * size * 1.25) / 2, plate, lines * size * 1.25);
      paper.fillStyle = palette.ink;
      for (let i = 0; i < lines; i++) paper.fillText(i === lines - 1 && lines < values.length ? `+${values.length - i}` : shortNumber(values[i]!), middle.x, middle.y + (i - (lines - 1) / 2) * size * 1.25, plate);
    }
  }
}

/** A weight in few characters: ".0123", "-1.25", "3e-7". */
export function shortNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e5) return value.toExponential(0).replace("e+", "e").replace("-", "−");
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toFixed(digits).replace(/^(-?)0\./, "$1.").replace("-", "−");
}

/** Names over tensors that are large enough, and a frame around the chosen one. */
export function drawTensors(scene: Scene, tensors: readonly PixelTensor[], chosen: string | null): void {
  const { paper, view, camera, page, palette } = scene;
  paper.textAlign = "left";
  paper.textBaseline = "middle";
  paper.font = `11.5px ${palette.font}`;
  let nLabels = 0;
  for (const tensor of tensors) {
    for (const [index, rect] of tensor.rects.entries()) {
      if (rect.page !== page) continue;
      const { x, y } = toView(camera, view, rect);
      const [width, height] = [rect.width * camera.scale, rect.height * camera.scale];
      if (x > view.width || y > view.height || x + width < 0 || y + height < 0) continue;
      if (tensor.name === chosen) frame(paper, { x, y, width, height }, palette.accent);
      const isRoomy = index === 0 && width > 90 && height > 24 && camera.scale < NUMBER_SCALE;
      if (isRoomy && nLabels++ < MAX_LABELS) label(scene, tensor.name, { x: Math.max(x, 0) + 4, y: Math.max(y, 0) + 12 }, Math.min(width, view.width) - 8);
    }
  }
}

function label({ paper, palette }: Scene, words: string, at: Spot, room: number): void {
  const width = paper.measureText(words).width;
  if (width + 10 > room) return;
  paper.fillStyle = palette.plate;
  paper.fillRect(at.x, at.y - 8.5, width + 10, 17);
  paper.fillStyle = palette.ink;
  paper.fillText(words, at.x + 5, at.y + 0.5);
}

/** A frame outside of a box on the screen. */
export function frame(paper: CanvasRenderingContext2D, { x, y, width, height }: Box, color: string): void {
  paper.lineWidth = 2;
  paper.strokeStyle = color;
  paper.strokeRect(x - 2, y - 2, width + 4, height + 4);
}
