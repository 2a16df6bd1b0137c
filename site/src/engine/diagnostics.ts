// A report to copy by hand. It is made of what the visitor can see anyway and is never sent anywhere.
import { engineState, type EngineState } from "./store";

const MAX_ERRORS = 20;
const errors: string[] = [];

function note(text: string): void {
  errors.push(`${new Date().toISOString()} ${text}`);
  if (errors.length > MAX_ERRORS) errors.shift();
}

/** Starts to remember the page's errors. */
export function watchErrors(): void {
  addEventListener("error", (event) => note(event.message || "a file failed to load"));
  addEventListener("unhandledrejection", (event) => note(`unhandled: ${String(event.reason)}`));
}

export function noteError(error: unknown): void {
  note(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}

/** Everything that helps to understand a problem, as text. */
export function diagnosticReport(): string {
  const report = {
    made: new Date().toISOString(),
    page: location.hash || "#/",
    browser: {
      userAgent: navigator.userAgent,
      language: navigator.language,
      cores: navigator.hardwareConcurrency,
      webgpu: "gpu" in navigator,
      crossOriginIsolated,
      screen: `${innerWidth}x${innerHeight} @${devicePixelRatio}`,
    },
    engine: describeEngine(engineState()),
    errors,
  };
  return JSON.stringify(report, null, 2);
}

function describeEngine(state: EngineState): unknown {
  switch (state.status) {
    case "loading":
      return { status: state.status, choice: state.choice, progress: state.progress };
    case "failed":
      return { status: state.status, choice: state.choice, problem: state.problem };
    case "lost":
      return { status: state.status, choice: state.choice, problem: state.problem, device: state.tw.info };
    case "ready": {
      const { choice, openMs, refusal, check, tw } = state;
      return { status: state.status, choice, openMs: Math.round(openMs), refusal, selfCheck: check, device: tw.info };
    }
  }
}
