// Where a view looks at a page of pixels, and how that moves. Pure.

/** A size or a place, in pixels of the page or of the screen as the name beside it says. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Spot, Size {}

/** The page's place in the middle of the view, and the width of a page's pixel on the screen (in CSS pixels). */
export interface Camera extends Spot {
  readonly scale: number;
}

/** A pixel as wide as this shows the digits of what is in it. */
export const MAX_SCALE = 180;
const MARGIN = 0.96;

/** All of a box in sight. */
export function fitting(box: Box, view: Size, maxScale = MAX_SCALE): Camera {
  const scale = Math.min((view.width * MARGIN) / Math.max(box.width, 1), (view.height * MARGIN) / Math.max(box.height, 1), maxScale);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, scale: Math.max(scale, 1e-4) };
}

/** Moved by a way on the screen. */
export function panned(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale };
}

/** Nearer by a factor, with the place at `at` (on the screen) staying where it is. */
export function zoomed(camera: Camera, view: Size, at: Spot, factor: number, minScale: number): Camera {
  const scale = Math.min(Math.max(camera.scale * factor, minScale), MAX_SCALE);
  const place = toPage(camera, view, at);
  return { x: place.x - (at.x - view.width / 2) / scale, y: place.y - (at.y - view.height / 2) / scale, scale };
}

/** The middle of the view stays on the page, and the page is never smaller than half of what fits. */
export function clamped(camera: Camera, page: Size, view: Size): Camera {
  const scale = Math.min(Math.max(camera.scale, minScaleOf(page, view)), MAX_SCALE);
  return { x: Math.min(Math.max(camera.x, 0), page.width), y: Math.min(Math.max(camera.y, 0), page.height), scale };
}

export function minScaleOf(page: Size, view: Size): number {
  return Math.min(fitting({ x: 0, y: 0, ...page }, view).scale / 2, 1);
}

/** From the screen to the page. */
export function toPage(camera: Camera, view: Size, at: Spot): Spot {
  return { x: camera.x + (at.x - view.width / 2) / camera.scale, y: camera.y + (at.y - view.height / 2) / camera.scale };
}

/** From the page to the screen. */
export function toView(camera: Camera, view: Size, place: Spot): Spot {
  return { x: view.width / 2 + (place.x - camera.x) * camera.scale, y: view.height / 2 + (place.y - camera.y) * camera.scale };
}

/** What of the page is in sight, in whole pixels of it. */
export function inSight(camera: Camera, view: Size, page: Size): Box {
  const from = toPage(camera, view, { x: 0, y: 0 });
  const to = toPage(camera, view, { x: view.width, y: view.height });
  const [x, y] = [Math.max(Math.floor(from.x), 0), Math.max(Math.floor(from.y), 0)];
  return { x, y, width: Math.max(Math.min(Math.ceil(to.x), page.width) - x, 0), height: Math.max(Math.min(Math.ceil(to.y), page.height) - y, 0) };
}

/**
 * A camera on the way from one to another, `share` of it done. The scale changes by equal factors; what both see at the same place
 * stays there all the way, so that a zoom at a pointer keeps what is under it.
 */
export function between(from: Camera, to: Camera, share: number): Camera {
  if (share >= 1) return to;
  const scale = from.scale * (to.scale / from.scale) ** share;
  const whole = 1 - from.scale / to.scale;
  const part = Math.abs(whole) < 1e-6 ? share : (1 - from.scale / scale) / whole;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part, scale };
}

/** The level of a pyramid of halvings whose pixels are at least as fine as the screen's. */
export function levelFor(scale: number, pixelRatio: number, maxLevel: number): number {
  return Math.min(Math.max(Math.floor(Math.log2(1 / (scale * pixelRatio)) + 0.25), 0), maxLevel);
}

/** The level at which all of a page is one tile. */
export function topLevel(page: Size, tileSide: number): number {
  return Math.max(Math.ceil(Math.log2(Math.max(page.width, page.height, 1) / tileSide)), 0);
}
