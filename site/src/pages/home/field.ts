// The demonstration of the home page: two waves that interfere, computed as one fused kernel.
import type { Tilework } from "tilework";

export const WIDTH = 288;
export const HEIGHT = 162;

export interface Source {
  /** From 0 (left, top) to 1 (right, bottom). */
  readonly x: number;
  readonly y: number;
}

export interface FieldOptions {
  readonly sources: readonly Source[];
  /** In points of the grid. */
  readonly wavelength: number;
}

/** The height of the water at each point, row by row. */
export async function computeField(tw: Tilework, { sources, wavelength }: FieldOptions): Promise<Float32Array> {
  const x = tw.linspace(0, WIDTH - 1, WIDTH).reshape([1, WIDTH]);
  const y = tw.linspace(0, HEIGHT - 1, HEIGHT).reshape([HEIGHT, 1]);
  const waves = sources.map((source) => {
    const dx = x.sub(source.x * (WIDTH - 1));
    const dy = y.sub(source.y * (HEIGHT - 1));
    const r = dx.square().add(dy.square()).add(1).sqrt();
    return r.mul((2 * Math.PI) / wavelength).sin().mul(r.mul(-0.006).exp());
  });
  const sum = waves.reduce((total, wave) => total.add(wave));
  try {
    return (await sum.toArray()) as Float32Array;
  } finally {
    sum.dispose();
  }
}

// Deep water to light, by way of the studio's blue.
const STOPS = [[9, 14, 38], [18, 38, 110], [29, 78, 216], [122, 168, 255], [240, 246, 255]] as const;

const PALETTE = Uint8ClampedArray.from({ length: 256 * 4 }, (_, i) => {
  const position = (Math.floor(i / 4) / 255) * (STOPS.length - 1);
  const low = Math.min(Math.floor(position), STOPS.length - 2);
  const channel = i % 4;
  if (channel === 3) return 255;
  const from = STOPS[low]?.[channel] ?? 0;
  const to = STOPS[low + 1]?.[channel] ?? 0;
  return from + (to - from) * (position - low);
});

/** Heights as colors. */
export function paint(field: Float32Array, image: ImageData): void {
  const pixels = new Uint32Array(image.data.buffer);
  const colors = new Uint32Array(PALETTE.buffer);
  for (let i = 0; i < pixels.length; i++) {
    const level = ((field[i] ?? 0) + 1.6) * (255 / 3.2);
    pixels[i] = colors[Math.min(Math.max(level | 0, 0), 255)] ?? 0;
  }
}
