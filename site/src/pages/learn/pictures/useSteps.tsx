import { useEffect, useState, type ReactNode } from "react";
import { Button, IconButton } from "../../../ui/Button";

const STEP_MS = 900;

export interface Steps {
  readonly step: number;
  readonly controls: ReactNode;
}

/** A drawing that moves in steps: it can be paused, goes step by step by hand, and stands still for those who asked for less motion. */
export function useSteps(n: number, what: string, stepMs = STEP_MS): Steps {
  const [step, setStep] = useState(0);
  const [playing, setPlaying] = useState(() => !matchMedia("(prefers-reduced-motion: reduce)").matches);
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => setStep((last) => (last + 1) % n), stepMs);
    return () => clearInterval(timer);
  }, [playing, n, stepMs]);
  const go = (by: number) => {
    setPlaying(false);
    setStep((last) => (last + by + n) % n);
  };
  const controls = (
    <div className="steps" role="group" aria-label={what}>
      <span className="turn-back"><IconButton icon="arrow" label="One step back" onClick={() => go(-1)} /></span>
      <Button look="quiet" icon={playing ? "pause" : "play"} onClick={() => setPlaying(!playing)}>{playing ? "Pause" : "Play"}</Button>
      <IconButton icon="arrow" label="One step on" onClick={() => go(1)} />
      <span className="small numeric">{step + 1} of {n}</span>
    </div>
  );
  return { step, controls };
}
