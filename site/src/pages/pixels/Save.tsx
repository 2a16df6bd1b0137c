import { useEffect, useState } from "react";
import type { PixelModel } from "tilework/models";
import { download } from "../../lib/files";
import { formatBytes, sentence } from "../../lib/format";
import { Button } from "../../ui/Button";
import { savedName } from "./files";

/** The model as it is now, as a PNG on the visitor's disk. */
export function Save({ model, name, isEdited }: { model: PixelModel; name: string; isEdited: boolean }) {
  const [state, setState] = useState<{ readonly words: string; readonly isBusy: boolean }>({ words: "", isBusy: false });
  useEffect(() => setState({ words: "", isBusy: false }), [model]);
  const save = async () => {
    setState({ words: "", isBusy: true });
    try {
      const pages = await model.save();
      pages.forEach((bytes, page) => download(savedName(name, isEdited, page), "image/png", bytes));
      setState({ words: `Saved ${savedName(name, isEdited, 0)}, ${formatBytes(pages.reduce((sum, page) => sum + page.byteLength, 0))}`, isBusy: false });
    } catch (thrown) {
      setState({ words: sentence(thrown instanceof Error ? thrown.message : String(thrown)), isBusy: false });
    }
  };
  return (
    <div className="save">
      <Button icon="download" busy={state.isBusy} onClick={() => void save()}>Save as PNG</Button>
      {state.words !== "" && <p className="small save-words" role="status">{state.words}</p>}
    </div>
  );
}
