// A picture on a canvas: what it shows, where it looks, and when it is drawn again (only when something changed).

import { PIXEL_TILE, type PixelColors, type PixelImage, type PixelInfo, type PixelTensor } from "tilework/models";
import { perFrame } from "../../../lib/frames";
import { boxBetween, strokeRuns, boxRuns, type Run } from "./brush";
import { between, clamped, fitting, minScaleOf, panned, toPage, toView, zoomed, type Box, type Camera, type Size, type Spot } from "./camera";
import { Cells, type ValueSource } from "./cells";
import { listen, type GestureTarget, type Tool } from "./gestures";
import { drawGrid, drawGround, drawNumbers, drawTensors, drawTiles, frame, NUMBER_SCALE, type Palette, type Scene } from "./paint";
import { TileCache, type TileSource } from "./tiles";

export interface PictureModel extends TileSource, ValueSource {
  readonly info: PixelInfo;
}

export interface PictureEvents {
  /** The pixel under the pointer, or null. */
  onHover(spot: Spot | null): void;
  /** Pixels a brush went over. */
  onPaint(page: number, runs: readonly Run[]): void;
  onCamera(camera: Camera): void;
  onProblem(thrown: unknown): void;
}

const ZOOM_MS = 160;
const JUMP_MS = 420;
const KEY_PAN = 80;
const KEY_ZOOM = 1.5;

export class Picture implements GestureTarget {
  readonly #canvas: HTMLCanvasElement;
  readonly #paper: CanvasRenderingContext2D;
  readonly #events: PictureEvents;
  readonly #frames = perFrame(() => this.#draw());
  readonly #ends: (() => void)[] = [];
  #model: PictureModel | null = null;
  #tiles: TileCache<ImageBitmap> | null = null;
  #cells: Cells | null = null;
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  #motion: { readonly from: Camera; readonly to: Camera; readonly startMs: number; readonly durationMs: number } | null = null;
  #view: Size = { width: 1, height: 1 };
  #ratio = 1;
  #palette: Palette;
  #page = 0;
  #colors: PixelColors = "heat";
  #chosen: string | null = null;
  #tool: Tool = "move";
  #radius = 2;
  #pointer: Spot | null = null;
  #stroke: Spot | null = null;
  #isAimed = false;
  #nFrames = 0;

  constructor(canvas: HTMLCanvasElement, events: PictureEvents) {
    const paper = canvas.getContext("2d", { alpha: false });
    if (paper === null) throw new Error("this browser draws on no canvas");
    [this.#canvas, this.#paper, this.#events] = [canvas, paper, events];
    this.#palette = paletteOf(canvas);
    const sizes = new ResizeObserver(() => this.#resize());
    sizes.observe(canvas);
    const repaint = () => {
      this.#palette = paletteOf(canvas);
      this.#frames.request();
    };
    const themes = new MutationObserver(repaint);
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", repaint);
    this.#ends.push(listen(canvas, this), () => sizes.disconnect(), () => themes.disconnect(), () => system.removeEventListener("change", repaint));
    this.#resize();
  }

  /** Shows a model; where the view looks stays if the pages have the same size. */
  setModel(model: PictureModel | null): void {
    const before = this.#pageSize;
    this.#tiles?.close();
    this.#model = model;
    this.#tiles = model === null ? null : new TileCache<ImageBitmap>(model, bitmapOf, () => this.#frames.request(), (thrown) => this.#events.onProblem(thrown));
    this.#cells = model === null ? null : new Cells(model, () => this.#frames.request());
    if (model !== null && this.#page >= model.info.pages.length) this.#page = 0;
    const now = this.#pageSize;
    if (before.width !== now.width || before.height !== now.height) this.#set(fitting({ x: 0, y: 0, ...now }, this.#view));
    this.#frames.request();
  }

  set({ page, colors, chosen, tool, radius, isAimed }: { page?: number; colors?: PixelColors; chosen?: string | null; tool?: Tool; radius?: number; isAimed?: boolean }): void {
    if (page !== undefined && page !== this.#page) {
      this.#page = page;
      this.fit();
    }
    this.#colors = colors ?? this.#colors;
    if (chosen !== undefined) this.#chosen = chosen;
    this.#tool = tool ?? this.#tool;
    this.#radius = radius ?? this.#radius;
    this.#isAimed = isAimed ?? this.#isAimed;
    this.#frames.request();
  }

  /** Weights changed: in a box of a page, or anywhere. */
  touch(page?: number, box?: Box): void {
    if (page === undefined || box === undefined) this.#tiles?.touchAll();
    else this.#tiles?.touch(page, box, PIXEL_TILE);
    this.#cells?.touch();
    this.#frames.request();
  }

  /** All of the page. */
  fit(): void {
    this.#go(fitting({ x: 0, y: 0, ...this.#pageSize }, this.#view), JUMP_MS);
  }

  /** A box of the page, nearer than `maxScale` never. */
  lookAt(box: Box, maxScale?: number): void {
    this.#go(fitting(box, this.#view, maxScale), JUMP_MS);
  }

  zoomBy(factor: number): void {
    this.zoom({ x: this.#view.width / 2, y: this.#view.height / 2 }, factor, true);
  }

  /** Keys of a view that has the focus; whether it was one of them. */
  key(key: string, isShift: boolean): boolean {
    const step = KEY_PAN * (isShift ? 4 : 1);
    const ways: Record<string, readonly [number, number]> = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const way = ways[key];
    if (way !== undefined) {
      // Near enough to see numbers a step is a whole pixel, so that every weight can be reached.
      const size = this.#camera.scale >= NUMBER_SCALE ? this.#camera.scale * (isShift ? 8 : 1) : step;
      this.pan(Math.sign(way[0]) * size, Math.sign(way[1]) * size);
    } else if (key === "+" || key === "=") this.zoomBy(KEY_ZOOM);
    else if (key === "-") this.zoomBy(1 / KEY_ZOOM);
    else if (key === "0" || key === "Home") this.fit();
    else if ((key === "Enter" || key === " ") && this.#tool !== "move") this.#paint(this.#middle, this.#middle);
    else return false;
    return true;
  }

  tool(): Tool {
    return this.#tool;
  }

  pan(dx: number, dy: number): void {
    this.#set(clamped(panned(this.#target, dx, dy), this.#pageSize, this.#view));
  }

  zoom(at: Spot, factor: number, isSmooth: boolean): void {
    const next = clamped(zoomed(this.#target, this.#view, at, factor, minScaleOf(this.#pageSize, this.#view)), this.#pageSize, this.#view);
    if (isSmooth) this.#go(next, ZOOM_MS);
    else this.#set(next);
  }

  hover(at: Spot | null): void {
    this.#pointer = at;
    this.#tellHover();
    if (this.#tool !== "move") this.#frames.request();
  }

  strokeStart(at: Spot): void {
    this.#stroke = toPage(this.#camera, this.#view, at);
    this.#pointer = at;
    if (this.#tool === "brush") this.#paint(this.#stroke, this.#stroke);
  }

  strokeMove(at: Spot): void {
    this.#pointer = at;
    if (this.#stroke === null) return;
    const to = toPage(this.#camera, this.#view, at);
    if (this.#tool === "brush") {
      this.#paint(this.#stroke, to);
      this.#stroke = to;
    }
    this.#frames.request();
  }

  strokeEnd(isDropped: boolean): void {
    const [from, at] = [this.#stroke, this.#pointer];
    this.#stroke = null;
    if (from !== null && at !== null && this.#tool === "box" && !isDropped) this.#events.onPaint(this.#page, boxRuns(this.#inPage(boxBetween(from, toPage(this.#camera, this.#view, at)))));
    this.#frames.request();
  }

  /** For tests: what it did and where it looks. */
  get state() {
    return { frames: this.#nFrames, camera: this.#camera, view: this.#view, page: this.#page, isSettled: this.#motion === null && (this.#tiles?.isSettled ?? true) };
  }

  /** For tests: a tensor and its place. */
  tensor(name: string): PixelTensor | undefined {
    return this.#model?.info.tensors.find((tensor) => tensor.name === name);
  }

  dispose(): void {
    this.#frames.cancel();
    this.#tiles?.close();
    for (const end of this.#ends) end();
  }

  get #pageSize(): Size {
    return this.#model?.info.pages[this.#page] ?? { width: 1, height: 1 };
  }

  /** Where it looks once it no longer moves. */
  get #target(): Camera {
    return this.#motion?.to ?? this.#camera;
  }

  get #middle(): Spot {
    return { x: this.#camera.x, y: this.#camera.y };
  }

  #inPage(box: Box): Box {
    const [x, y] = [Math.max(box.x, 0), Math.max(box.y, 0)];
    return { x, y, width: Math.max(Math.min(box.x + box.width, this.#pageSize.width) - x, 0), height: Math.max(Math.min(box.y + box.height, this.#pageSize.height) - y, 0) };
  }

  #paint(from: Spot, to: Spot): void {
    // Half a pixel covers the one it is in.
    const runs = strokeRuns(from, to, Math.max(this.#radius - 0.5, 0));
    if (runs.length > 0) this.#events.onPaint(this.#page, runs);
  }

  #set(camera: Camera): void {
    this.#motion = null;
    this.#camera = camera;
    this.#frames.request();
  }

  #go(to: Camera, durationMs: number): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.#set(to);
    this.#motion = { from: this.#camera, to, startMs: performance.now(), durationMs };
    this.#frames.request();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    const isFitted = this.#model !== null && Math.abs(this.#target.scale - fitting({ x: 0, y: 0, ...this.#pageSize }, this.#view).scale) < 1e-9;
    this.#view = { width: clientWidth, height: clientHeight };
    this.#ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
    this.#canvas.width = Math.round(clientWidth * this.#ratio);
    this.#canvas.height = Math.round(clientHeight * this.#ratio);
    if (isFitted) this.#set(fitting({ x: 0, y: 0, ...this.#pageSize }, this.#view));
    // A canvas that changed its size is empty until it is drawn again.
    this.#frames.cancel();
    this.#draw();
  }

  #tellHover(): void {
    const at = this.#pointer ?? (this.#isAimed ? { x: this.#view.width / 2, y: this.#view.height / 2 } : null);
    const place = at === null ? null : toPage(this.#camera, this.#view, at);
    this.#events.onHover(place === null ? null : { x: Math.floor(place.x), y: Math.floor(place.y) });
  }

  #draw(): void {
    this.#nFrames += 1;
    if (this.#motion !== null) {
      const { from, to, startMs, durationMs } = this.#motion;
      const share = Math.min((performance.now() - startMs) / durationMs, 1);
      this.#camera = between(from, to, share * (2 - share));
      if (share >= 1) this.#motion = null;
      this.#frames.request();
    }
    this.#paper.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    const scene: Scene = { paper: this.#paper, view: this.#view, ratio: this.#ratio, camera: this.#camera, page: this.#page, pageSize: this.#pageSize, palette: this.#palette };
    drawGround(this.#model === null ? { ...scene, pageSize: { width: 0, height: 0 } } : scene);
    if (this.#model !== null && this.#tiles !== null) {
      this.#tiles.want(drawTiles(scene, this.#tiles, this.#colors));
      drawGrid(scene);
      if (this.#camera.scale >= NUMBER_SCALE && this.#cells !== null) drawNumbers(scene, this.#cells);
      else this.#cells?.rest();
      drawTensors(scene, this.#model.info.tensors, this.#chosen);
    }
    this.#drawTool();
    this.#tellHover();
    this.#events.onCamera(this.#camera);
  }

  #drawTool(): void {
    const { accent } = this.#palette;
    const { scale } = this.#camera;
    if (this.#tool === "box" && this.#stroke !== null && this.#pointer !== null) {
      const box = boxBetween(this.#stroke, toPage(this.#camera, this.#view, this.#pointer));
      frame(this.#paper, { ...toView(this.#camera, this.#view, box), width: box.width * scale, height: box.height * scale }, accent);
    } else if (this.#tool === "brush" && this.#pointer !== null) {
      this.#paper.beginPath();
      this.#paper.arc(this.#pointer.x, this.#pointer.y, Math.max((this.#radius - 0.5) * scale, 3), 0, 2 * Math.PI);
      this.#paper.lineWidth = 1.5;
      this.#paper.strokeStyle = accent;
      this.#paper.stroke();
    }
    if (!this.#isAimed || this.#pointer !== null) return;
    // Where keys look at, and paint.
    const pixel = toView(this.#camera, this.#view, { x: Math.floor(this.#camera.x), y: Math.floor(this.#camera.y) });
    frame(this.#paper, { ...pixel, width: Math.max(scale, 6), height: Math.max(scale, 6) }, accent);
  }
}

function bitmapOf({ width, height, pixels }: PixelImage): Promise<ImageBitmap> {
  return createImageBitmap(new ImageData(pixels, width, height));
}

function paletteOf(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return { ground: value("--sunken"), page: value("--picture-page"), line: value("--picture-line"), accent: value("--picture-mark"), plate: value("--picture-plate"), ink: value("--ink"), font: value("--mono") };
}
