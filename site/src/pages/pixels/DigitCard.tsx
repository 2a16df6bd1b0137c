import { useCallback, useEffect, useRef, useState } from "react";
import type { DigitGuess, Drawing, PixelModel } from "tilework/models";
import { Button } from "../../ui/Button";
import { Choice } from "../../ui/Choice";
import { Card } from "../../ui/layout";
import { DrawPad } from "../digits/DrawPad";
import { loadImages, type DigitImages } from "../learn/digits/files";
import { DigitImage } from "./DigitImage";
import { Minds } from "./Minds";

const SIDE = 28;
const SOURCES = [{ value: "sample", label: "A sample" }, { value: "drawn", label: "Draw one" }] as const;
const PEN = 0.075;

/** A digit that the network reads with the weights of now and with those it came with. */
export function DigitCard({ model, revision }: { model: PixelModel; revision: number }) {
  const [source, setSource] = useState<"sample" | "drawn">("sample");
  const [images, setImages] = useState<DigitImages | null>(null);
  const [sample, setSample] = useState(0);
  const [drawn, setDrawn] = useState<Float32Array | null>(null);
  const [cleared, setCleared] = useState(0);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    loadImages().then(setImages, (thrown: unknown) => setProblem(String(thrown)));
  }, []);
  const draw = useCallback((drawing: Drawing | null) => {
    if (drawing === null) return setDrawn(null);
    model.prepare(drawing).then(setDrawn, () => setDrawn(null));
  }, [model]);
  const samples = images === null ? [] : firstOfEach(images);
  const image = source === "drawn" ? drawn : (samples[sample]?.image ?? null);
  const { before, after } = useMinds(model, image, revision);
  return (
    <Card title="What the network thinks" note="Before: the weights it was opened with. Now: the weights of the picture" actions={<Choice label="Digit" options={SOURCES} value={source} onChange={setSource} />}>
      {source === "sample" ? (
        <ul className="digit-samples" aria-label="Samples">
          {samples.map((one, index) => (
            <li key={one.label}>
              <button type="button" aria-pressed={index === sample} aria-label={`A sample of ${one.label}`} onClick={() => setSample(index)}><DigitImage image={one.image} label="" /></button>
            </li>
          ))}
        </ul>
      ) : (
        <div className="digit-drawing">
          <DrawPad pen={PEN} cleared={cleared} onDrawing={draw} />
          <Button icon="trash" onClick={() => setCleared(cleared + 1)}>Clear</Button>
        </div>
      )}
      {problem !== "" && <p className="small">{problem}</p>}
      <Minds before={before} after={after} />
    </Card>
  );
}

/** The first image of every digit. */
function firstOfEach({ n, labels, pixels }: DigitImages): { readonly label: number; readonly image: Float32Array }[] {
  const found: { label: number; image: Float32Array }[] = [];
  for (let label = 0; label < 10; label++) {
    const index = labels.indexOf(label);
    if (index >= 0 && index < n) found.push({ label, image: Float32Array.from(pixels.subarray(index * SIDE * SIDE, (index + 1) * SIDE * SIDE), (byte) => byte / 255) });
  }
  return found;
}

/** Both readings of the latest image and the latest weights; what changes meanwhile is read next. */
function useMinds(model: PixelModel, image: Float32Array | null, revision: number): { before: DigitGuess | null; after: DigitGuess | null } {
  const [minds, setMinds] = useState<{ before: DigitGuess | null; after: DigitGuess | null }>({ before: null, after: null });
  const wanted = useRef<{ readonly model: PixelModel; readonly image: Float32Array } | null>(null);
  const isBusy = useRef(false);
  useEffect(() => {
    wanted.current = image === null ? null : { model, image };
    if (image === null) setMinds({ before: null, after: null });
    if (isBusy.current) return;
    const work = async () => {
      isBusy.current = true;
      for (let next = wanted.current; next !== null; next = wanted.current === next ? null : wanted.current) {
        const { model, image } = next;
        // A model that was exchanged meanwhile owes nobody an answer.
        const [[before], [after]] = await Promise.all([model.read(image, { original: true }), model.read(image)]).catch((): [[], []] => [[], []]);
        if (wanted.current !== null) setMinds({ before: before ?? null, after: after ?? null });
      }
      isBusy.current = false;
    };
    void work();
  }, [model, image, revision]);
  return minds;
}
