import { useEffect, useState } from "react";
import type { Adapter } from "./adapter";

/** Undefined until the browser has answered; null without an adapter. */
export function useAdapter(): Adapter | null | undefined {
  const [adapter, setAdapter] = useState<Adapter | null>();
  useEffect(() => {
    const worker = new Worker(new URL("./adapter.worker.ts", import.meta.url), { type: "module", name: "adapter" });
    worker.onmessage = (event: MessageEvent<Adapter | null>) => {
      setAdapter(event.data);
      worker.terminate();
    };
    return () => worker.terminate();
  }, []);
  return adapter;
}
