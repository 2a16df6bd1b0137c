import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import type { PixelModel, PixelTensor, WeightSpan } from "tilework/models";
import type { PictureHandle } from "./PictureView";
import { boxOf, covered, type Run } from "./view/brush";
import type { Box } from "./view/camera";
import type { Tool } from "./view/gestures";

interface Edit {
  readonly name: string;
  readonly value: number;
  readonly spans: WeightSpan[];
  /** What to draw anew; everything if it is not known. */
  readonly where: { readonly page: number; readonly box: Box }[] | null;
}

/** A brush over weights. Strokes that come while one is being applied are joined. */
export function useBrush(model: PixelModel | null, picture: RefObject<PictureHandle | null>, onChanged: () => void) {
  const [tool, setTool] = useState<Tool>("brush");
  const [radius, setRadius] = useState(6);
  const [value, setValue] = useState(0);
  const [nPainted, setPainted] = useState(0);
  const [problem, setProblem] = useState("");
  const waiting = useRef<Edit[]>([]);
  const isBusy = useRef(false);
  const latest = useRef(model);
  latest.current = model;

  useEffect(() => {
    waiting.current = [];
    setPainted(0);
    setProblem("");
  }, [model]);

  const work = useCallback(async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      for (let edit = waiting.current.shift(), of = latest.current; edit !== undefined && of !== null; edit = waiting.current.shift(), of = latest.current) {
        setPainted(await of.edit(edit.name, edit.spans, edit.value));
        for (const { page, box } of edit.where ?? []) picture.current?.touch(page, box);
        if (edit.where === null) picture.current?.touch();
        onChanged();
      }
    } catch (thrown) {
      waiting.current = [];
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      isBusy.current = false;
    }
  }, [picture, onChanged]);

  const paint = useCallback((page: number, runs: readonly Run[]) => {
    if (model === null) return;
    const all = covered(model.info.tensors, page, runs);
    const fixed = all.find(({ tensor }) => !tensor.editable);
    setProblem(fixed === undefined ? "" : `weights of ${fixed.tensor.dtype} share blocks and cannot be set one by one`);
    const where = { page, box: boxOf(runs) };
    for (const { tensor, spans } of all.filter(({ tensor }) => tensor.editable)) {
      const last = waiting.current.at(-1);
      if (last?.name === tensor.name && last.value === value && last.where !== null) {
        last.spans.push(...spans);
        last.where.push(where);
      } else {
        waiting.current.push({ name: tensor.name, value, spans: [...spans], where: [where] });
      }
    }
    void work();
  }, [model, value, work]);

  const fill = useCallback((tensor: PixelTensor) => {
    waiting.current.push({ name: tensor.name, value, spans: [{ start: 0, count: tensor.count }], where: null });
    void work();
  }, [value, work]);

  const restore = useCallback(async () => {
    waiting.current = [];
    try {
      await model?.reset();
      setPainted(0);
      setProblem("");
      picture.current?.touch();
      onChanged();
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }, [model, picture, onChanged]);

  return useMemo(
    () => ({ tool, setTool, radius, setRadius, value, setValue, nPainted, problem, paint, fill, restore }),
    [tool, radius, value, nPainted, problem, paint, fill, restore],
  );
}

export type Brush = ReturnType<typeof useBrush>;
