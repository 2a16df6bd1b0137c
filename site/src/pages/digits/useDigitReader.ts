import { useCallback, useEffect, useRef, useState } from "react";
import { type DigitGuess, DigitReader, type Drawing, TileworkError } from "tilework/models";
import type { FileSource } from "tilework/models";
import { deviceName } from "../../engine/names";

export interface Reading extends DigitGuess {
  /** The drawing as the network saw it. */
  readonly image: Float32Array;
  /** Time of the network alone. */
  readonly elapsedMs: number;
}

export type ReaderState =
  | { readonly status: "opening" }
  | { readonly status: "ready"; readonly device: string; readonly software: boolean }
  | { readonly status: "failed"; readonly code: string; readonly message: string };

/** A network on a device, and what it thinks of the latest drawing. Drawings that come while it computes are passed over for the last of them. */
export function useDigitReader(weights: FileSource, device: "gpu" | "cpu") {
  const [state, setState] = useState<ReaderState>({ status: "opening" });
  const [reading, setReading] = useState<Reading | null>(null);
  const reader = useRef<DigitReader | null>(null);
  const latest = useRef<Drawing | null>(null);
  const waiting = useRef<Drawing | null>(null);
  const busy = useRef(false);

  const work = useCallback(async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      for (let drawing = waiting.current; drawing !== null && reader.current !== null; drawing = waiting.current) {
        waiting.current = null;
        const current = reader.current;
        const image = await current.prepare(drawing);
        const [guess] = await current.read(image);
        if (guess !== undefined && reader.current === current) setReading({ ...guess, image, elapsedMs: current.elapsedMs });
      }
    } catch (thrown) {
      // A network that was exchanged meanwhile owes nobody an answer.
      if ((thrown as TileworkError).code !== "disposed") setState(failure(thrown));
    } finally {
      busy.current = false;
    }
  }, []);

  useEffect(() => {
    let closed = false;
    setState({ status: "opening" });
    const opening = DigitReader.open(weights, { device });
    opening.then(
      (opened) => {
        if (closed) return opened.dispose();
        reader.current = opened;
        // What is drawn already is read again by the new network.
        waiting.current = latest.current;
        setState({ status: "ready", device: deviceName(opened.device), software: opened.device.software });
        void work();
      },
      (thrown: unknown) => {
        if (!closed) setState(failure(thrown));
      },
    );
    return () => {
      closed = true;
      reader.current?.dispose();
      reader.current = null;
    };
  }, [weights, device, work]);

  const read = useCallback((drawing: Drawing | null) => {
    latest.current = waiting.current = drawing;
    if (drawing === null) setReading(null);
    else void work();
  }, [work]);

  return { state, reading, read };
}

function failure(thrown: unknown): ReaderState {
  const { code = "kernel", message } = thrown as TileworkError;
  return { status: "failed", code, message };
}
