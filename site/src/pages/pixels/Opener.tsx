import { useId } from "react";
import { useFileDrop } from "../../lib/drop";
import { Button } from "../../ui/Button";
import { choiceOf, DIGIT_NETWORK } from "./files";
import type { Choice, ModelState } from "./useModel";

/** Where a model comes from: a file of the visitor's, or the network that is here. */
export function Opener({ state, onOpen }: { state: ModelState; onOpen: (choice: Choice) => void }) {
  const id = useId();
  const isOpening = state.status === "opening";
  return (
    <div className="opener">
      <p className="opener-words">Drop a <b>PNG</b>, <b>safetensors</b> or <b>GGUF</b> file anywhere on this page. Nothing is sent anywhere.</p>
      <div className="opener-buttons">
        <div className="file-choice">
          <label className="button button-plain" htmlFor={id}>Open a file…</label>
          <input
            id={id}
            className="visually-hidden"
            type="file"
            accept=".png,.safetensors,.gguf,image/png"
            multiple
            onChange={(event) => {
              const choice = choiceOf([...(event.target.files ?? [])]);
              // The same file may be chosen again.
              event.target.value = "";
              if (choice !== null) onOpen(choice);
            }}
          />
        </div>
        <Button icon="grid" busy={isOpening} onClick={() => onOpen(DIGIT_NETWORK)}>The digit network</Button>
      </div>
    </div>
  );
}

/** Files may be dropped anywhere on the page. */
export function useDrop(onOpen: (choice: Choice) => void) {
  return useFileDrop((files) => {
    const choice = choiceOf(files);
    if (choice !== null) onOpen(choice);
  });
}
