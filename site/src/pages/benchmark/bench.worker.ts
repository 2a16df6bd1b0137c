// All computing of the benchmark page happens here, with engines of its own: the page stays free, and ending the worker cancels.
import { open, type Ops, type Tilework } from "tilework";
import { measureAll, type Engines } from "./measure";
import type { Report, Request } from "./types";
import { findWorkload } from "./workloads";

function tell(report: Report): void {
  postMessage(report);
}

async function openGpu(ops: Ops): Promise<Engines["gpu"]> {
  try {
    return { tw: await open({ device: "gpu", ops }), reason: "" };
  } catch (error) {
    return { tw: null, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function run(request: Request): Promise<void> {
  const workload = findWorkload(request.workload);
  if (workload === undefined) throw new Error(`there is no workload named ${request.workload}`);
  tell({ kind: "step", text: "Opening the devices", done: 0, total: 1 });
  const cpu: Tilework = await open({ device: "cpu", ops: workload.ops });
  await measureAll(workload, request, { cpu, gpu: await openGpu(workload.ops) }, tell);
  tell({ kind: "done" });
}

addEventListener("message", (event: MessageEvent<Request>) => {
  run(event.data).catch((error: unknown) => {
    const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unexpected";
    tell({ kind: "failed", code, message: error instanceof Error ? error.message : String(error) });
  });
});
