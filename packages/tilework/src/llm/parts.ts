// The files of a model before and while they are opened: their first bytes, and all of them.
//
// The engine reads weights while it runs, and cannot wait then: it needs sources that answer at once. In a worker that is any
// Blob, so a download becomes a file in the browser's private file system (store.ts) and never lies in memory as a whole.

import { TileworkError } from "../errors.js";
import type { ByteSource as EngineSource } from "../wasm/llm/tilework.js";
import { download, keptFile } from "./store.js";
import type { ModelPart } from "./types.js";

/** A part that is read at once, and let go of when all is read. */
export interface ByteSource extends EngineSource {
  close?(): void;
}

/** Told how many bytes are there, of how many. */
export type Tell = (loadedBytes: number, totalBytes: number) => void;

/** Bytes of a part's head, and its size; 0 if a server does not tell it. */
export interface PartHead {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sizeBytes: number;
}

/** The name of a file, as well as it is known. */
export function nameOf(part: ModelPart): string {
  if (part instanceof URL || typeof part === "string") {
    const path = new URL(part, globalThis.location?.href ?? "file:///").pathname;
    return decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
  }
  return (part as { readonly name?: string }).name ?? "";
}

/** The first `n` bytes of a part, or all of it. */
export async function headOf(part: ModelPart, n: number, signal: AbortSignal | undefined): Promise<PartHead> {
  if (part instanceof Blob) return blobHead(part, n);
  if (part instanceof Uint8Array) return { bytes: part.slice(0, n), sizeBytes: part.byteLength };
  if (part instanceof ArrayBuffer) return { bytes: new Uint8Array(part.slice(0, n)), sizeBytes: part.byteLength };
  const url = new URL(part, globalThis.location?.href ?? "file:///");
  if (url.protocol === "file:") return fileHead(url, n);
  // What is kept needs no network.
  const kept = await keptFile(url);
  return kept ? blobHead(kept, n) : explained(part, signal, () => fetchHead(url, n, signal));
}

async function blobHead(blob: Blob, n: number): Promise<PartHead> {
  return { bytes: new Uint8Array(await blob.slice(0, n).arrayBuffer()), sizeBytes: blob.size };
}

async function fetchHead(url: URL, n: number, signal: AbortSignal | undefined): Promise<PartHead> {
  const response = await fetch(url, { headers: { Range: `bytes=0-${n - 1}` }, ...(signal ? { signal } : {}) });
  if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`.trim());
  const [, total] = /\/(\d+)$/.exec(response.headers.get("content-range") ?? "") ?? [];
  const announced = response.status === 206 ? total : response.headers.get("content-length");
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let nBytes = 0;
  const reader = response.body?.getReader();
  // A server that knows no ranges sends everything; what is not needed is not waited for.
  for (let next = await reader?.read(); next !== undefined && !next.done && nBytes < n; next = await reader?.read()) {
    parts.push(next.value);
    nBytes += next.value.byteLength;
  }
  await reader?.cancel();
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  const isEncoded = response.headers.has("content-encoding");
  return { bytes, sizeBytes: isEncoded ? 0 : Number(announced ?? 0) };
}

/** A part that can be read at once. Addresses are downloaded first, and kept if `keep` says so. */
export async function sourceOf(part: ModelPart, keep: boolean, tell: Tell, signal: AbortSignal | undefined): Promise<ByteSource> {
  if (part instanceof Uint8Array) return bytesSource(part);
  if (part instanceof ArrayBuffer) return bytesSource(new Uint8Array(part));
  if (part instanceof Blob) return blobSource(part);
  const url = new URL(part, globalThis.location?.href ?? "file:///");
  if (url.protocol === "file:") return fileSource(url);
  return blobSource(await explained(part, signal, () => download(url, keep, tell, signal)));
}

/** What goes wrong with an address, said so that it helps. */
async function explained<T>(part: URL | string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    signal?.throwIfAborted();
    if (thrown instanceof TileworkError) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    // A refusal for reasons of origin looks like a network failure to a page.
    const advice = thrown instanceof TypeError ? " (is the address right, and does its server allow pages of other origins?)" : "";
    throw new TileworkError("io", `model: ${part} could not be loaded: ${message}${advice}`, { cause: thrown });
  }
}

function bytesSource(bytes: Uint8Array): ByteSource {
  return { size: bytes.byteLength, read: (offset, out) => out.set(bytes.subarray(offset, offset + out.byteLength)) };
}

interface SyncReader {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

async function blobSource(blob: Blob): Promise<ByteSource> {
  const { FileReaderSync } = globalThis as { FileReaderSync?: new () => SyncReader };
  // Outside of workers nothing reads files at once, so there they are read before.
  if (FileReaderSync === undefined) return bytesSource(new Uint8Array(await blob.arrayBuffer()));
  const reader = new FileReaderSync();
  return {
    size: blob.size,
    read: (offset, out) => out.set(new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + out.byteLength)))),
  };
}

interface NodeFiles {
  openSync(url: URL): number;
  readSync(file: number, out: Uint8Array, at: number, n: number, offset: number): number;
  fstatSync(file: number): { readonly size: number };
  closeSync(file: number): void;
}

function nodeFiles(): NodeFiles {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const files = process?.getBuiltinModule?.("node:fs") as NodeFiles | undefined;
  if (files === undefined) throw new TileworkError("io", "model: pages cannot open files by address; let the user choose one");
  return files;
}

function openFile(url: URL): { files: NodeFiles; file: number } {
  const files = nodeFiles();
  try {
    return { files, file: files.openSync(url) };
  } catch (thrown) {
    throw new TileworkError("io", `model: ${(thrown as Error).message}`, { cause: thrown });
  }
}

function fileHead(url: URL, n: number): PartHead {
  const { files, file } = openFile(url);
  try {
    const sizeBytes = files.fstatSync(file).size;
    const bytes = new Uint8Array(Math.min(n, sizeBytes));
    return { bytes: bytes.subarray(0, files.readSync(file, bytes, 0, bytes.byteLength, 0)), sizeBytes };
  } finally {
    files.closeSync(file);
  }
}

function fileSource(url: URL): ByteSource {
  const { files, file } = openFile(url);
  return {
    size: files.fstatSync(file).size,
    close: () => files.closeSync(file),
    read: (offset, out) => {
      for (let n = 0; n < out.byteLength; ) {
        const nRead = files.readSync(file, out, n, out.byteLength - n, offset + n);
        if (nRead === 0) throw new Error("the file is shorter than it was");
        n += nRead;
      }
    },
  };
}
