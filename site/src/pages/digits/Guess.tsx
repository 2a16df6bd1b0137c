import { useEffect, useRef } from "react";
import { formatMs } from "../../lib/format";
import type { Reading } from "./useDigitReader";

/** Pixels of an image in each direction. */
const SIDE = 28;
const DIGITS = Array.from({ length: 10 }, (_, digit) => digit);

/** What the network sees. */
export function NetworkImage({ image }: { image: Float32Array | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const paper = canvas.current?.getContext("2d");
    if (paper === null || paper === undefined) return;
    const pixels = paper.createImageData(SIDE, SIDE);
    for (let i = 0; i < SIDE * SIDE; i++) pixels.data.fill(Math.round(255 * (image?.[i] ?? 0)), 4 * i, 4 * i + 3).fill(255, 4 * i + 3, 4 * i + 4);
    paper.putImageData(pixels, 0, 0);
  }, [image]);
  return (
    <figure className="network-image">
      <canvas ref={canvas} width={SIDE} height={SIDE} role="img" aria-label="The drawing as the network sees it, 28 by 28 pixels" />
      <figcaption>28 × 28, as the network sees it</figcaption>
    </figure>
  );
}

/** The digit, and how sure the network is of each. */
export function Guess({ reading }: { reading: Reading | null }) {
  const sure = reading === null ? 0 : (reading.probabilities[reading.digit] ?? 0);
  return (
    <div className="guess">
      <p className="guess-digit" role="status" aria-live="polite">
        <span className="guess-face">{reading === null ? "–" : reading.digit}</span>
        <span className="guess-words">{reading === null ? "Draw a digit" : `${percent(sure)} sure, in ${formatMs(reading.elapsedMs)}`}</span>
      </p>
      <ol className="confidences" aria-label="Probability of each digit">
        {DIGITS.map((digit) => {
          const probability = reading?.probabilities[digit] ?? 0;
          return (
            <li key={digit} className={reading?.digit === digit ? "chosen" : ""}>
              <span className="numeric">{digit}</span>
              <span className="bar"><i style={{ transform: `scaleX(${probability})` }} /></span>
              <span className="numeric share">{reading === null ? "" : percent(probability)}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
