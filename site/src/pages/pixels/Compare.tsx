import { useCallback, useEffect, useId, useState } from "react";
import { placeOf, type FileSource, type PixelModel, type PixelTensor, type TensorChange } from "tilework/models";
import { formatCount, formatNumber, sentence } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Callout, Card, Empty } from "../../ui/layout";
import { Histogram, HistogramFacts } from "./Histogram";
import { TensorName } from "./TensorName";
import { useAsked } from "./useAsked";

interface CompareProps {
  model: PixelModel;
  revision: number;
  /** Whether there is a difference to show. */
  onShown: (isShown: boolean) => void;
  /** The difference is another one. */
  onTouched: () => void;
  onChoose: (tensor: PixelTensor, weight?: { page: number; x: number; y: number }) => void;
}

interface Compared {
  readonly name: string;
  readonly changes: readonly TensorChange[];
}

const BINS = 64;

/** The model in sight and another one: where they differ, how much, and how that is spread. */
export function Compare({ model, revision, onShown, onTouched, onChoose }: CompareProps) {
  const [compared, setCompared] = useState<Compared | null>(null);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const compare = useCallback(async (name: string, ask: () => Promise<readonly TensorChange[]>) => {
    setBusy(true);
    setProblem("");
    try {
      setCompared({ name, changes: await ask() });
      onShown(true);
      onTouched();
    } catch (thrown) {
      setProblem(`${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    } finally {
      setBusy(false);
    }
  }, [onShown, onTouched]);
  useEffect(() => {
    setCompared(null);
    onShown(false);
    return () => onShown(false);
  }, [model, onShown]);
  const withFile = (file: File) => compare(file.name, () => model.compare(file as FileSource));
  return (
    <>
      <Card title="Compare" note="With another model of the same tensors, or with this one as it was opened">
        <div className="opener-buttons">
          <div className="file-choice">
            <label className="button button-primary" htmlFor={id}>Choose a file…</label>
            <input
              id={id}
              className="visually-hidden"
              type="file"
              accept=".png,.safetensors,.gguf,image/png"
              onChange={(event) => {
                const [file] = event.target.files ?? [];
                event.target.value = "";
                if (file !== undefined) void withFile(file);
              }}
            />
          </div>
          <Button icon="refresh" busy={isBusy} onClick={() => void compare("as it was opened", () => model.changes())}>As opened</Button>
        </div>
        {problem !== "" && <Callout tone="bad" title="They could not be compared"><p>{sentence(problem)}</p></Callout>}
        {compared === null ? <Empty icon="mesh" title="Nothing compared yet"><p>Paint over some weights, then compare with the model as it was opened.</p></Empty> : <Changes compared={compared} model={model} onChoose={onChoose} />}
      </Card>
      {compared !== null && <Spread key={compared.name} model={model} compared={compared} revision={revision} />}
    </>
  );
}

const STATES: Record<TensorChange["state"], string> = { same: "same", changed: "changed", shape: "another shape or type", missing: "not in the other", added: "only in the other" };

function Changes({ compared, model, onChoose }: { compared: Compared; model: PixelModel; onChoose: CompareProps["onChoose"] }) {
  const nChanged = compared.changes.filter(({ state }) => state !== "same").length;
  const choose = ({ name, state, row, column }: TensorChange) => {
    const tensor = model.info.tensors.find((one) => one.name === name);
    if (tensor !== undefined) onChoose(tensor, state === "changed" ? placeOf(tensor, row, column) : undefined);
  };
  return (
    <>
      <p className="compare-words" role="status" data-testid="compared">{nChanged === 0 ? <>Every weight is the same as in <b>{compared.name}</b>.</> : <><b>{formatCount(nChanged)}</b> of {formatCount(compared.changes.length)} tensors differ from <b>{compared.name}</b>.</>}</p>
      <ul className="tensors" aria-label="Changes">
        {compared.changes.map((change) => (
          <li key={change.name}>
            <button type="button" className="tensor" disabled={change.state === "added"} onClick={() => choose(change)}>
              <span className="tensor-name"><TensorName name={change.name} /></span>
              <span className={change.state === "same" ? "small" : "small change"}>
                {change.state === "changed" ? `${formatCount(change.changed)} of ${formatCount(change.count)}, largest ${formatNumber(change.largest)} at [${change.row}, ${change.column}]` : STATES[change.state]}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Spread({ model, compared, revision }: { model: PixelModel; compared: Compared; revision: number }) {
  const { answer, problem } = useAsked(`${compared.name} ${revision}`, () => model.histogram({ bins: BINS, of: "difference" }), compared);
  return (
    <Card title="Differences" note="This model minus the other, of all weights that are in both">
      {answer !== null && <><Histogram histogram={answer} of="differences" /><HistogramFacts histogram={answer} /></>}
      {problem !== "" && <p className="small">{sentence(problem)}</p>}
    </Card>
  );
}
