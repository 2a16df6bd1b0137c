import { useState } from "react";
import { forget, load, save } from "../../../lib/storage";
import { readEdits, writeEdits } from "./edits";
import type { CodeFile } from "../lesson";

export type Version = "mine" | "solution";

/** The text of each file by name. */
export type Texts = Readonly<Record<string, string>>;

export interface Code {
  readonly version: Version;
  /** What is shown and run: the learner's own, or the solution. */
  readonly texts: Texts;
  readonly isEdited: boolean;
  readonly edit: (name: string, text: string) => void;
  /** Back to the starting code; `undo` takes it back until the next edit. */
  readonly reset: () => void;
  readonly undo: (() => void) | null;
  readonly show: (version: Version) => void;
}

/** The code of one lesson, remembered in this browser. */
export function useCode(lesson: number, files: readonly CodeFile[]): Code {
  const key = `learn-code-${lesson}`;
  const [mine, setMine] = useState<Texts>(() => readEdits(load(key), files));
  const [before, setBefore] = useState<Texts | null>(null);
  const [version, setVersion] = useState<Version>("mine");
  const keep = (texts: Texts) => {
    const words = writeEdits(texts, files);
    if (words === null) forget(key);
    else save(key, words);
    setMine(texts);
  };
  return {
    version,
    texts: version === "mine" ? mine : Object.fromEntries(files.map((file) => [file.name, file.solution])),
    isEdited: writeEdits(mine, files) !== null,
    edit: (name, text) => {
      setBefore(null);
      keep({ ...mine, [name]: text });
    },
    reset: () => {
      setBefore(mine);
      keep(readEdits(null, files));
    },
    undo: before === null ? null : () => {
      keep(before);
      setBefore(null);
    },
    show: setVersion,
  };
}
