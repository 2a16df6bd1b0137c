import { useState } from "react";
import { diagnosticReport } from "../engine/diagnostics";
import { choose, reopen, start, type EngineState, type ReadyState } from "../engine/store";
import { useEngine } from "../engine/useEngine";
import { focusMain } from "../lib/focus";
import { sentence } from "../lib/format";
import { load, save } from "../lib/storage";
import { Button, CopyButton } from "../ui/Button";
import { Callout } from "../ui/layout";
import { WebGpuHelp } from "./WebGpuHelp";

/** What every page has to say about the engine: nothing when all is well. */
export function EngineBanner({ openPanel }: { openPanel: () => void }) {
  const engine = useEngine();
  if (engine.status === "failed") return <Failed engine={engine} />;
  if (engine.status === "lost") return <Lost engine={engine} />;
  if (engine.status === "ready" && (engine.refusal !== null || isWithoutGpu(engine))) return <NoGpu engine={engine} openPanel={openPanel} />;
  return null;
}

/** For a button that takes the whole banner away: the focus goes on to the page instead of getting lost. */
function leaving(act: () => void): () => void {
  return () => {
    focusMain();
    act();
  };
}

/** The CPU computes although nobody asked for it. */
function isWithoutGpu({ choice, tw }: ReadyState): boolean {
  return choice !== "cpu" && tw.info.runsOn === "cpu" && tw.info.note !== "";
}

function Failed({ engine }: { engine: Extract<EngineState, { status: "failed" }> }) {
  return (
    <div className="banner">
      <Callout
        tone="bad"
        title="The engine did not start"
        actions={
          <>
            <Button look="primary" icon="refresh" onClick={leaving(() => void start())}>Try again</Button>
            {engine.choice !== "cpu" && engine.problem.code !== "io" && <Button onClick={leaving(() => choose("cpu"))}>Use the CPU</Button>}
            <CopyButton label="Copy report" text={diagnosticReport} />
          </>
        }
      >
        <p>{sentence(engine.problem.message)} <code>{engine.problem.code}</code></p>
        <p>{adviceFor(engine.problem.code)}</p>
      </Callout>
    </div>
  );
}

function adviceFor(code: string): string {
  switch (code) {
    case "io":
      return "A file did not arrive. Check the connection, or whether a blocker holds back .wasm files, and try again.";
    case "unsupported":
      return "This browser lacks WebAssembly SIMD. Any Chrome, Edge, Firefox or Safari since 2023 has it.";
    case "out_of_memory":
      return "There was not enough memory. Close other tabs and try again.";
    default:
      return "Try again; if it stays, the CPU path needs less of the browser. The report says what this browser offers and stays here unless you paste it somewhere.";
  }
}

function Lost({ engine }: { engine: Extract<EngineState, { status: "lost" }> }) {
  return (
    <div className="banner">
      <Callout
        tone="bad"
        title="The GPU was lost"
        actions={
          <>
            <Button look="primary" icon="refresh" busy={engine.reopening} onClick={() => void reopen().then(focusMain)}>
              {engine.reopening ? "Reopening…" : "Reopen"}
            </Button>
            <Button onClick={leaving(() => choose("cpu"))}>Continue on the CPU</Button>
            <CopyButton label="Copy report" text={diagnosticReport} />
          </>
        }
      >
        <p>{sentence(engine.problem.message)}</p>
        <p>This happens after a driver update or crash, when a laptop switches graphics cards or wakes up, or when the system needed the memory. Reopening continues where you were.</p>
      </Callout>
    </div>
  );
}

const DISMISSED = "no-gpu-dismissed";

function NoGpu({ engine, openPanel }: { engine: ReadyState; openPanel: () => void }) {
  const [hidden, setHidden] = useState(load(DISMISSED) === "1");
  const [help, setHelp] = useState(false);
  if (hidden && engine.refusal === null) return null;
  const dismiss = () => {
    save(DISMISSED, "1");
    setHidden(true);
  };
  return (
    <div className="banner">
      <Callout
        tone="warn"
        title="No GPU here: the CPU has taken over"
        actions={
          <>
            <Button onClick={() => setHelp(true)}>How to get WebGPU</Button>
            <Button look="quiet" onClick={openPanel}>Device panel</Button>
            {engine.refusal === null ? <Button look="quiet" onClick={leaving(dismiss)}>Do not show again</Button> : <Button look="quiet" onClick={leaving(() => choose("auto"))}>Stop asking for the GPU</Button>}
          </>
        }
      >
        <p>{sentence(engine.refusal?.message ?? engine.tw.info.note)} Every page still works.</p>
      </Callout>
      <WebGpuHelp open={help} onClose={() => setHelp(false)} />
    </div>
  );
}
