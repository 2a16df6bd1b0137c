// A pen on a canvas, and the ink it leaves. Ink is where the canvas is not transparent, whatever the color of the pen.

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The canvas's paper; it is read after every stroke. */
export function paperOf(canvas: HTMLCanvasElement | null): CanvasRenderingContext2D | null {
  return canvas?.getContext("2d", { willReadFrequently: true }) ?? null;
}

/** Where a pointer is, in pixels of the canvas, however large it is on the screen. */
export function placeOn(canvas: HTMLCanvasElement, pointer: { readonly clientX: number; readonly clientY: number }): Place {
  const box = canvas.getBoundingClientRect();
  return { x: ((pointer.clientX - box.left) / box.width) * canvas.width, y: ((pointer.clientY - box.top) / box.height) * canvas.height };
}

/** A stroke with round ends. */
export function drawLine(paper: CanvasRenderingContext2D, from: Place, to: Place, pen: { readonly width: number; readonly color: string }): void {
  Object.assign(paper, { lineWidth: pen.width, lineCap: "round", lineJoin: "round", strokeStyle: pen.color });
  paper.beginPath();
  paper.moveTo(from.x, from.y);
  // A line without length would draw nothing, not even a dot.
  paper.lineTo(to.x + 0.01, to.y);
  paper.stroke();
}

/** The ink of every pixel, row after row, from 0 to 1. */
export function inkOf(paper: CanvasRenderingContext2D): Float32Array<ArrayBuffer> {
  const { width, height } = paper.canvas;
  const { data } = paper.getImageData(0, 0, width, height);
  const ink = new Float32Array(width * height);
  for (let i = 0; i < ink.length; i++) ink[i] = (data[4 * i + 3] ?? 0) / 255;
  return ink;
}
