declare module "tilework/conformance" {
  export interface Report { device: string; passed: number; failed: number; skipped: number; failures: { case: string; message: string }[]; scalar_errors: { op: string; worst_ulp: number }[] }
  export function runConformance(o: { device: "gpu" | "cpu" | "auto"; filter?: string; onProgress?: (p: { done: number; total: number; name: string }) => void; signal?: AbortSignal }): Promise<Report>;
}
