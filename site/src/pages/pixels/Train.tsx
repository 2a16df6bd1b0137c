import { useCallback, useEffect, useId, useRef, useState } from "react";
import { DigitTrainer, type PixelModel } from "tilework/models";
import { formatCount, formatNumber, sentence } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Choice";
import { Callout, Card, Fact, Facts, Progress } from "../../ui/layout";
import { getDigits } from "../digits/data";
import { Sheet } from "./Sheet";
import { useAsked } from "./useAsked";
import type { Choice } from "./useModel";

interface Course {
  readonly status: "idle" | "loading" | "training" | "done" | "stopped" | "failed";
  readonly loaded: number;
  readonly step: number;
  readonly steps: number;
  readonly loss: number;
  readonly accuracy: number;
  readonly problem: string;
}

const NOTHING: Course = { status: "idle", loaded: 0, step: 0, steps: 0, loss: NaN, accuracy: NaN, problem: "" };
/** About as many steps as take this long lie between two pictures. */
const CHUNK_MS = 150;
const MAX_CHUNK = 40;
const MAX_EPOCHS = 10;
const N_NEURONS = 128;

interface TrainProps {
  /** What is in sight, and how often it changed. */
  model: PixelModel | null;
  revision: number;
  onOpen: (choice: Choice) => Promise<PixelModel | null>;
  onChanged: () => void;
}

/** A network that learns while its picture is in sight. */
export function Train({ model, revision, onOpen, onChanged }: TrainProps) {
  const [course, setCourse] = useState<Course>(NOTHING);
  const [epochs, setEpochs] = useState(2);
  const running = useRef<AbortController | null>(null);
  const id = useId();
  useEffect(() => () => running.current?.abort(), []);
  const start = useCallback(async () => {
    running.current?.abort();
    const control = (running.current = new AbortController());
    const update = (change: Partial<Course>) => {
      if (running.current === control) setCourse((before) => ({ ...before, ...change }));
    };
    setCourse({ ...NOTHING, status: "loading" });
    let trainer: DigitTrainer | undefined;
    try {
      const files = await getDigits((loaded) => update({ loaded }), control.signal);
      trainer = await DigitTrainer.open({ files, epochs }, { device: "cpu", signal: control.signal });
      const model = await onOpen({ name: "digits_trained", files: [await trainer.weights()] });
      if (model === null) throw new Error("the picture was exchanged for another one");
      update({ status: "training" });
      await watch(trainer, model, control.signal, update, onChanged);
      update({ status: control.signal.aborted ? "stopped" : "done" });
    } catch (thrown) {
      // A picture that was exchanged for another model ends the training that it showed.
      const isOver = control.signal.aborted || (thrown as { code?: string }).code === "disposed";
      update(isOver ? { status: "stopped" } : { status: "failed", problem: thrown instanceof Error ? thrown.message : String(thrown) });
    } finally {
      trainer?.dispose();
    }
  }, [epochs, onOpen, onChanged]);
  const isRunning = course.status === "loading" || course.status === "training";
  return (
    <Card title="Train it in sight" note="784 → 128 → 10 from random weights, on 20 000 of MNIST’s images; the picture follows every few steps">
      <div className="brush-controls">
        <Field label={`Epochs: ${epochs}`} htmlFor={id}><input id={id} type="range" min={1} max={MAX_EPOCHS} value={epochs} disabled={isRunning} onChange={(event) => setEpochs(Number(event.target.value))} /></Field>
        <Button look={isRunning ? "plain" : "primary"} className="button-large" icon={isRunning ? "stop" : "play"} onClick={isRunning ? () => running.current?.abort() : () => void start()}>{isRunning ? "Stop" : "Train"}</Button>
      </div>
      <State course={course} />
      {course.status !== "idle" && model?.info.digits === "mlp" && <Neurons model={model} revision={revision} />}
    </Card>
  );
}

/** The first layer as pictures: what each neuron looks for. */
function Neurons({ model, revision }: { model: PixelModel; revision: number }) {
  const { answer } = useAsked(`${revision}`, () => model.sheet("fc1.weight", N_NEURONS), model, 0);
  return answer === null ? null : <Sheet sheet={answer} name="fc1.weight" />;
}

function State({ course }: { course: Course }) {
  if (course.status === "idle") return <p className="small train-words">Every neuron of <code>fc1.weight</code> is a row of 784 pixels. At first they are noise; then strokes appear.</p>;
  if (course.status === "failed") return <Callout tone="bad" title="The training stopped"><p>{sentence(course.problem)}</p></Callout>;
  const isLoading = course.status === "loading";
  return (
    <div className="train-words">
      <Progress value={isLoading ? course.loaded : course.step / Math.max(course.steps, 1)} label={isLoading ? "Images loaded" : "Training"} />
      <p className="small" role="status" data-testid="training">{{ loading: "Getting the images (5 MB)…", training: "Training…", done: "Done.", stopped: "Stopped." }[course.status]}</p>
      <Facts>
        <Fact name="Step">{`${formatCount(course.step)} of ${formatCount(course.steps)}`}</Fact>
        <Fact name="Loss">{formatNumber(course.loss)}</Fact>
        <Fact name="Read rightly">{Number.isNaN(course.accuracy) ? "–" : `${(100 * course.accuracy).toFixed(2)} %`}</Fact>
      </Facts>
    </div>
  );
}

async function watch(trainer: DigitTrainer, model: PixelModel, signal: AbortSignal, update: (change: Partial<Course>) => void, onChanged: () => void): Promise<void> {
  let [chunk, epoch] = [2, 0];
  for (let done = false; !done && !signal.aborted; ) {
    const startMs = performance.now();
    const progress = await trainer.train(chunk);
    const elapsedMs = performance.now() - startMs;
    ({ done } = progress);
    await model.replace(await trainer.weights());
    onChanged();
    update({ step: progress.step, steps: progress.steps, loss: progress.losses.reduce((sum, loss) => sum + loss, 0) / Math.max(progress.losses.length, 1) });
    if (progress.epoch > epoch || done) {
      epoch = progress.epoch;
      update({ accuracy: await trainer.accuracy() });
    }
    chunk = Math.min(MAX_CHUNK, Math.max(1, Math.round((chunk * CHUNK_MS) / Math.max(elapsedMs, 1))));
  }
}
