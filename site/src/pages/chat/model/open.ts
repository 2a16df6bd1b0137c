// The model: chosen, looked at, opened, asked, let go. It lives outside of React: opening one takes long, and a look at another page of
// the studio should not cost it.
import { inspect, LanguageModel, type ModelSummary, type OpenProgress } from "tilework/llm";
import type { Choice } from "../../../engine/choice";
import { problemOf, type Problem } from "../../../engine/problem";
import { perFrame } from "../../../lib/frames";
import { Store } from "../../../lib/store";
import type { Source } from "./source";

export type ModelState =
  | { readonly status: "none"; readonly problem: Problem | null }
  | { readonly status: "looking"; readonly source: Source }
  | { readonly status: "chosen"; readonly source: Source; readonly summary: ModelSummary; readonly problem: Problem | null }
  | { readonly status: "opening"; readonly source: Source; readonly summary: ModelSummary; readonly progress: OpenProgress | null }
  | { readonly status: "ready"; readonly source: Source; readonly model: LanguageModel; readonly openMs: number };

export interface OpenChoice {
  readonly device: Choice;
  readonly contextLength: number;
  readonly keep: boolean;
}

export class ModelStore extends Store<ModelState> {
  #control = new AbortController();

  constructor() {
    super({ status: "none", problem: null });
  }

  /** Reads the head of a file; `find` throws what is wrong with a choice. */
  async choose(find: () => Source): Promise<void> {
    const signal = this.#restart();
    try {
      const source = find();
      this.set({ status: "looking", source });
      const summary = await inspect(source.parts, { signal });
      if (!signal.aborted) this.set({ status: "chosen", source, summary, problem: null });
    } catch (error) {
      if (!signal.aborted) this.set({ status: "none", problem: problemOf(error) });
    }
  }

  async open({ device, contextLength, keep }: OpenChoice): Promise<void> {
    if (this.state.status !== "chosen") return;
    const { source, summary } = this.state;
    const signal = this.#restart();
    const startMs = performance.now();
    let progress: OpenProgress | null = null;
    const show = () => {
      if (!signal.aborted) this.set({ status: "opening", source, summary, progress });
    };
    const frames = perFrame(show);
    const onProgress = (now: OpenProgress) => {
      progress = now;
      frames.request();
    };
    show();
    try {
      const model = await LanguageModel.open(source.parts, { device, contextLength, keep, onProgress, signal });
      frames.cancel();
      if (signal.aborted) return model.dispose();
      this.set({ status: "ready", source, model, openMs: performance.now() - startMs });
    } catch (error) {
      frames.cancel();
      if (!signal.aborted) this.set({ status: "chosen", source, summary, problem: problemOf(error) });
    }
  }

  /** Back to the summary while it is opened; else to the choice of a model. */
  cancel(): void {
    const { state } = this;
    this.#restart();
    if (state.status === "opening") this.set({ status: "chosen", source: state.source, summary: state.summary, problem: null });
    else this.set({ status: "none", problem: null });
  }

  /** Ends what is under way and lets go of the model. */
  #restart(): AbortSignal {
    this.#control.abort();
    this.#control = new AbortController();
    if (this.state.status === "ready") this.state.model.dispose();
    return this.#control.signal;
  }
}

let only: ModelStore | null = null;

/** The one of this tab. */
export function modelStore(): ModelStore {
  only ??= new ModelStore();
  return only;
}
