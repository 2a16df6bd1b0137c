import { useEffect, useRef, type PointerEvent } from "react";
import { drawLine, inkOf, paperOf, placeOn, type Place } from "../../../lib/pen";
import { Button } from "../../../ui/Button";
import { PAD_SIZE, type Ink } from "./ink";

const PEN = { width: PAD_SIZE * 0.085, color: "#fff" };

interface DrawPadProps {
  /** What is on the pad at the beginning. */
  start: Ink;
  /** After every stroke, and after clearing. */
  onDrawn: (ink: Ink) => void;
  onClear: (ink: Ink) => void;
  /** Drawings to choose from, for those who cannot draw. */
  samples: readonly { readonly name: string; readonly ink: () => Ink }[];
}

/** A pad to draw on with mouse, pen or finger. */
export function DrawPad({ start, onDrawn, onClear, samples }: DrawPadProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const last = useRef<Place | null>(null);
  const context = () => paperOf(canvas.current);
  const put = (ink: Ink) => {
    const image = new ImageData(PAD_SIZE, PAD_SIZE);
    ink.forEach((value, i) => image.data.set([255, 255, 255, value * 255], i * 4));
    context()?.putImageData(image, 0, 0);
  };
  useEffect(() => put(start), []);
  const read = (): Ink => {
    const paper = context();
    return paper === null ? new Float32Array(PAD_SIZE * PAD_SIZE) : inkOf(paper);
  };
  const line = (from: Place, to: Place) => {
    const paper = context();
    if (paper !== null) drawLine(paper, from, to, PEN);
  };
  const down = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = placeOn(event.currentTarget, event);
    line(last.current, last.current);
  };
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (last.current === null) return;
    const next = placeOn(event.currentTarget, event);
    line(last.current, next);
    last.current = next;
  };
  const up = () => {
    if (last.current === null) return;
    last.current = null;
    onDrawn(read());
  };
  const clear = () => {
    context()?.clearRect(0, 0, PAD_SIZE, PAD_SIZE);
    onClear(read());
  };
  const show = (ink: Ink) => {
    put(ink);
    onDrawn(ink);
  };
  return (
    <div className="draw-pad">
      <canvas ref={canvas} width={PAD_SIZE} height={PAD_SIZE} role="img" aria-label="Pad to draw a digit on with mouse, pen or finger; the buttons beside it put a drawn digit there" onPointerDown={down} onPointerMove={move} onPointerUp={up} onPointerCancel={up} />
      <div className="draw-side">
        <p className="small">Draw a digit. The code runs when you lift the pen.</p>
        <div className="row" role="group" aria-label="Drawings">
          {samples.map(({ name, ink }) => <button key={name} type="button" className="example mono" onClick={() => show(ink())}>{name}</button>)}
        </div>
        <Button look="quiet" icon="trash" onClick={clear}>Clear</Button>
      </div>
    </div>
  );
}
