import { useCallback, useEffect, useRef, useState } from "react";
import { PixelModel, type FileSource, type ModelProgress, type TileworkError } from "tilework/models";

/** What to open: a model in one file, or the pages of a large one. */
export interface Choice {
  readonly name: string;
  readonly files: readonly FileSource[];
}

export type ModelState =
  | { readonly status: "opening"; readonly name: string; readonly progress: ModelProgress | null }
  | { readonly status: "ready"; readonly name: string }
  | { readonly status: "failed"; readonly name: string; readonly message: string };

export interface OpenModel {
  readonly name: string;
  readonly model: PixelModel;
}

/** The model in sight. It stays until the next one is open, and if that cannot be opened. */
export function useModel(first: Choice) {
  const [state, setState] = useState<ModelState>({ status: "opening", name: first.name, progress: null });
  const [opened, setOpened] = useState<OpenModel | null>(null);
  const current = useRef<PixelModel | null>(null);
  const latest = useRef<AbortController | null>(null);

  const open = useCallback(async ({ name, files }: Choice): Promise<PixelModel | null> => {
    latest.current?.abort();
    const control = (latest.current = new AbortController());
    const { signal } = control;
    setState({ status: "opening", name, progress: null });
    try {
      const model = await PixelModel.open(files, { name, signal, onProgress: (progress) => !signal.aborted && setState({ status: "opening", name, progress }) });
      if (signal.aborted) {
        model.dispose();
        return null;
      }
      current.current?.dispose();
      current.current = model;
      setOpened({ name, model });
      setState({ status: "ready", name });
      return model;
    } catch (thrown) {
      if (!signal.aborted) setState({ status: "failed", name, message: (thrown as TileworkError).message });
      return null;
    }
  }, []);

  useEffect(() => {
    void open(first);
    return () => {
      latest.current?.abort();
      current.current?.dispose();
      current.current = null;
    };
    // Once: what is opened later is the visitor's choice.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [open]);

  return { state, opened, open };
}
