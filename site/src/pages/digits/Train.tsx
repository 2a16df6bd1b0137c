import { useId, useMemo, useState } from "react";
import { formatCount, formatMs, formatNumber, sentence } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Choice, Field } from "../../ui/Choice";
import { LineChart } from "../../ui/chart/LineChart";
import { Callout, Card, Empty, Progress } from "../../ui/layout";
import { smoothed } from "./smoothed";
import { useTraining, type Course } from "./useTraining";

const DEVICES = [{ value: "cpu", label: "CPU" }, { value: "gpu", label: "GPU" }] as const;
const RATES = [0.0005, 0.001, 0.002, 0.005, 0.02];
const MAX_EPOCHS = 20;
/** Points of a chart beyond which more cannot be seen. */
const MAX_POINTS = 300;

/** Trains 784 → 128 → 10 in this tab. */
export function Train({ onWeights, onDraw }: { onWeights: (weights: Uint8Array) => void; onDraw: () => void }) {
  const [device, setDevice] = useState<"gpu" | "cpu">("cpu");
  const [epochs, setEpochs] = useState(3);
  const [rate, setRate] = useState(0.002);
  const { course, start, stop } = useTraining(onWeights);
  const running = course.status === "loading" || course.status === "training";
  const ids = { epochs: useId(), rate: useId() };
  return (
    <>
      <Card title="Train it here" note="784 → 128 → 10 on 20 000 of MNIST’s images, tested on 10 000 others; nothing leaves this tab">
        <div className="train-controls">
          <Field label="Device"><div><Choice label="Device" options={DEVICES} value={device} onChange={setDevice} disabled={running} /></div></Field>
          <Field label={`Epochs: ${epochs}`} htmlFor={ids.epochs}>
            <input id={ids.epochs} type="range" min={1} max={MAX_EPOCHS} value={epochs} disabled={running} onChange={(event) => setEpochs(Number(event.target.value))} />
          </Field>
          <Field label="Learning rate" htmlFor={ids.rate}>
            <select id={ids.rate} className="input" value={rate} disabled={running} onChange={(event) => setRate(Number(event.target.value))}>
              {RATES.map((value) => <option key={value} value={value}>{value}</option>)}
            </select>
          </Field>
          <Button look={running ? "plain" : "primary"} className="button-large" icon={running ? "stop" : "play"} onClick={running ? stop : () => void start({ device, epochs, rate })}>{running ? "Stop" : "Train"}</Button>
        </div>
        <State course={course} />
      </Card>
      <Card title="Loss and accuracy" note="The loss of each step, smoothed; the accuracy after each epoch" actions={course.accuracies.length > 0 && <Button icon="arrow" onClick={onDraw}>Draw with it</Button>}>
        {course.losses.length === 0 ? <Empty icon="bolt" title="Not trained yet"><p>A network that knows nothing is right one time in ten.</p></Empty> : <Curves course={course} />}
      </Card>
    </>
  );
}

function State({ course }: { course: Course }) {
  if (course.status === "idle") return null;
  if (course.status === "failed") return <Callout tone="bad" title="The training stopped"><p>{sentence(course.problem)}</p></Callout>;
  const isLoading = course.status === "loading";
  const latest = course.accuracies.at(-1);
  return (
    <div className="train-state">
      <Progress value={isLoading ? course.loaded : course.step / Math.max(course.steps, 1)} label={isLoading ? "Images loaded" : "Training"} />
      <p className="small numeric" role="status">
        {isLoading ? "Getting the images (5 MB)…" : `${course.status === "training" ? "Training" : course.status === "done" ? "Done" : "Stopped"} on ${course.device}: step ${formatCount(course.step)} of ${formatCount(course.steps)}, ${formatMs(course.elapsedMs)}`}
        {latest !== undefined && <strong>{` · ${(100 * latest.accuracy).toFixed(2)} % right`}</strong>}
      </p>
    </div>
  );
}

function Curves({ course }: { course: Course }) {
  const losses = useMemo(() => smoothed(course.losses, MAX_POINTS), [course.losses]);
  return (
    <>
      <LineChart
        label={`Loss over ${course.losses.length} steps, now ${formatNumber(losses.at(-1)?.y ?? 0)}`}
        series={[{ id: "loss", name: "Loss", color: "var(--series-gpu)", points: losses }]}
        x={{ label: "step", kind: "linear", format: formatNumber }}
        y={{ label: "loss", kind: "log", format: formatNumber }}
        height={240}
        marks={false}
      />
      <ol className="accuracies" aria-label="Accuracy after each epoch">
        {course.accuracies.map(({ step, accuracy }, index) => <li key={step}><span>Epoch {index + 1}</span> <strong className="numeric">{(100 * accuracy).toFixed(2)} %</strong></li>)}
      </ol>
    </>
  );
}
