import { useEffect, useId, useState, type KeyboardEvent } from "react";
import { noteError } from "../../engine/diagnostics";
import { Button } from "../../ui/Button";
import { Callout, Card } from "../../ui/layout";
import { judgeAll, type Case, type CaseResult } from "./check/check";
import { CpuCard } from "./CpuCard";
import { Editor } from "./editor/Editor";
import { Tabs } from "./editor/Tabs";
import { useCode, type Texts } from "./editor/useCode";
import { ExerciseCard } from "./ExerciseCard";
import type { Lesson } from "./lesson";
import { OutputView } from "./output/OutputView";
import { ProblemList } from "./output/ProblemList";
import { markDone } from "./progress";
import type { Job } from "./sandbox/frame";
import { useRun, type Run } from "./useRun";
import "../../ui/code/code.css";
import "./workbench.css";

function jobOf(texts: Texts, calls: readonly unknown[]): Job {
  const { "host.js": host = "", ...shaders } = texts;
  return { host, shaders, calls };
}

/** Code, its output and the exercise. */
export function Workbench({ number, lesson, canRun }: { number: number; lesson: Lesson; canRun: boolean }) {
  const code = useCode(number, lesson.files);
  const id = useId();
  const [file, setFile] = useState(lesson.files[0]?.name ?? "");
  const { input, setInput, failed } = useInput(lesson);
  const runner = useRun();
  const checker = useRun();
  const [results, setResults] = useState<readonly CaseResult[] | null>(null);
  const isRunning = runner.run?.status === "running";
  // What is marked in the editor: of the last run, or of the last check.
  const [problems, setProblems] = useState<Run["problems"]>([]);

  const begin = (value: unknown = input) => {
    if (!canRun || value === undefined) return;
    setProblems([]);
    runner.start(jobOf(code.texts, [value]), (run) => setProblems(run.problems));
  };
  const check = async () => {
    setProblems([]);
    setResults(null);
    let cases: readonly Case[];
    try {
      cases = await lesson.exercise.cases();
    } catch (error) {
      noteError(error);
      return setResults([{ name: "the lesson’s files", passed: false, message: "they did not arrive; check the connection and try again" }]);
    }
    checker.start(jobOf(code.texts, cases.map((one) => one.input)), (run) => {
      const judged = judgeAll(cases, run.answers);
      setProblems(run.problems);
      setResults(judged);
      if (judged.every((result) => result.passed) && code.version === "mine") markDone(number);
    });
  };
  const edit = (text: string) => {
    code.edit(file, text);
    // Marks would stand at lines that have moved.
    setProblems([]);
  };
  const swap = (act: () => void) => () => {
    act();
    setProblems([]);
    setResults(null);
  };
  const runByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    begin();
  };
  return (
    <div className="workbench" onKeyDown={runByKey}>
      <Card className="bench">
        <Tabs names={lesson.files.map(({ name }) => name)} value={file} onChange={setFile} problems={problems} panel={`${id}-panel`} />
        {code.version === "solution" && <p className="bench-note">This is the solution. Your own code is kept.</p>}
        <div id={`${id}-panel`} role="tabpanel" aria-label={file}>
          <Editor key={file} name={file} text={code.texts[file] ?? ""} onChange={edit} readOnly={code.version === "solution"} problems={problems} describedBy={`${id}-problems`} />
        </div>
        <ProblemList id={`${id}-problems`} problems={problems} onGo={setFile} />
        <div className="bench-actions">
          <Button id="run" look={canRun ? "primary" : "plain"} icon={isRunning ? "stop" : "play"} busy={!canRun || input === undefined} onClick={isRunning ? runner.stop : () => begin()} title="Ctrl+Enter">{isRunning ? "Stop" : "Run"}</Button>
          <span className="bench-spacer" />
          {code.undo !== null && code.version === "mine" ? <Button look="quiet" onClick={swap(code.undo)}>Undo reset</Button> : <Button look="quiet" icon="refresh" busy={!code.isEdited || code.version === "solution"} onClick={swap(code.reset)}>Reset</Button>}
          {code.version === "mine" ? <Button look="quiet" onClick={swap(() => code.show("solution"))}>Show solution</Button> : <Button look="quiet" onClick={swap(() => code.show("mine"))}>Back to my code</Button>}
        </div>
        {failed && <Callout tone="bad" title="The lesson’s files did not arrive">Check the connection and reload the page.</Callout>}
        {lesson.Input !== undefined && input !== undefined && <lesson.Input value={input} onChange={setInput} onRun={(value) => { setInput(value); begin(value); }} />}
        <OutputView run={runner.run} canRun={canRun} />
      </Card>
      {lesson.onCpu !== undefined && input !== undefined && <CpuCard compute={lesson.onCpu} input={input} isOnlyWay={!canRun} />}
      <ExerciseCard exercise={lesson.exercise} canRun={canRun} run={checker.run} results={results} isSolution={code.version === "solution"} onCheck={() => void check()} onStop={checker.stop} />
    </div>
  );
}

/** The input of Run: the lesson's own until it is changed. */
function useInput(lesson: Lesson): { input: unknown; setInput: (input: unknown) => void; failed: boolean } {
  const [input, setInput] = useState<unknown>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let current = true;
    lesson.input().then((value) => current && setInput(value), (error: unknown) => {
      noteError(error);
      if (current) setFailed(true);
    });
    return () => {
      current = false;
    };
  }, [lesson]);
  return { input, setInput, failed };
}
