import type { Problem } from "../sandbox/messages";
import { shorten } from "../sandbox/problems";

const SOURCES: Record<Problem["source"], string> = { wgsl: "Shader", gpu: "WebGPU", script: "JavaScript" };

/** Every problem in words, with its place; a click opens its file. */
export function ProblemList({ id, problems, onGo }: { id: string; problems: readonly Problem[]; onGo: (file: string) => void }) {
  return (
    <ul id={id} className="problems" aria-live="polite">
      {problems.map((problem, i) => (
        <li key={i} className={`problem problem-${problem.severity}`}>
          <p>
            <b>{SOURCES[problem.source]} {problem.severity}</b>{" "}
            {problem.file !== "" && <button type="button" className="problem-place mono" onClick={() => onGo(problem.file)}>{problem.file}{problem.line !== null && `:${problem.line}${problem.column === null ? "" : `:${problem.column}`}`}</button>}
          </p>
          <pre>{shorten(problem.message)}</pre>
        </li>
      ))}
    </ul>
  );
}
