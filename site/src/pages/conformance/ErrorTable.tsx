import type { ReactNode } from "react";
import type { Report } from "tilework/conformance";
import { formatNumber } from "../../lib/format";
import { Card, TableFrame } from "../../ui/layout";
import type { Device } from "./useConformance";

interface DeviceReport {
  readonly device: Device;
  readonly report: Report;
}

/** Worst error of each scalar function, device beside device. */
export function ErrorTable({ reports, action }: { reports: readonly DeviceReport[]; action: ReactNode }) {
  const ops = [...new Set(reports.flatMap(({ report }) => report.scalar_errors.map((error) => error.op)))];
  const worst = (device: DeviceReport, op: string) => device.report.scalar_errors.find((error) => error.op === op)?.worst_ulp;
  const rows = ops
    .map((op) => ({ op, values: reports.map((report) => worst(report, op)) }))
    .sort((a, b) => Math.max(...b.values.map((v) => v ?? 0)) - Math.max(...a.values.map((v) => v ?? 0)));
  const scale = Math.max(1, ...rows.flatMap((row) => row.values.map((value) => value ?? 0)));
  return (
    <Card title="Accuracy of scalar functions" note="Largest distance from the exact result, in units of the last place of a 32-bit float" actions={action}>
      {rows.length === 0 ? <p className="small">No scalar function was among the cases.</p> : (
        <TableFrame label="Accuracy of scalar functions">
          <thead><tr><th scope="col">Function</th>{reports.map(({ device }) => <th key={device} scope="col">{device === "gpu" ? "GPU" : "CPU"}</th>)}</tr></thead>
          <tbody>
            {rows.map(({ op, values }) => (
              <tr key={op}>
                <th scope="row"><code>{op}</code></th>
                {values.map((value, i) => <td key={i}><Bar value={value} scale={scale} device={reports[i]?.device ?? "gpu"} /></td>)}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </Card>
  );
}

function Bar({ value, scale, device }: { value: number | undefined; scale: number; device: Device }) {
  if (value === undefined) return <>–</>;
  return (
    <span className="ulp">
      <span className="numeric">{value === 0 ? "exact" : formatNumber(value)}</span>
      <svg width="100" height="6" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width={Math.max(value > 0 ? 2 : 0, (value / scale) * 100)} height="6" rx="2" style={{ fill: `var(--series-${device})` }} /></svg>
    </span>
  );
}
