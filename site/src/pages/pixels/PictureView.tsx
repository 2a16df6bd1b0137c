import { useEffect, useImperativeHandle, useMemo, useRef, useState, type KeyboardEvent, type Ref } from "react";
import type { PixelColors, PixelModel, PixelTensor } from "tilework/models";
import { sentence } from "../../lib/format";
import { IconButton } from "../../ui/Button";
import { Choice } from "../../ui/Choice";
import { Readout } from "./Readout";
import type { Run } from "./view/brush";
import type { Box, Camera, Spot } from "./view/camera";
import type { Tool } from "./view/gestures";
import { Picture } from "./view/picture";

export interface PictureHandle {
  /** Weights changed: in a box of a page, or anywhere. */
  touch(page?: number, box?: Box): void;
  /** Goes to a tensor, or to one weight of it. */
  show(tensor: PixelTensor, weight?: { readonly page: number; readonly x: number; readonly y: number }): void;
}

interface PictureViewProps {
  ref: Ref<PictureHandle>;
  model: PixelModel | null;
  colors: PixelColors;
  onColors?: (colors: "exact" | "heat") => void;
  chosen: string | null;
  tool?: Tool;
  radius?: number;
  /** Counts up when weights changed. */
  revision: number;
  onPaint?: (page: number, runs: readonly Run[]) => void;
}

const COLORS = [{ value: "heat", label: "Colors" }, { value: "exact", label: "Exact pixels" }] as const;
/** A weight with its neighbors. */
const NEIGHBORS = 6;

/** The model as a picture: from the page to single weights. */
export function PictureView({ ref, model, colors, onColors, chosen, tool = "move", radius = 2, revision, onPaint }: PictureViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<Picture | null>(null);
  const [page, setPage] = useState(0);
  const [spot, setSpot] = useState<Spot | null>(null);
  const [scale, setScale] = useState(1);
  const [problem, setProblem] = useState("");
  const [isFocused, setFocused] = useState(false);
  const events = useRef({ onPaint });
  events.current = { onPaint };

  useEffect(() => {
    if (canvas.current === null) return;
    const made = (picture.current = new Picture(canvas.current, {
      onHover: (next) => setSpot((before) => (before?.x === next?.x && before?.y === next?.y ? before : next)),
      onPaint: (page, runs) => events.current.onPaint?.(page, runs),
      onCamera: (camera: Camera) => setScale(camera.scale),
      onProblem: (thrown) => setProblem(thrown instanceof Error ? thrown.message : String(thrown)),
    }));
    Object.assign(canvas.current, { picture: made });
    return () => {
      made.dispose();
      picture.current = null;
    };
  }, []);
  useEffect(() => {
    setProblem("");
    setPage((before) => (before < (model?.info.pages.length ?? 1) ? before : 0));
    picture.current?.setModel(model);
  }, [model]);
  useEffect(() => picture.current?.set({ page, colors, chosen, tool, radius }), [page, colors, chosen, tool, radius]);
  useImperativeHandle(ref, () => ({
    touch: (page, box) => picture.current?.touch(page, box),
    show: (tensor, weight) => {
      const [rect] = tensor.rects;
      const target = weight ?? rect;
      if (rect === undefined || target === undefined) return;
      setPage(target.page);
      picture.current?.set({ page: target.page });
      if (weight !== undefined) picture.current?.lookAt({ x: weight.x - NEIGHBORS + 0.5, y: weight.y - NEIGHBORS + 0.5, width: 2 * NEIGHBORS, height: 2 * NEIGHBORS });
      else picture.current?.lookAt(around(tensor, rect.page), 24);
    },
  }), []);

  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !picture.current?.key(event.key, event.shiftKey)) return;
    event.preventDefault();
    // Who uses keys wants to know where, even if a click brought the focus here.
    picture.current.set({ isAimed: true });
  };
  const nPages = model?.info.pages.length ?? 1;
  const pages = useMemo(() => Array.from({ length: nPages }, (_, index) => index), [nPages]);
  return (
    <div className="picture">
      <div className="picture-tools">
        {onColors !== undefined && colors !== "difference" && <Choice label="Colors" options={COLORS} value={colors} onChange={onColors} />}
        {nPages > 1 && (
          <select className="input picture-page" aria-label="Page" value={page} onChange={(event) => setPage(Number(event.target.value))}>
            {pages.map((index) => <option key={index} value={index}>Page {index + 1} of {nPages}</option>)}
          </select>
        )}
        {colors !== "exact" && <Ramp isDifference={colors === "difference"} />}
      </div>
      <div className="picture-frame">
        <canvas
          ref={canvas}
          className={`picture-canvas picture-${tool}`}
          tabIndex={0}
          role="application"
          aria-roledescription="picture of weights"
          aria-label={`The weights of the model. Arrow keys move, plus and minus zoom, 0 shows the whole page${tool === "move" ? "" : ", Enter paints the pixel in the middle"}.`}
          onKeyDown={key}
          onFocus={(event) => { setFocused(true); picture.current?.set({ isAimed: event.currentTarget.matches(":focus-visible") }); }}
          onBlur={() => { setFocused(false); picture.current?.set({ isAimed: false }); }}
        />
        <div className="picture-zoom">
          <IconButton icon="plus" label="Zoom in" onClick={() => picture.current?.zoomBy(2)} />
          <IconButton icon="minus" label="Zoom out" onClick={() => picture.current?.zoomBy(0.5)} />
          <IconButton icon="fit" label="Show the whole page" onClick={() => picture.current?.fit()} />
        </div>
      </div>
      <Readout model={model} page={page} spot={spot} scale={scale} revision={revision} problem={problem === "" ? "" : sentence(problem)} isSpoken={isFocused} />
    </div>
  );
}

/** What colors mean. Every tensor has a scale of its own. */
function Ramp({ isDifference }: { isDifference: boolean }) {
  return (
    <p className="ramp small">
      <span>{isDifference ? "lower than the other" : "negative"}</span><i aria-hidden="true" /><span>{isDifference ? "higher" : "positive"}</span>
    </p>
  );
}

/** All parts of a tensor on a page. */
function around(tensor: PixelTensor, page: number): Box {
  const rects = tensor.rects.filter((rect) => rect.page === page);
  const [x, y] = [Math.min(...rects.map((rect) => rect.x)), Math.min(...rects.map((rect) => rect.y))];
  return { x, y, width: Math.max(...rects.map((rect) => rect.x + rect.width)) - x, height: Math.max(...rects.map((rect) => rect.y + rect.height)) - y };
}
