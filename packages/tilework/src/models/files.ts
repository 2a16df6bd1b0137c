// The files of a model: bytes that are there already, or an address to get them from.

import { TileworkError } from "../errors.js";

/** Where a file comes from. */
export type FileSource = URL | string | Blob | Uint8Array | ArrayBuffer;

/** How far a model is. */
export interface ModelProgress {
  /** What is being done. */
  readonly stage: "files" | "engine" | "model" | "ready";
  /** Bytes of files that have arrived. */
  readonly loadedBytes: number;
  /** Bytes in all, as far as the servers tell. */
  readonly totalBytes: number;
}

/** Gets all files, telling how many bytes are there. */
export async function getFiles(
  sources: Readonly<Record<string, FileSource>>,
  onProgress: (loadedBytes: number, totalBytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const [loaded, total] = [new Map<string, number>(), new Map<string, number>()];
  const sum = (bytes: Map<string, number>): number => [...bytes.values()].reduce((a, b) => a + b, 0);
  const entries = Object.entries(sources).map(async ([name, source]) => {
    const bytes = await getFile(name, source, signal, (now, all) => {
      loaded.set(name, now);
      total.set(name, Math.max(now, all));
      onProgress(sum(loaded), sum(total));
    });
    return [name, bytes] as const;
  });
  return new Map(await Promise.all(entries));
}

async function getFile(
  name: string,
  source: FileSource,
  signal: AbortSignal | undefined,
  tell: (loadedBytes: number, totalBytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  // A copy: the bytes are handed over to a worker, and the caller keeps its own.
  if (source instanceof Uint8Array) return new Uint8Array(source);
  if (source instanceof ArrayBuffer) return new Uint8Array(source.slice(0));
  try {
    if (source instanceof Blob) return new Uint8Array(await source.arrayBuffer());
    const response = await fetch(new URL(source, globalThis.location?.href), signal ? { signal } : {});
    if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`.trim());
    return await read(response, tell);
  } catch (thrown) {
    signal?.throwIfAborted();
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new TileworkError("io", `model: ${name} could not be loaded${source instanceof Blob ? "" : ` from ${source}`}: ${message}`, { cause: thrown });
  }
}

async function read(response: Response, tell: (loadedBytes: number, totalBytes: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  const announced = response.headers.has("content-encoding") ? 0 : Number(response.headers.get("content-length") ?? 0);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let n = 0;
  tell(0, announced);
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    parts.push(next.value);
    n += next.value.byteLength;
    tell(n, announced);
  }
  const whole = new Uint8Array(n);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
