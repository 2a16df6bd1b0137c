import { useCallback, useEffect, useRef, useState } from "react";
import { Embedder, type EmbedderFiles, type ModelProgress } from "tilework/models";
import { placeName } from "../../engine/names";
import type { ModelFiles } from "./modelFiles";

export type EmbedderState =
  | { readonly status: "none" }
  | { readonly status: "opening"; readonly progress: ModelProgress | null }
  | { readonly status: "ready"; readonly device: string }
  | { readonly status: "failed"; readonly message: string };

/** Vectors are asked for in groups, so that a long text shows progress and can be changed meanwhile. */
const GROUP = 16;

/** A model, and the vectors of all texts that it has seen. */
export function useEmbedder() {
  const [state, setState] = useState<EmbedderState>({ status: "none" });
  const embedder = useRef<Embedder | null>(null);
  const known = useRef(new Map<string, Float32Array>());
  useEffect(() => () => embedder.current?.dispose(), []);

  const open = useCallback(async (files: () => Promise<ModelFiles>, device: "auto" | "cpu" | "gpu") => {
    embedder.current?.dispose();
    embedder.current = null;
    known.current.clear();
    setState({ status: "opening", progress: null });
    try {
      const named = (await files()) as unknown as EmbedderFiles;
      const opened = await Embedder.open(named, { device, onProgress: (progress) => setState({ status: "opening", progress }) });
      embedder.current = opened;
      setState({ status: "ready", device: placeName(opened.device) });
    } catch (thrown) {
      setState({ status: "failed", message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }, []);

  const vectorOf = useCallback((text: string): Float32Array | null => known.current.get(text) ?? null, []);

  /** Computes what is not known yet; `onProgress` is told how many of `texts` are. False if `signal` ended it. */
  const learn = useCallback(async (texts: readonly string[], signal: AbortSignal, onProgress: (n: number) => void): Promise<boolean> => {
    try {
      const missing = texts.filter((text) => !known.current.has(text));
      for (let start = 0; start < missing.length; start += GROUP) {
        const current = embedder.current;
        if (signal.aborted || current === null) return false;
        const group = missing.slice(start, start + GROUP);
        const vectors = await current.embed(group);
        // Copies: the group's vectors are views of one buffer.
        group.forEach((text, i) => known.current.set(text, (vectors[i] ?? new Float32Array()).slice()));
        onProgress(texts.length - missing.length + start + group.length);
      }
      return !signal.aborted;
    } catch (thrown) {
      if (embedder.current !== null) setState({ status: "failed", message: thrown instanceof Error ? thrown.message : String(thrown) });
      return false;
    }
  }, []);

  return { state, open, learn, vectorOf };
}
