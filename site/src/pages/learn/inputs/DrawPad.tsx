import { useEffect, useRef, type PointerEvent } from "react";
import { Button } from "../../../ui/Button";
import { PAD_SIZE, type Ink } from "./ink";

const PEN = PAD_SIZE * 0.085;

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
  const last = useRef<{ x: number; y: number } | null>(null);
  const context = () => canvas.current?.getContext("2d", { willReadFrequently: true }) ?? null;
  const put = (ink: Ink) => {
    const image = new ImageData(PAD_SIZE, PAD_SIZE);
    ink.forEach((value, i) => image.data.set([255, 255, 255, value * 255], i * 4));
    context()?.putImageData(image, 0, 0);
  };
  useEffect(() => put(start), []);
  const read = (): Ink => {
    const data = context()?.getImageData(0, 0, PAD_SIZE, PAD_SIZE).data;
    return Float32Array.from({ length: PAD_SIZE * PAD_SIZE }, (_, i) => (data?.[i * 4 + 3] ?? 0) / 255);
  };
  const place = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: ((event.clientX - box.left) / box.width) * PAD_SIZE, y: ((event.clientY - box.top) / box.height) * PAD_SIZE };
  };
  const line = (from: { x: number; y: number }, to: { x: number; y: number }) => {
    const pen = context();
    if (pen === null) return;
    Object.assign(pen, { lineWidth: PEN, lineCap: "round", lineJoin: "round", strokeStyle: "#fff" });
    pen.beginPath();
    pen.moveTo(from.x, from.y);
    // A line without length would draw nothing, not even a dot.
    pen.lineTo(to.x + 0.01, to.y);
    pen.stroke();
  };
  const down = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = place(event);
    line(last.current, last.current);
  };
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (last.current === null) return;
    const next = place(event);
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
