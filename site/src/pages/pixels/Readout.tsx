import { useEffect, useRef, useState } from "react";
import type { PixelModel, PixelWeights } from "tilework/models";
import { formatNumber } from "../../lib/format";
import type { Spot } from "./view/camera";

interface ReadoutProps {
  model: PixelModel | null;
  page: number;
  spot: Spot | null;
  scale: number;
  revision: number;
  problem: string;
  /** Keys move the view, so that what is under its middle should be said. */
  isSpoken: boolean;
}

/** More weights of one pixel than this are counted, not listed. */
const MAX_LISTED = 8;

/** What lies under the pointer: the tensor, the place, the value. */
export function Readout({ model, page, spot, scale, revision, problem, isSpoken }: ReadoutProps) {
  const weights = model === null || spot === null ? undefined : model.weightsAt(page, spot.x, spot.y);
  const values = useValues(model, weights, revision);
  if (problem !== "") return <p className="readout readout-problem" role="alert">{problem}</p>;
  return (
    <p className="readout numeric" role="status" aria-live={isSpoken ? "polite" : "off"} data-testid="readout">
      {weights === undefined ? (
        <span className="readout-hint">{spot === null ? "Point at a pixel to read its weight; wheel or pinch to zoom, drag to move" : "Blank"}</span>
      ) : (
        <>
          <b>{weights.tensor.name}</b>
          <span>[{placeOf(weights)}]</span>
          <span className="readout-value">{values === null ? "…" : listed(values)}</span>
        </>
      )}
      <span className="picture-scale">{scale < 1 ? `${formatNumber(100 * scale)} %` : `${formatNumber(scale)} ×`}</span>
    </p>
  );
}

/** Row and column; of several weights those of the first, and the last column if it is in the same row. */
function placeOf({ tensor, row, column, count }: PixelWeights): string {
  const columns = count === 1 ? String(column) : column + count > tensor.columns ? `${column} …` : `${column}–${column + count - 1}`;
  return tensor.shape.length < 2 ? columns : `${row}, ${columns}`;
}

function listed(values: Float32Array): string {
  const words = Array.from(values.subarray(0, MAX_LISTED), (value) => String(Number(value.toPrecision(7))));
  return words.join("  ") + (values.length > MAX_LISTED ? "  …" : "");
}

interface Wanted {
  readonly model: PixelModel;
  readonly weights: PixelWeights;
  readonly key: string;
}

/** The values of the latest pixel; those passed over while one is on its way are never asked for. */
function useValues(model: PixelModel | null, weights: PixelWeights | undefined, revision: number): Float32Array | null {
  const [read, setRead] = useState<{ readonly key: string; readonly values: Float32Array } | null>(null);
  const wanted = useRef<Wanted | null>(null);
  const isBusy = useRef(false);
  const key = model === null || weights === undefined ? "" : `${revision} ${weights.tensor.name} ${weights.start}`;
  useEffect(() => {
    wanted.current = model === null || weights === undefined ? null : { model, weights, key };
    if (isBusy.current) return;
    const work = async () => {
      isBusy.current = true;
      for (let next = wanted.current; next !== null; next = wanted.current === next ? null : wanted.current) {
        const { tensor, start, count } = next.weights;
        // The picture, which asks the same model, tells what is wrong.
        const values = await next.model.stretch(tensor.name, { start, count }).catch(() => null);
        if (values !== null) setRead({ key: next.key, values });
      }
      isBusy.current = false;
    };
    void work();
    // `weights` is another object with every movement; its key is not.
  }, [model, key]);
  return read?.key === key ? read.values : null;
}
