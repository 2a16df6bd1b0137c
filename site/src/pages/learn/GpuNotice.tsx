import { useState } from "react";
import { WebGpuHelp } from "../../app/WebGpuHelp";
import { Button } from "../../ui/Button";
import { Callout } from "../../ui/layout";
import type { Gpu } from "./useGpu";

const REASONS: Record<Exclude<Gpu, "present">, string> = {
  insecure: "This page came over plain http, where browsers offer no WebGPU. Open it by https, or from localhost.",
  "no-webgpu": "This browser has no WebGPU: there is no navigator.gpu to ask.",
  "no-adapter": "This browser has WebGPU, but no GPU to offer: requestAdapter() gave null. Often graphics acceleration is switched off, or the driver is on the browser’s list of troublemakers.",
};

/** Why the code of a lesson cannot run here, and what still works. */
export function GpuNotice({ missing, hasCpuPath }: { missing: Exclude<Gpu, "present">; hasCpuPath: boolean }) {
  const [help, setHelp] = useState(false);
  return (
    <>
      <Callout tone="warn" title="The code of this lesson cannot run here" actions={<Button onClick={() => setHelp(true)}>How to get WebGPU</Button>}>
        <p>{REASONS[missing]}</p>
        <p>{hasCpuPath ? "You can read everything, and compute the same network with WebAssembly on the CPU: the button is below the code." : "You can still read the text and the code."}</p>
      </Callout>
      <WebGpuHelp open={help} onClose={() => setHelp(false)} />
    </>
  );
}
