import { useEffect, useState } from "react";
import { removeStoredModel, storedModels } from "tilework/llm";
import { formatBytes } from "../../../lib/format";
import { Button, IconButton } from "../../../ui/Button";
import { joinParts, type Kept } from "./kept";

/** Models that were downloaded before. */
export function StoredList({ onChoose }: { onChoose: (url: string) => void }) {
  const [models, setModels] = useState<readonly Kept[]>([]);
  useEffect(() => {
    let current = true;
    // A browser without a private file system keeps none.
    storedModels().then((found) => current && setModels(joinParts(found)), () => {});
    return () => {
      current = false;
    };
  }, []);
  const remove = async ({ urls }: Kept) => {
    for (const url of urls) await removeStoredModel(url).catch(() => {});
    setModels(joinParts(await storedModels().catch(() => [])));
  };
  if (models.length === 0) return null;
  return (
    <section className="stored" aria-label="Models kept in this browser">
      <h3>Kept in this browser</h3>
      <ul>
        {models.map((model) => (
          <li key={model.urls[0]}>
            <span className="stored-name" title={model.urls[0]}>{model.name}</span>
            <span className="small numeric">{formatBytes(model.sizeBytes)}</span>
            <Button onClick={() => onChoose(model.urls[0] ?? "")} aria-label={`Use ${model.name}`}>Use</Button>
            <IconButton icon="trash" label={`Remove ${model.name} from this browser`} onClick={() => void remove(model)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
