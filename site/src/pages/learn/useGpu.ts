import { useAdapter } from "../../engine/useAdapter";

/** What a lesson's code needs, or the first thing of it that is missing. */
export type Gpu = "present" | "insecure" | "no-webgpu" | "no-adapter";

/** Present until it is known to be missing: asking for the adapter takes a moment. */
export function useGpu(): Gpu {
  const adapter = useAdapter();
  if (!isSecureContext) return "insecure";
  if ((navigator as { gpu?: unknown }).gpu === undefined) return "no-webgpu";
  return adapter === null ? "no-adapter" : "present";
}
