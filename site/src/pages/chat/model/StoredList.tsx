import { useEffect, useState } from "react";
import { removeStoredModel, storedModels, type StoredModel } from "tilework/llm";
import { formatBytes } from "../../../lib/format";
import { Button, IconButton } from "../../../ui/Button";

/** Models that were downloaded before. */
export function StoredList({ onChoose }: { onChoose: (url: string) => void }) {
  const [models, setModels] = useState<readonly StoredModel[]>([]);
  useEffect(() => {
    let current = true;
    // A browser without a private file system keeps none.
    storedModels().then((found) => current && setModels(found), () => {});
    return () => {
      current = false;
    };
  }, []);
  const remove = async (url: string) => {
    await removeStoredModel(url).catch(() => {});
    setModels(await storedModels().catch(() => []));
  };
  if (models.length === 0) return null;
  return (
    <section className="stored" aria-label="Models kept in this browser">
      <h3>Kept in this browser</h3>
      <ul>
        {models.map((model) => (
          <li key={model.url}>
            <span className="stored-name" title={model.url}>{model.name}</span>
            <span className="small numeric">{formatBytes(model.sizeBytes)}</span>
            <Button onClick={() => onChoose(model.url)} aria-label={`Use ${model.name}`}>Use</Button>
            <IconButton icon="trash" label={`Remove ${model.name} from this browser`} onClick={() => void remove(model.url)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
