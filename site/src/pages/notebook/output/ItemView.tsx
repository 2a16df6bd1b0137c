import { useEffect, useRef } from "react";
import { TableFrame } from "../../../ui/layout";
import type { Item } from "../sandbox/messages";
import { Plot } from "./Plot";

export function ItemView({ item }: { item: Item }) {
  switch (item.kind) {
    case "text":
      return <pre className={`shown-text nb-${item.look}`}>{item.text}</pre>;
    case "table":
      return <ArrayTable item={item} />;
    case "plot":
      return <Plot item={item} />;
    case "image":
      return <Picture item={item} />;
  }
}

function ArrayTable({ item: { title, head, side, rows } }: { item: Extract<Item, { kind: "table" }> }) {
  return (
    <div className="shown">
      <p className="shown-title">{title}</p>
      <TableFrame label={`Array, ${title}`} className="number-table nb-table">
        <thead>
          <tr>{side.length > 0 && <td />}{head.map((label, i) => <th key={i} scope="col">{label}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>{side.length > 0 && <th scope="row">{side[i]}</th>}{row.map((value, k) => <td key={k}>{value}</td>)}</tr>
          ))}
        </tbody>
      </TableFrame>
    </div>
  );
}

function Picture({ item: { title, width, height, rgba } }: { item: Extract<Item, { kind: "image" }> }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => canvas.current?.getContext("2d")?.putImageData(new ImageData(rgba, width, height), 0, 0), [rgba, width, height]);
  return (
    <figure className="nb-picture">
      <canvas ref={canvas} width={width} height={height} role="img" aria-label={title === "" ? `Picture of ${width} by ${height}` : title} />
      {title !== "" && <figcaption className="shown-title">{title}</figcaption>}
    </figure>
  );
}
