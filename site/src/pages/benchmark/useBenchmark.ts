// The page's side of the benchmark: starts the worker, keeps the rows, cancels.
import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import { bounded, clearHistory, loadHistory, saveHistory } from "./history";
import { retire } from "../../lib/linger";
import { SIDE_NAMES, type Report, type Request, type Row } from "./types";

export type RunState =
  | { readonly status: "idle" }
  | { readonly status: "running"; readonly text: string; readonly share: number }
  | { readonly status: "cancelled" }
  | { readonly status: "done"; readonly rows: readonly Row[] }
  | { readonly status: "failed"; readonly code: string; readonly message: string };

export interface BenchmarkControls {
  readonly run: RunState;
  readonly rows: readonly Row[];
  readonly start: (request: Request) => void;
  readonly cancel: () => void;
  readonly clear: () => void;
}

export function useBenchmark(): BenchmarkControls {
  const [run, setRun] = useState<RunState>({ status: "idle" });
  const [rows, setRows] = useState(loadHistory);
  const worker = useRef<Worker | null>(null);
  const fresh = useRef<Row[]>([]);
  const onGpu = useRef(false);
  const stop = () => {
    if (worker.current !== null && onGpu.current) retire(worker.current);
    else worker.current?.terminate();
    worker.current = null;
    onGpu.current = false;
  };
  const end = (state: RunState) => {
    stop();
    setRun(state);
  };
  useEffect(() => stop, []);
  useEffect(() => {
    if (rows.length > 0) saveHistory(rows);
  }, [rows]);

  const receive = (report: Report) => {
    if (report.kind === "step") {
      onGpu.current = report.text.includes(SIDE_NAMES.gpu);
      setRun({ status: "running", text: report.text, share: report.done / report.total });
    } else if (report.kind === "row") {
      fresh.current.push(report.row);
      // As a transition React renders chart and table in short slices, so that the page answers in between.
      startTransition(() => setRows((old) => bounded([...old, report.row])));
    } else {
      // Nothing is under way any more.
      onGpu.current = false;
      if (report.kind === "done") end({ status: "done", rows: fresh.current });
      else end({ status: "failed", code: report.code, message: report.message });
    }
  };
  const start = (request: Request) => {
    end({ status: "running", text: "Starting", share: 0 });
    fresh.current = [];
    const next = new Worker(new URL("./bench.worker.ts", import.meta.url), { type: "module", name: "benchmark" });
    worker.current = next;
    next.onmessage = (event: MessageEvent<Report>) => receive(event.data);
    next.onerror = (event) => end({ status: "failed", code: "unexpected", message: event.message || "the benchmark's worker did not start" });
    next.postMessage(request);
  };
  const cancel = () => end({ status: "cancelled" });
  const clear = useCallback(() => {
    clearHistory();
    setRows([]);
  }, []);
  return { run, rows, start, cancel, clear };
}
