import { useEffect, useRef, type PointerEvent } from "react";
import type { Drawing } from "tilework/models";

/** Width and height of the drawing; on the screen it is as wide as there is room. */
const SIZE = 280;

interface DrawPadProps {
  /** Width of the pen, in parts of the drawing's width. */
  pen: number;
  /** Counts up when the drawing is to be cleared. */
  cleared: number;
  onDrawing: (drawing: Drawing | null) => void;
}

/** Paper for one digit: mouse, touch and pen. */
export function DrawPad({ pen, cleared, onDrawing }: DrawPadProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const last = useRef<readonly [number, number] | null>(null);
  const frame = useRef(0);

  useEffect(() => {
    const paper = canvas.current?.getContext("2d", { willReadFrequently: true });
    paper?.clearRect(0, 0, SIZE, SIZE);
    last.current = null;
    onDrawing(null);
  }, [cleared, onDrawing]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  const place = (event: { clientX: number; clientY: number }): readonly [number, number] => {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined) return [0, 0];
    return [((event.clientX - box.left) / box.width) * SIZE, ((event.clientY - box.top) / box.height) * SIZE];
  };
  const stroke = (to: readonly [number, number]) => {
    const paper = canvas.current?.getContext("2d", { willReadFrequently: true });
    if (paper === null || paper === undefined) return;
    paper.lineCap = paper.lineJoin = "round";
    paper.lineWidth = pen * SIZE;
    paper.strokeStyle = getComputedStyle(paper.canvas).color;
    paper.beginPath();
    paper.moveTo(...(last.current ?? to));
    paper.lineTo(...to);
    paper.stroke();
    last.current = to;
    // Once per picture on the screen is often enough.
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => onDrawing(drawingOf(paper)));
  };
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = null;
    stroke(place(event));
  };
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (last.current === null || event.buttons === 0) return;
    // A fast pen moves several times between two events; browsers keep the points in between.
    const between = event.nativeEvent.getCoalescedEvents?.() ?? [];
    for (const point of between.length > 0 ? between : [event]) stroke(place(point));
  };
  const end = () => {
    last.current = null;
  };
  return (
    <canvas
      ref={canvas}
      className="digit-pad"
      width={SIZE}
      height={SIZE}
      role="img"
      aria-label="Paper to draw a digit on, with mouse, finger or pen"
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}

/** Ink is where the paper is not transparent, whatever the color of the theme. */
function drawingOf(paper: CanvasRenderingContext2D): Drawing {
  const { data } = paper.getImageData(0, 0, SIZE, SIZE);
  const ink = new Float32Array(SIZE * SIZE);
  for (let i = 0; i < ink.length; i++) ink[i] = (data[4 * i + 3] ?? 0) / 255;
  return { width: SIZE, height: SIZE, ink };
}
