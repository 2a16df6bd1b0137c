import { useEffect, useMemo, useState } from "react";
import { setQuery, useRoute } from "../../app/router";
import { formatClock, sentence } from "../../lib/format";
import { Callout, PageHead, Progress } from "../../ui/layout";
import { Button } from "../../ui/Button";
import { BenchmarkChart } from "./BenchmarkChart";
import { Controls, type Settings } from "./Controls";
import { ResultsTable } from "./ResultsTable";
import type { Row } from "./types";
import { useBenchmark, type RunState } from "./useBenchmark";
import { findWorkload, WORKLOADS, type Workload } from "./workloads";
import "./benchmark.css";

export default function Benchmark() {
  const { query } = useRoute();
  const workload = findWorkload(query.get("op")) ?? (WORKLOADS[0] as Workload);
  const [settings, setSettings] = useState<Settings>(() => settingsFrom(query));
  const { run, rows, start, cancel, clear } = useBenchmark();
  const begin = () => start({ workload: workload.id, sizes: settings.sizes, nRuns: settings.nRuns, limitMs: settings.limitMs });
  // The same list while only the progress changes, so that chart and table are left alone.
  const shown = useMemo(() => rows.filter((row) => row.workload === workload.id), [rows, workload]);
  return (
    <div className="page">
      <PageHead
        title="Benchmark"
        lead="GPU, CPU (WebAssembly SIMD, one thread) and plain JavaScript on this machine. Every element of every result is compared with the CPU’s."
      />
      <Controls
        workload={workload}
        settings={settings}
        running={run.status === "running"}
        onWorkload={(id) => setQuery({ op: id })}
        onSettings={setSettings}
        onStart={begin}
        onCancel={cancel}
      />
      <RunStatus run={run} onRetry={begin} />
      <BenchmarkChart rows={shown} workload={workload} />
      <ResultsTable rows={shown} workload={workload} onClear={clear} />
    </div>
  );
}

/** Sizes may come by address: #/benchmark?op=matmul&n=128,512. */
function settingsFrom(query: URLSearchParams): Settings {
  const asked = (query.get("n") ?? "").split(",").map(Number).filter((n) => Number.isInteger(n) && n >= 16 && n <= 4096);
  return { sizes: asked.length > 0 ? asked : [128, 256, 512], custom: 1536, nRuns: 5, limitMs: 20_000 };
}

function RunStatus({ run, onRetry }: { run: RunState; onRetry: () => void }) {
  if (run.status === "running") {
    return (
      <div className="run-status run-bar">
        <Progress value={run.share} label="Benchmark" />
        <p className="small run-line"><span>{run.text}</span><Clock /></p>
      </div>
    );
  }
  if (run.status === "failed") {
    const title = run.code === "device_lost" ? "The benchmark’s GPU was lost" : "The benchmark stopped";
    return (
      <Callout tone="bad" title={title} actions={<Button icon="refresh" onClick={onRetry}>Run again</Button>}>
        <p>{sentence(run.message)} <code>{run.code}</code></p>
        <p>Running again opens the devices anew. If it stays, try smaller sizes.</p>
      </Callout>
    );
  }
  if (run.status === "cancelled") return <p className="small" role="status">Cancelled. What was measured before is kept.</p>;
  if (run.status === "done") return <Summary rows={run.rows} />;
  return null;
}

/** Time since it appeared; not a live region, which would be read aloud every second. */
function Clock() {
  const [startMs] = useState(() => performance.now());
  const [nowMs, setNowMs] = useState(startMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span className="numeric">{formatClock(nowMs - startMs)}</span>;
}

function Summary({ rows }: { rows: readonly Row[] }) {
  const nSkipped = rows.filter((row) => row.skipped !== null).length;
  const checked = rows.flatMap((row) => row.verdict ?? []);
  const nWrong = checked.filter((verdict) => !verdict.passed).length;
  if (nWrong > 0) {
    return <Callout tone="bad" title={`${nWrong} of ${checked.length} results are wrong`}><p>The table below says where. Please keep the export: it helps to find the cause.</p></Callout>;
  }
  return (
    <p className="small" role="status">
      Done. {rows.length - nSkipped} measured, {checked.length} compared with the CPU and right in every element{nSkipped > 0 && `, ${nSkipped} skipped`}.
    </p>
  );
}
