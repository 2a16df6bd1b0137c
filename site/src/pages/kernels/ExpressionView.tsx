import { useMemo, useState } from "react";
import { EngineLoading } from "../../app/EngineLoading";
import { setQuery, useRoute } from "../../app/router";
import { placeName } from "../../engine/names";
import { useComputed, useEngine } from "../../engine/useEngine";
import { sentence } from "../../lib/format";
import { Choice, Field } from "../../ui/Choice";
import { Callout, Card } from "../../ui/layout";
import { CodeView } from "../../ui/code/CodeView";
import { CurvePlot } from "./CurvePlot";
import { ask, N_POINTS, type Question } from "./evaluate";
import { parse, type Parsed } from "./parser";
import { ProfileCard } from "./ProfileCard";

const EXAMPLES = ["sin(2*x) * exp(-x^2) + y", "tanh(a*x)", "gelu(x)", "exp(-x^2/2) / sqrt(tau)", "abs(sin(x)) ^ p", "softplus(x) - relu(x)", "x^3 - 3x + c"];
const DEFAULT = EXAMPLES[0] as string;
const RANGE = { from: -4, to: 4 };

export function ExpressionView() {
  const { query } = useRoute();
  const [text, setText] = useState(query.get("e") ?? DEFAULT);
  const [values, setValues] = useState<Record<string, number>>({});
  const [by, setBy] = useState("x");
  const parsed = useMemo(() => parse(text), [text]);
  const change = (next: string) => {
    setText(next);
    setQuery({ e: next === DEFAULT ? "" : next });
  };
  // While the text is not an expression, the last one stays on the screen.
  const [good, setGood] = useState<Extract<Parsed, { ok: true }> | null>(null);
  if (parsed.ok && parsed !== good) setGood(parsed);
  const shown = parsed.ok ? parsed : good;
  return (
    <>
      <Card className="expression">
        <ExpressionInput text={text} parsed={parsed} onChange={change} />
        {shown !== null && <Variables variables={shown.variables} values={values} onValues={setValues} by={by} onBy={setBy} />}
      </Card>
      {shown !== null && <Results parsed={shown} values={values} by={by} stale={!parsed.ok} />}
    </>
  );
}

function ExpressionInput({ text, parsed, onChange }: { text: string; parsed: Parsed; onChange: (text: string) => void }) {
  return (
    <Field label="Expression of x and other variables" htmlFor="expression">
      <input
        id="expression"
        className="input mono expression-input"
        value={text}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        data-shortcut="/"
        aria-invalid={!parsed.ok}
        aria-describedby="expression-problem"
        onChange={(event) => onChange(event.target.value)}
      />
      <div id="expression-problem" aria-live="polite">
        {!parsed.ok && (
          <p className="expression-error">
            {text !== "" && <span className="mono" aria-hidden="true">{text.slice(0, parsed.error.at)}<mark>{text.slice(parsed.error.at, parsed.error.at + parsed.error.length) || "␣"}</mark>{text.slice(parsed.error.at + parsed.error.length)}</span>}
            <span>Character {parsed.error.at + 1}: {sentence(parsed.error.message)}</span>
          </p>
        )}
      </div>
      <div className="row examples" role="group" aria-label="Examples">
        {EXAMPLES.map((example) => <button key={example} type="button" className="example mono" aria-pressed={example === text} onClick={() => onChange(example)}>{example}</button>)}
      </div>
    </Field>
  );
}

interface VariablesProps {
  variables: readonly string[];
  values: Readonly<Record<string, number>>;
  onValues: (values: Record<string, number>) => void;
  by: string;
  onBy: (name: string) => void;
}

function Variables({ variables, values, onValues, by, onBy }: VariablesProps) {
  const others = variables.filter((name) => name !== "x");
  if (variables.length === 0) return null;
  return (
    <div className="variables">
      <Field label="Derivative by">
        <div><Choice label="Derivative by" options={variables.map((name) => ({ value: name, label: <code>{name}</code> }))} value={variables.includes(by) ? by : (variables[0] as string)} onChange={onBy} /></div>
      </Field>
      {others.map((name) => (
        <Field key={name} label={`${name} = ${(values[name] ?? 1).toFixed(2)}`} htmlFor={`value-${name}`}>
          <input id={`value-${name}`} type="range" min={-3} max={3} step={0.05} value={values[name] ?? 1} onChange={(event) => onValues({ ...values, [name]: Number(event.target.value) })} />
        </Field>
      ))}
    </div>
  );
}

interface ResultsProps {
  parsed: Extract<Parsed, { ok: true }>;
  values: Readonly<Record<string, number>>;
  by: string;
  stale: boolean;
}

function Results({ parsed, values, by, stale }: ResultsProps) {
  const engine = useEngine();
  const question: Question = {
    tree: parsed.tree,
    values: Object.fromEntries(parsed.variables.map((name) => [name, values[name] ?? 1])),
    ...RANGE,
    by: parsed.variables.includes(by) ? by : (parsed.variables[0] ?? null),
  };
  const computed = useComputed(JSON.stringify(question), (tw) => ask(tw, question));
  const answer = computed.value;
  if (answer === null) return computed.status === "failed" ? <Problem message={computed.problem.message} /> : engine.status === "loading" ? <Card><EngineLoading /></Card> : null;
  return (
    <div className={stale ? "results results-stale" : "results"}>
      {computed.status === "failed" && <Problem message={computed.problem.message} />}
      <Card title="Curves" note={engine.status === "ready" ? `${N_POINTS} points; runs on: ${placeName(engine.tw.info)}` : `${N_POINTS} points`}>
        <CurvePlot answer={answer} by={question.by} />
      </Card>
      <div className="kernel-pair">
        <Kernel title="Kernel of the expression" name="expression.wgsl" kernels={answer.kernels} />
        {question.by !== null && <Kernel title={<>Kernel of its derivative by <code>{question.by}</code></>} name="derivative.wgsl" kernels={answer.slopeKernels} />}
      </div>
      <ProfileCard question={question} />
    </div>
  );
}

function Problem({ message }: { message: string }) {
  return <Callout tone="bad" title="This expression could not be computed"><p>{sentence(message)}</p></Callout>;
}

function Kernel({ title, name, kernels }: { title: React.ReactNode; name: string; kernels: readonly string[] }) {
  return (
    <Card title={title} note={kernels.length === 0 ? "No pass" : kernels.length > 1 ? `${kernels.length} passes` : "One fused pass"}>
      {kernels.length === 0 ? <p className="small">Constant: nothing to run.</p> : kernels.map((kernel, i) => <CodeView key={i} name={name} source={kernel} />)}
    </Card>
  );
}
