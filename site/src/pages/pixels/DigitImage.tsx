import { useEffect, useRef } from "react";

const SIDE = 28;

/** An image of 28 by 28, as a network sees it. Without a label it is decoration. */
export function DigitImage({ image, label }: { image: Float32Array; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const paper = canvas.current?.getContext("2d");
    if (paper === null || paper === undefined) return;
    const pixels = paper.createImageData(SIDE, SIDE);
    for (let i = 0; i < SIDE * SIDE; i++) pixels.data.fill(Math.round(255 * (image[i] ?? 0)), 4 * i, 4 * i + 3).fill(255, 4 * i + 3, 4 * i + 4);
    paper.putImageData(pixels, 0, 0);
  }, [image]);
  return <canvas ref={canvas} className="digit-image" width={SIDE} height={SIDE} {...(label === "" ? { "aria-hidden": true } : { role: "img", "aria-label": label })} />;
}
