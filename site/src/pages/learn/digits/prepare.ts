// A drawing the way MNIST's images were made: the ink's box scaled into 20 × 20 keeping its shape, then moved so that the middle
// of its mass is the middle of 28 × 28. A network knows only what it was trained on, so this matters as much as the weights.

export const SIDE = 28;
export const BOX = 20;
/** Where the middle of the mass goes, as an index of pixels: the mean over MNIST's test images is 13.99 and 14.01. */
export const MIDDLE = 14;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

// Fainter than this is the soft edge of a stroke, not a part of it.
const INK = 0.1;

/** The smallest box around all ink of a `size` × `size` drawing; null without any. */
export function inkBox(ink: ArrayLike<number>, size: number): Box | null {
  let [left, right, top, bottom] = [size, -1, size, -1];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if ((ink[y * size + x] ?? 0) <= INK) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** The middle of the mass, as an index of pixels; null without any. */
export function massMiddle(values: ArrayLike<number>, width: number): { x: number; y: number } | null {
  let [mass, x, y] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    mass += value;
    x += value * (i % width);
    y += value * Math.floor(i / width);
  }
  return mass > 0 ? { x: x / mass, y: y / mass } : null;
}

/** ink: [size, size], 0 to 1. Gives [28, 28]; a drawing without ink gives zeros. */
export function prepare(ink: ArrayLike<number>, size: number): Float32Array {
  const image = new Float32Array(SIDE * SIDE);
  const box = inkBox(ink, size);
  if (box === null) return image;
  const scale = BOX / Math.max(box.width, box.height);
  const width = Math.max(1, Math.round(box.width * scale));
  const height = Math.max(1, Math.round(box.height * scale));
  const small = shrink(ink, size, box, width, height);
  const middle = massMiddle(small, width) ?? { x: width / 2, y: height / 2 };
  const left = clamp(Math.round(MIDDLE - middle.x), SIDE - width);
  const top = clamp(Math.round(MIDDLE - middle.y), SIDE - height);
  for (let y = 0; y < height; y++) image.set(small.subarray(y * width, (y + 1) * width), (top + y) * SIDE + left);
  return image;
}

function clamp(value: number, largest: number): number {
  return Math.min(Math.max(value, 0), largest);
}

/** Each small pixel is the mean of all pixels it covers, which keeps thin strokes from falling between them. */
function shrink(ink: ArrayLike<number>, size: number, box: Box, width: number, height: number): Float32Array {
  const small = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [x0, x1] = covered(box.left, box.width, x, width);
      const [y0, y1] = covered(box.top, box.height, y, height);
      let sum = 0;
      for (let row = y0; row < y1; row++) for (let col = x0; col < x1; col++) sum += ink[row * size + col] ?? 0;
      small[y * width + x] = sum / ((x1 - x0) * (y1 - y0));
    }
  }
  return small;
}

function covered(first: number, length: number, i: number, n: number): [number, number] {
  const from = first + Math.floor((i * length) / n);
  return [from, Math.max(from + 1, first + Math.floor(((i + 1) * length) / n))];
}
