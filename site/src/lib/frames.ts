// Work that is asked for often and done once per picture.

/** For tabs out of sight, which draw no pictures. */
const HIDDEN_MS = 250;

/** Calls `draw` with the next picture after `request`, however often it was asked. */
export function perFrame(draw: () => void): { request: () => void; cancel: () => void } {
  let cancel: (() => void) | null = null;
  const run = () => {
    cancel = null;
    draw();
  };
  return {
    request: () => {
      if (cancel !== null) return;
      if (typeof document === "undefined" || document.hidden) {
        const timer = setTimeout(run, HIDDEN_MS);
        cancel = () => clearTimeout(timer);
      } else {
        const frame = requestAnimationFrame(run);
        cancel = () => cancelAnimationFrame(frame);
      }
    },
    cancel: () => {
      cancel?.();
      cancel = null;
    },
  };
}
