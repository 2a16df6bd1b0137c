import { useId, useMemo, useState } from "react";
import type { PixelModel, PixelTensor } from "tilework/models";
import { formatBytes, formatCount, formatNumber, sentence } from "../../lib/format";
import { Button } from "../../ui/Button";
import { LineChart } from "../../ui/chart/LineChart";
import { Field } from "../../ui/Choice";
import { Callout, Card, Fact, Facts, PanelSection } from "../../ui/layout";
import { Histogram, HistogramFacts } from "./Histogram";
import { defaultParts } from "./parts";
import { Sheet } from "./Sheet";
import { TensorName } from "./TensorName";
import { useAsked } from "./useAsked";

const BINS = 64;
/** Weights that are counted in a moment. While they are, no tile is drawn. */
const QUICK_COUNT = 3e7;
/** Multiplications of a spectrum that takes no more than a moment. */
const QUICK_SPECTRUM = 2e8;

/** What the weights of a tensor are like. Without one, of the whole model. */
export function TensorCard({ model, tensor, revision }: { model: PixelModel; tensor: PixelTensor | null; revision: number }) {
  const count = tensor?.count ?? model.info.tensors.reduce((sum, one) => sum + one.count, 0);
  const [wanted, setWanted] = useState<PixelModel | null>(null);
  const isWanted = count <= QUICK_COUNT || wanted === model;
  const histogram = useAsked(isWanted ? `${tensor?.name ?? ""} ${revision}` : "", () => model.histogram({ bins: BINS, ...(tensor !== null && { tensor: tensor.name }) }), model);
  return (
    <Card title={tensor === null ? "The whole model" : <TensorName name={tensor.name} />} note={tensor === null ? "Choose a tensor for its heads and its spectrum" : `${tensor.shape.join(" × ") || "1"}, ${tensor.dtype}`}>
      <div className="tensor-parts">
        {tensor !== null && (
          <Facts>
            <Fact name="Weights">{formatCount(tensor.count)}</Fact>
            <Fact name="Size">{formatBytes(tensor.bytes)}</Fact>
            <Fact name="Weights per pixel">{formatNumber(tensor.perPixel)}</Fact>
            <Fact name="Full color at">±{formatNumber(tensor.scale)}</Fact>
          </Facts>
        )}
        <PanelSection title="Histogram">
          {!isWanted && <Button icon="play" onClick={() => setWanted(model)}>Count all {formatCount(count)}</Button>}
          {isWanted && histogram.answer !== null && <><Histogram histogram={histogram.answer} of={tensor?.name ?? "all weights"} /><HistogramFacts histogram={histogram.answer} /></>}
          <Problem message={histogram.problem} />
        </PanelSection>
        {tensor !== null && tensor.rows > 1 && tensor.columns > 1 && (
          <>
            <Heads key={`heads ${tensor.name}`} model={model} tensor={tensor} revision={revision} />
            <Spectrum key={tensor.name} model={model} tensor={tensor} revision={revision} />
          </>
        )}
      </div>
    </Card>
  );
}

function Problem({ message }: { message: string }) {
  return message === "" ? null : <Callout tone="bad" title="That could not be computed"><p>{sentence(message)}</p></Callout>;
}

/** Groups of rows side by side: heads of an attention, neurons of a layer. */
function Heads({ model, tensor, revision }: { model: PixelModel; tensor: PixelTensor; revision: number }) {
  const [parts, setParts] = useState(() => defaultParts(tensor, model.info.metadata));
  const id = useId();
  const divisors = useMemo(() => Array.from({ length: Math.min(tensor.rows, 256) }, (_, index) => index + 1).filter((n) => tensor.rows % n === 0 && n > 1), [tensor]);
  const { answer, problem } = useAsked(`${tensor.name} ${parts} ${revision}`, () => model.sheet(tensor.name, parts), model);
  if (divisors.length === 0) return null;
  const perPart = tensor.rows / parts;
  return (
    <PanelSection title="Side by side">
      <Field label={perPart === 1 ? `${formatCount(parts)} rows, each folded into a picture` : `${parts} parts of ${formatCount(perPart)} rows, as the heads of an attention`} htmlFor={id}>
        <select id={id} className="input" value={parts} onChange={(event) => setParts(Number(event.target.value))}>
          {divisors.map((n) => <option key={n} value={n}>{n} {n === tensor.rows ? "rows" : "parts"}</option>)}
        </select>
      </Field>
      {answer !== null && <Sheet sheet={answer} name={tensor.name} />}
      <Problem message={problem} />
    </PanelSection>
  );
}

/** Singular values, largest first. */
function Spectrum({ model, tensor, revision }: { model: PixelModel; tensor: PixelTensor; revision: number }) {
  const work = Math.min(tensor.rows, tensor.columns) ** 2 * Math.max(tensor.rows, tensor.columns);
  const [isWanted, setWanted] = useState(work <= QUICK_SPECTRUM);
  const { answer, problem, isBusy } = useAsked(isWanted ? `${tensor.name} ${revision}` : "", () => model.spectrum(tensor.name), model);
  const points = useMemo(() => [...(answer ?? [])].map((y, index) => ({ x: index + 1, y })).filter(({ y }) => y > 0), [answer]);
  const largest = answer?.[0] ?? NaN;
  return (
    <PanelSection title="Spectrum">
      {!isWanted && <Button icon="play" onClick={() => setWanted(true)}>Compute the singular values</Button>}
      {isBusy && answer === null && <p className="small" role="status">Computing {formatCount(Math.min(tensor.rows, tensor.columns))} singular values…</p>}
      {points.length > 1 && (
        <LineChart
          label={`${answer?.length ?? 0} singular values of ${tensor.name}, the largest ${formatNumber(largest)}`}
          series={[{ id: "s", name: `Singular values, largest ${formatNumber(largest)}`, color: "var(--series-gpu)", points }]}
          x={{ label: "number", kind: "linear", format: formatNumber }}
          y={{ label: "singular value", kind: "log", format: formatNumber }}
          height={190}
          marks={false}
        />
      )}
      <Problem message={problem} />
    </PanelSection>
  );
}
