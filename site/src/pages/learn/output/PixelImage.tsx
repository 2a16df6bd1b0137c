import { useEffect, useRef } from "react";

/** Gray values from 0 to 1 as a picture: ink is bright on black, as in MNIST. */
export function PixelImage({ pixels, width, height, label }: { pixels: readonly number[]; width: number; height: number; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context === null || context === undefined) return;
    const image = context.createImageData(width, height);
    for (let i = 0; i < width * height; i++) {
      // What is no number shows in a color that no gray value has.
      const value = pixels[i] ?? 0;
      const isNumber = Number.isFinite(value);
      image.data.set(isNumber ? [value * 255, value * 255, value * 255, 255] : [255, 0, 96, 255], i * 4);
    }
    context.putImageData(image, 0, 0);
  }, [pixels, width, height]);
  return <canvas ref={canvas} className="pixel-image" width={width} height={height} role="img" aria-label={label} />;
}
