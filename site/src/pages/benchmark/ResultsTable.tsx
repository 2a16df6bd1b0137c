import { memo, useState } from "react";
import { download } from "../../lib/files";
import { formatCount, formatError, formatMs, formatNumber, formatRatio, formatWhen, sentence } from "../../lib/format";
import { Button } from "../../ui/Button";
import { Badge, Card, TableFrame } from "../../ui/layout";
import { rateOf, rowsToCsv, speedUp } from "./table";
import { SIDE_NAMES, type Row, type Verdict } from "./types";
import type { Workload } from "./workloads";

interface ResultsTableProps {
  rows: readonly Row[];
  workload: Workload;
  onClear: () => void;
}

export const ResultsTable = memo(function ResultsTable({ rows, workload, onClear }: ResultsTableProps) {
  const newestFirst = [...rows].sort((a, b) => Number(b.batch.split("-")[0]) - Number(a.batch.split("-")[0]) || order(a) - order(b));
  const actions = rows.length === 0 ? undefined : <Actions rows={rows} workload={workload} onClear={onClear} />;
  return (
    <Card title="Results" note="Kept in this browser only; newest first" actions={actions}>
      {rows.length === 0 ? (
        <p className="small">Nothing measured yet. Times, rates and the largest error of each result will stand here.</p>
      ) : (
        <TableFrame label="Benchmark results">
          <thead>
            <tr>
              <th scope="col" className="right">n</th>
              <th scope="col">Side</th>
              <th scope="col" className="right">Time</th>
              <th scope="col" className="right">With transfer</th>
              <th scope="col" className="right">{workload.unit}</th>
              <th scope="col" className="right">× CPU</th>
              <th scope="col" className="right">× plain JS</th>
              <th scope="col">Largest error</th>
              <th scope="col">Verified</th>
            </tr>
          </thead>
          <tbody>
            {newestFirst.map((row) => (
              <ResultRow key={`${row.batch} ${row.side}`} row={row} timesCpu={speedUp(row, rows, "cpu")} timesJs={speedUp(row, rows, "js")} />
            ))}
          </tbody>
        </TableFrame>
      )}
      <p className="small bench-footnote">
        Time: median, inputs and result on the device, after a warm-up. With transfer: from typed arrays and back to one. Allowed error: {workload.tolerance(1024).why}.
      </p>
    </Card>
  );
});

function order(row: Row): number {
  return { gpu: 0, cpu: 1, js: 2 }[row.side];
}

function Actions({ rows, workload, onClear }: ResultsTableProps) {
  const [asking, setAsking] = useState(false);
  const name = `tilework-${workload.id}-${new Date().toISOString().slice(0, 10)}`;
  if (asking) {
    return (
      <>
        <span className="small">Forget the results of all workloads?</span>
        <Button look="danger" icon="trash" onClick={() => { onClear(); document.getElementById("run")?.focus(); }}>Forget</Button>
        <Button look="quiet" onClick={() => setAsking(false)}>Keep</Button>
      </>
    );
  }
  return (
    <>
      <Button icon="download" onClick={() => download(`${name}.csv`, "text/csv", rowsToCsv(rows))}>CSV</Button>
      <Button icon="download" onClick={() => download(`${name}.json`, "application/json", JSON.stringify(rows, null, 2))}>JSON</Button>
      <Button look="quiet" icon="trash" onClick={() => setAsking(true)}>Clear</Button>
    </>
  );
}

/** Rows never change, but the table grows while the page must stay free: only new rows are rendered. */
const ResultRow = memo(function ResultRow({ row, timesCpu, timesJs }: { row: Row; timesCpu: number | null; timesJs: number | null }) {
  const when = `${formatWhen(row.whenMs)}, ${row.device}`;
  const head = (
    <>
      <th scope="row" className="right">{row.size}</th>
      <td title={when}><span className={`side side-${row.side}`}>{SIDE_NAMES[row.side]}</span>{row.software && <> <Badge tone="warn">software</Badge></>}</td>
    </>
  );
  if (row.skipped !== null) {
    return <tr data-side={row.side} data-skipped="">{head}<td colSpan={7} className="skipped"><Badge>skipped</Badge> {sentence(row.skipped)}</td></tr>;
  }
  const rate = rateOf(row, row.medianMs);
  return (
    <tr data-side={row.side} data-size={row.size}>
      {head}
      <td className="right" title={`${row.nRuns} runs, ± ${formatNumber((row.spread ?? 0) * 100)} %; first run ${formatMs(row.firstMs ?? Number.NaN)}`}>{formatMs(row.medianMs ?? Number.NaN)}</td>
      <td className="right">{row.transferMs === null ? "–" : formatMs(row.transferMs)}</td>
      <td className="right">{rate === null ? "–" : formatNumber(rate)}</td>
      <td className="right">{formatRatio(timesCpu ?? Number.NaN)}</td>
      <td className="right">{formatRatio(timesJs ?? Number.NaN)}</td>
      <ErrorCells verdict={row.verdict} />
    </tr>
  );
});

function ErrorCells({ verdict }: { verdict: Verdict | null }) {
  if (verdict === null) return <><td>–</td><td><Badge>reference</Badge></td></>;
  const place = `[${verdict.at.join(", ")}]`;
  return (
    <>
      <td className="numeric" title={`${verdict.actual} where the CPU has ${verdict.expected}; allowed ${formatError(verdict.allowed)}`}>{formatError(verdict.largest)}{verdict.largest !== 0 && ` at ${place}`}</td>
      <td className="numeric">
        <Badge tone={verdict.passed ? "good" : "bad"} icon={verdict.passed ? "check" : "warning"}>{verdict.passed ? `all ${formatCount(verdict.nElements)}` : "wrong"}</Badge>
      </td>
    </>
  );
}
