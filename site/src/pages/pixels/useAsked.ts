import { useEffect, useRef, useState } from "react";

const QUIET_MS = 150;

/** What a model answers to a question, asked anew when `key` changes ("" asks nothing). The latest answer stays until the next is here. */
export function useAsked<T>(key: string, ask: () => Promise<T>, of: object | null, quietMs = QUIET_MS): { answer: T | null; problem: string; isBusy: boolean } {
  const [state, setState] = useState<{ readonly answer: T | null; readonly problem: string; readonly isBusy: boolean }>({ answer: null, problem: "", isBusy: false });
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (key === "") return;
    let isCurrent = true;
    setState((before) => ({ ...before, isBusy: true }));
    // A brush or a training changes weights often; questions about all of them wait for a rest.
    const timer = setTimeout(() => {
      latest.current().then(
        (answer) => isCurrent && setState({ answer, problem: "", isBusy: false }),
        (thrown: unknown) => isCurrent && setState({ answer: null, problem: thrown instanceof Error ? thrown.message : String(thrown), isBusy: false }),
      );
    }, quietMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key, of, quietMs]);
  return state;
}
