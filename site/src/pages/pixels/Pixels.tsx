import { useCallback, useRef, useState } from "react";
import type { PixelTensor } from "tilework/models";
import { setQuery, useRoute } from "../../app/router";
import { formatBytes, formatCount, sentence } from "../../lib/format";
import { Choice } from "../../ui/Choice";
import { Callout, Card, PageHead, Progress } from "../../ui/layout";
import { Compare } from "./Compare";
import { DIGIT_NETWORK } from "./files";
import { Opener, useDrop } from "./Opener";
import { Paint } from "./Paint";
import { PictureView, type PictureHandle } from "./PictureView";
import { Save } from "./Save";
import { TensorCard } from "./TensorCard";
import { TensorList } from "./TensorList";
import { Train } from "./Train";
import { useBrush } from "./useBrush";
import { useModel, type ModelState } from "./useModel";
import "./pixels.css";

type View = "look" | "paint" | "compare" | "train";

const VIEWS = [{ value: "look", label: "Look" }, { value: "paint", label: "Paint" }, { value: "compare", label: "Compare" }, { value: "train", label: "Train" }] as const;

export default function Pixels() {
  const { query } = useRoute();
  const view = VIEWS.find(({ value }) => value === query.get("view"))?.value ?? "look";
  const show = useCallback((next: View) => setQuery({ view: next === "look" ? "" : next }), []);
  const { state, opened, open } = useModel(DIGIT_NETWORK);
  const [colors, setColors] = useState<"exact" | "heat">("heat");
  const [isCompared, setCompared] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const [revision, setRevision] = useState(0);
  const picture = useRef<PictureHandle>(null);
  const model = opened?.model ?? null;
  const drop = useDrop((choice) => void open(choice));
  const changed = useCallback(() => setRevision((before) => before + 1), []);
  const brush = useBrush(model, picture, changed);
  const tensor = model?.info.tensors.find(({ name }) => name === chosen) ?? null;
  const choose = useCallback((next: PixelTensor, weight?: { page: number; x: number; y: number }) => {
    setChosen(next.name);
    picture.current?.show(next, weight);
  }, []);
  return (
    <div className={drop.isOver ? "page pixels-page drop-over" : "page pixels-page"} {...drop.handlers}>
      <PageHead title="Pixels" lead="A model is a picture: every pixel is its weights, bit for bit. Look at it, measure it, paint over it, and save it as a PNG that runs.">
        <Choice label="View" options={VIEWS} value={view} onChange={show} />
      </PageHead>
      <Opener state={state} onOpen={(choice) => void open(choice)} />
      <Opening state={state} />
      <div className="pixels">
        <Card className="pixels-main" title={opened?.name ?? "No model yet"} note={model === null ? "A picture comes with the model" : noteOf(model.info)} actions={model !== null && opened !== null && <Save model={model} name={opened.name} isEdited={brush.nPainted > 0} />}>
          <PictureView
            ref={picture}
            model={model}
            colors={view === "compare" && isCompared ? "difference" : colors}
            onColors={setColors}
            chosen={chosen}
            tool={view === "paint" ? brush.tool : "move"}
            radius={brush.radius}
            revision={revision}
            onPaint={brush.paint}
          />
        </Card>
        <div className="pixels-side">
          {model !== null && view === "look" && <TensorList key={opened?.name} tensors={model.info.tensors} chosen={chosen} onChoose={choose} />}
          {model !== null && view === "look" && <TensorCard key={`${opened?.name} ${chosen}`} model={model} tensor={tensor} revision={revision} />}
          {model !== null && view === "paint" && <Paint model={model} tensor={tensor} brush={brush} revision={revision} onChoose={choose} />}
          {model !== null && view === "compare" && <Compare key={opened?.name} model={model} revision={revision} onShown={setCompared} onTouched={() => picture.current?.touch()} onChoose={choose} />}
          {view === "train" && <Train model={model} revision={revision} onOpen={open} onChanged={() => { picture.current?.touch(); changed(); }} />}
        </div>
      </div>
    </div>
  );
}

function noteOf({ source, pages, tensors }: { source: string; pages: readonly { width: number; height: number }[]; tensors: readonly PixelTensor[] }): string {
  const [page] = pages;
  const size = pages.length === 1 && page !== undefined ? `${formatCount(page.width)} × ${formatCount(page.height)} pixels` : `${pages.length} pages`;
  return `${source === "png" ? "From a PNG" : source === "gguf" ? "From a GGUF file" : "From a safetensors file"}: ${size}, ${formatBytes(tensors.reduce((sum, { bytes }) => sum + bytes, 0))} of weights`;
}

function Opening({ state }: { state: ModelState }) {
  if (state.status === "failed") return <Callout tone="bad" title={`${state.name} could not be opened`}><p>{sentence(state.message)}</p></Callout>;
  if (state.status !== "opening") return null;
  const { progress } = state;
  const isLoading = progress?.stage === "files" && progress.totalBytes > 0;
  return (
    <div className="pixels-opening">
      <Progress value={isLoading ? progress.loadedBytes / progress.totalBytes : null} label="Opening the model" />
      <p className="small" role="status">Opening {state.name}…</p>
    </div>
  );
}
