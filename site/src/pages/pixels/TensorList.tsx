import { useId, useMemo, useState } from "react";
import type { PixelTensor } from "tilework/models";
import { formatCount } from "../../lib/format";
import { Card } from "../../ui/layout";
import { TensorName } from "./TensorName";

interface TensorListProps {
  tensors: readonly PixelTensor[];
  chosen: string | null;
  onChoose: (tensor: PixelTensor) => void;
}

/** More are found by a part of their name. */
const MAX_SHOWN = 400;

/** The tensors of the model; a click goes there. */
export function TensorList({ tensors, chosen, onChoose }: TensorListProps) {
  const [filter, setFilter] = useState("");
  const id = useId();
  const found = useMemo(() => tensors.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase())), [tensors, filter]);
  const shown = found.slice(0, MAX_SHOWN);
  return (
    <Card title="Tensors" note={`${formatCount(tensors.length)} with ${formatCount(tensors.reduce((sum, { count }) => sum + count, 0))} weights; a click goes there`}>
      {tensors.length > 8 && (
        <>
          <label className="visually-hidden" htmlFor={id}>Find a tensor</label>
          <input id={id} className="input tensor-filter" type="search" placeholder="Part of a name" data-shortcut="/" value={filter} onChange={(event) => setFilter(event.target.value)} />
        </>
      )}
      <ul className="tensors" aria-label="Tensors">
        {shown.map((tensor) => (
          <li key={tensor.name}>
            <button type="button" className="tensor" aria-pressed={tensor.name === chosen} onClick={() => onChoose(tensor)}>
              <span className="tensor-name"><TensorName name={tensor.name} /></span>
              <span className="small numeric">{tensor.shape.join(" × ") || "1"} · {tensor.dtype}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > shown.length && <p className="small">{formatCount(found.length - shown.length)} more; a part of a name finds them.</p>}
    </Card>
  );
}
