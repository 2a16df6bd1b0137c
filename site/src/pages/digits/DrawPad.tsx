import { useEffect, useRef, type PointerEvent } from "react";
import type { Drawing } from "tilework/models";
import { drawLine, inkOf, paperOf, placeOn, type Place } from "../../lib/pen";

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
  const last = useRef<Place | null>(null);
  const frame = useRef(0);

  useEffect(() => {
    paperOf(canvas.current)?.clearRect(0, 0, SIZE, SIZE);
    last.current = null;
    onDrawing(null);
  }, [cleared, onDrawing]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  const stroke = (element: HTMLCanvasElement, pointer: { clientX: number; clientY: number }) => {
    const paper = paperOf(element);
    if (paper === null) return;
    const to = placeOn(element, pointer);
    drawLine(paper, last.current ?? to, to, { width: pen * SIZE, color: getComputedStyle(element).color });
    last.current = to;
    // Once per picture on the screen is often enough.
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => onDrawing({ width: SIZE, height: SIZE, ink: inkOf(paper) }));
  };
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = null;
    stroke(event.currentTarget, event);
  };
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (last.current === null || event.buttons === 0) return;
    // A fast pen moves several times between two events; browsers keep the points in between.
    const between = event.nativeEvent.getCoalescedEvents?.() ?? [];
    for (const point of between.length > 0 ? between : [event]) stroke(event.currentTarget, point);
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
