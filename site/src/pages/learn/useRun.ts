import { useEffect, useRef, useState } from "react";
import { runInFrame, type Ending, type Job, type Running } from "./sandbox/frame";
import type { Problem, ShowItem } from "./sandbox/messages";
import { withoutEchoes } from "./sandbox/problems";

export interface Answer {
  readonly value: unknown;
  readonly nSubmits: number;
}

/** One run: what it showed, what went wrong, what it answered. */
export interface Run {
  readonly status: "running" | "stopped" | Ending;
  readonly items: readonly ShowItem[];
  readonly problems: readonly Problem[];
  readonly answers: ReadonlyMap<number, Answer>;
  readonly ms: number;
}

const EMPTY = { items: [], problems: [], answers: new Map() } as const;

interface Runner {
  readonly run: Run | null;
  readonly start: (job: Job, ended?: (run: Run) => void) => void;
  readonly stop: () => void;
  readonly clear: () => void;
}

/** Runs host code, one job at a time: a new one ends the one before. */
export function useRun(): Runner {
  const [run, setRun] = useState<Run | null>(null);
  const running = useRef<Running | null>(null);
  useEffect(() => () => running.current?.stop(), []);
  const start = (job: Job, ended?: (run: Run) => void) => {
    running.current?.stop();
    const startMs = performance.now();
    const items: ShowItem[] = [];
    const problems: Problem[] = [];
    const answers = new Map<number, Answer>();
    setRun({ status: "running", ...EMPTY, ms: 0 });
    running.current = runInFrame(
      job,
      (message) => {
        if (message.kind === "show") items.push(message.item);
        else if (message.kind === "problem") problems.push(message.problem);
        else if (message.kind === "answer") answers.set(message.index, { value: message.value, nSubmits: message.nSubmits });
      },
      (status) => {
        running.current = null;
        // Everything at once: output that flickers in line by line is harder to read than one that is there.
        const finished = { status, items, problems: withoutEchoes(problems), answers, ms: performance.now() - startMs };
        setRun(finished);
        ended?.(finished);
      },
    );
  };
  const stop = () => {
    running.current?.stop();
    running.current = null;
    setRun((last) => (last?.status === "running" ? { ...last, status: "stopped" } : last));
  };
  return { run, start, stop, clear: () => setRun(null) };
}
