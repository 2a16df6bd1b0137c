import { useCallback, useEffect, useRef, useState } from "react";

const WINDOW_MS = 1000;

/** How many pictures the last second had. Nothing is drawn while nothing changes; then there is no rate. */
export function useFrameRate() {
  const times = useRef<number[]>([]);
  const [frameRate, setFrameRate] = useState(NaN);
  const onFrame = useCallback(() => void times.current.push(performance.now()), []);
  useEffect(() => {
    const timer = setInterval(() => {
      const now = performance.now();
      times.current = times.current.filter((time) => now - time < WINDOW_MS);
      setFrameRate(times.current.length < 2 ? NaN : times.current.length / (WINDOW_MS / 1000));
    }, WINDOW_MS / 2);
    return () => clearInterval(timer);
  }, []);
  return { frameRate, onFrame };
}
