// What WebGPU offers to this page, asked without opening the engine: a page can say in advance what to expect of a run.
export interface Adapter {
  /** As far as the browser tells it. */
  readonly name: string;
  /** A program running on the CPU: correct and slow. */
  readonly software: boolean;
}

interface AdapterInfo {
  readonly description?: string;
  readonly device?: string;
  readonly architecture?: string;
  readonly isFallbackAdapter?: boolean;
}

interface Gpu {
  requestAdapter(options: { powerPreference: string }): Promise<{ readonly info?: AdapterInfo } | null>;
}

/** The same question, and the same reading of the answer, as the engine's (crates/tilework-wasm/src/adapter.rs). */
export async function askAdapter(gpu: Gpu | undefined = (navigator as { gpu?: Gpu }).gpu): Promise<Adapter | null> {
  const adapter = await gpu?.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  if (adapter === null || adapter === undefined) return null;
  const { description = "", device = "", architecture = "", isFallbackAdapter = false } = adapter.info ?? {};
  return { name: description || device || architecture || "unnamed adapter", software: isFallbackAdapter || architecture === "swiftshader" };
}
