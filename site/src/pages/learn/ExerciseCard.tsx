import { Button } from "../../ui/Button";
import { Icon } from "../../ui/Icon";
import { Callout, Card } from "../../ui/layout";
import type { CaseResult } from "./check/check";
import type { Exercise } from "./lesson";
import type { Run } from "./useRun";

interface ExerciseCardProps {
  exercise: Exercise;
  canRun: boolean;
  run: Run | null;
  results: readonly CaseResult[] | null;
  isSolution: boolean;
  onCheck: () => void;
  onStop: () => void;
}

/** The task, and the verdict on the code in the editor. */
export function ExerciseCard({ exercise, canRun, run, results, isSolution, onCheck, onStop }: ExerciseCardProps) {
  const isRunning = run?.status === "running";
  return (
    <Card title="Exercise" className="exercise">
      <div className="lesson-prose">{exercise.task}</div>
      <details>
        <summary>Hint</summary>
        <div className="lesson-prose small">{exercise.hint}</div>
      </details>
      <div className="row">
        <Button id="check" icon={isRunning ? "stop" : "check"} busy={!canRun} onClick={isRunning ? onStop : onCheck}>{isRunning ? "Stop" : "Check"}</Button>
        {isRunning && <span className="small output-running"><span className="spinner" /> Checking…</span>}
        {run?.status === "stopped" && <span className="small" role="status">Stopped.</span>}
      </div>
      {results !== null && !isRunning && <Verdict results={results} isSilent={run?.status === "silent" || run?.status === "absent"} isSolution={isSolution} />}
    </Card>
  );
}

function Verdict({ results, isSilent, isSolution }: { results: readonly CaseResult[]; isSilent: boolean; isSolution: boolean }) {
  const nWrong = results.filter((result) => !result.passed).length;
  const title = nWrong > 0 ? `Not yet: ${nWrong} of ${results.length} wrong` : isSolution ? `The solution passes all ${results.length}` : `Right, all ${results.length}. This lesson is done.`;
  return (
    <Callout tone={nWrong === 0 ? "good" : "warn"} title={title}>
      {isSilent && <p>The code gave no answer for too long and was ended.</p>}
      <ul className="case-results">
        {results.map((result) => (
          <li key={result.name} data-passed={result.passed}>
            <Icon name={result.passed ? "check" : "close"} size={14} />
            <span><b>{result.name}</b>{result.passed ? <span className="visually-hidden">: right</span> : <>: {result.message}</>}</span>
          </li>
        ))}
      </ul>
    </Callout>
  );
}
