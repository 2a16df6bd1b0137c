import type { ReactNode } from "react";
import { formatNumber } from "../../../lib/format";
import { showNumber } from "../check/check";
import type { ShowItem } from "../sandbox/messages";
import { Fact, Facts, TableFrame } from "../../../ui/layout";
import { PixelImage } from "./PixelImage";

/** One thing that host code showed. */
export function ShowView({ item }: { item: ShowItem }) {
  switch (item.type) {
    case "text":
      return <pre className={`shown-text shown-${item.level}`}>{item.text}</pre>;
    case "facts":
      return (
        <Titled title={item.title}>
          <Facts>{item.pairs.map(([name, value], i) => <Fact key={i} name={name}>{value}</Fact>)}</Facts>
        </Titled>
      );
    case "table":
      return <Titled title={item.title}><NumberTable item={item} /></Titled>;
    case "bars":
      return <Titled title={item.title}><Bars item={item} /></Titled>;
    case "images":
      return (
        <Titled title={item.title}>
          <ul className="shown-images">
            {item.images.map((image, i) => (
              <li key={i} data-wrong={image.wrong}>
                <PixelImage pixels={image.pixels} width={item.width} height={item.height} label={image.caption || `Image ${i + 1}`} />
                {image.caption !== "" && <span aria-hidden="true">{image.caption}</span>}
              </li>
            ))}
          </ul>
        </Titled>
      );
  }
}

function Titled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="shown">
      {title !== "" && <p className="shown-title">{title}</p>}
      {children}
    </div>
  );
}

function NumberTable({ item }: { item: Extract<ShowItem, { type: "table" }> }) {
  const rows = Array.from({ length: item.nRows }, (_, row) => item.values.slice(row * item.nCols, (row + 1) * item.nCols));
  return (
    <>
      <TableFrame label={item.title || "Numbers"} className="number-table">
        <tbody>
          {rows.map((row, i) => <tr key={i}>{row.map((value, j) => <td key={j} data-bad={!Number.isFinite(value)}>{showNumber(value)}</td>)}</tr>)}
        </tbody>
      </TableFrame>
      {item.isCut && <p className="small">The rest is not shown.</p>}
    </>
  );
}

/** Bars from zero; a value that is no number has none and says so. */
function Bars({ item }: { item: Extract<ShowItem, { type: "bars" }> }) {
  const finite = item.values.filter(Number.isFinite);
  const largest = Math.max(1e-30, ...finite.map(Math.abs));
  const best = item.values.indexOf(Math.max(...finite));
  return (
    <ul className="bars">
      {item.values.map((value, i) => (
        <li key={i} data-best={i === best} data-bad={!Number.isFinite(value)}>
          <span className="bar-label">{item.labels[i] ?? i}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width={Number.isFinite(value) ? Math.max((Math.abs(value) / largest) * 100, 0) : 0} height="10" rx="1" /></svg>
          <span className="bar-value numeric">{Number.isFinite(value) ? formatNumber(value) : String(value)}</span>
        </li>
      ))}
    </ul>
  );
}
