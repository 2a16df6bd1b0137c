// Downloads, kept in the browser's private file system (OPFS) so that a model is fetched once.
//
// Every download is two files there: the bytes, and a note of JSON with its address, which says "whole" only once all bytes are
// written. What is not whole goes on where it stopped, if the server still has the same file. Without such a file system
// (private windows, pages without https), a download is a Blob that lives as long as its model.

import { TileworkError } from "../errors.js";
import type { StoredModel } from "./types.js";

const FOLDER = "tilework-models";
const NOTE = ".json";

/** What is known about a download. */
interface Note {
  readonly url: string;
  readonly name: string;
  /** What the server calls this version of the file; empty if it does not say. */
  readonly version: string;
  readonly sizeBytes: number;
  readonly savedAtMs: number;
  readonly isWhole: boolean;
}

/** A file that is written in place; only workers have it. */
interface WritableInPlace {
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(n: number): void;
  flush(): void;
  close(): void;
}

type Tell = (loadedBytes: number, totalBytes: number) => void;

/** The models that are kept. */
export async function storedModels(): Promise<StoredModel[]> {
  const folder = await openFolder();
  if (folder === undefined) return [];
  const notes: Note[] = [];
  for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) {
    const note = name.endsWith(NOTE) ? await readNote(folder, name) : undefined;
    if (note?.isWhole) notes.push(note);
  }
  const models = notes.map(({ url, name, sizeBytes, savedAtMs }) => ({ url, name, sizeBytes, savedAt: new Date(savedAtMs) }));
  return models.sort((a, b) => b.savedAt.getTime() - a.savedAt.getTime());
}

/** Removes a model that is kept, or what there is of it. */
export async function removeStoredModel(url: URL | string): Promise<void> {
  const folder = await openFolder();
  const key = await keyOf(new URL(url, globalThis.location?.href).href);
  for (const name of [key, key + NOTE]) await folder?.removeEntry(name).catch(() => {});
}

/** The file at an address, if all of it is kept. */
export async function keptFile(url: URL): Promise<Blob | undefined> {
  const folder = await openFolder();
  if (folder === undefined) return undefined;
  const key = await keyOf(url.href);
  const note = await readNote(folder, key + NOTE);
  if (!note?.isWhole) return undefined;
  const kept = await folder.getFileHandle(key).then((file) => file.getFile()).catch(() => undefined);
  return kept?.size === note.sizeBytes ? kept : undefined;
}

/** The file at an address: the one that is kept, or downloaded now. */
export async function download(url: URL, keep: boolean, tell: Tell, signal: AbortSignal | undefined): Promise<Blob> {
  const folder = keep ? await openFolder() : undefined;
  if (folder === undefined || !canWriteInPlace()) return downloadBlob(url, tell, signal);
  const kept = await keptFile(url);
  if (kept !== undefined) {
    tell(kept.size, kept.size);
    return kept;
  }
  const key = await keyOf(url.href);
  const note = await readNote(folder, key + NOTE);
  const file = await folder.getFileHandle(key, { create: true });
  await downloadTo({ folder, key, file, note }, url, tell, signal);
  return file.getFile();
}

interface Place {
  readonly folder: FileSystemDirectoryHandle;
  readonly key: string;
  readonly file: FileSystemFileHandle;
  readonly note: Note | undefined;
}

async function downloadTo({ folder, key, file, note }: Place, url: URL, tell: Tell, signal: AbortSignal | undefined): Promise<void> {
  const nKept = note?.version ? (await file.getFile()).size : 0;
  // Only if it is still the same file; otherwise the server sends all of it.
  const resume = nKept > 0 ? { headers: { Range: `bytes=${nKept}-`, "If-Range": note?.version ?? "" } } : {};
  const response = await fetch(url, { ...resume, ...(signal ? { signal } : {}) });
  if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`.trim());
  let at = response.status === 206 ? nKept : 0;
  const announced = response.headers.has("content-encoding") ? 0 : Number(response.headers.get("content-length") ?? 0);
  const totalBytes = announced > 0 ? at + announced : 0;
  await refuseIfFull(totalBytes - at);
  const known = { url: url.href, name: decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf("/") + 1)), savedAtMs: Date.now() };
  const version = strongVersion(response.headers);
  await writeNote(folder, key, { ...known, version, sizeBytes: totalBytes, isWhole: false });
  const out = await openInPlace(file);
  try {
    out.truncate(at);
    const reader = response.body?.getReader();
    tell(at, totalBytes);
    for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
      at += out.write(next.value, { at });
      tell(at, totalBytes);
    }
    out.flush();
  } catch (thrown) {
    if ((thrown as Error).name === "QuotaExceededError") throw full(totalBytes);
    throw thrown;
  } finally {
    out.close();
  }
  if (totalBytes > 0 && at !== totalBytes) throw new Error(`it ended after ${at} of ${totalBytes} bytes; try again to go on from there`);
  await writeNote(folder, key, { ...known, version, sizeBytes: at, isWhole: true });
}

/** A name for this very file; weak ones do not promise the same bytes. */
function strongVersion(headers: Headers): string {
  const tag = headers.get("etag") ?? "";
  return tag.startsWith("W/") ? "" : tag;
}

async function downloadBlob(url: URL, tell: Tell, signal: AbortSignal | undefined): Promise<Blob> {
  const response = await fetch(url, signal ? { signal } : {});
  if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`.trim());
  const totalBytes = response.headers.has("content-encoding") ? 0 : Number(response.headers.get("content-length") ?? 0);
  const parts: Blob[] = [];
  let n = 0;
  const reader = response.body?.getReader();
  tell(0, totalBytes);
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    // A Blob may lie on disk, an array may not.
    parts.push(new Blob([next.value]));
    n += next.value.byteLength;
    tell(n, totalBytes);
  }
  return new Blob(parts);
}

async function refuseIfFull(nBytes: number): Promise<void> {
  const { quota, usage } = (await globalThis.navigator?.storage?.estimate?.().catch(() => undefined)) ?? {};
  if (quota !== undefined && usage !== undefined && nBytes > quota - usage) throw full(nBytes);
}

function full(nBytes: number): TileworkError {
  const size = nBytes > 0 ? `${(nBytes / 1e6).toFixed(0)} MB` : "the model";
  return new TileworkError("io", `model: the browser has no room to keep ${size}; remove stored models, or open it with \`keep: false\``);
}

async function openFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    const root = await globalThis.navigator?.storage?.getDirectory?.();
    return await root?.getDirectoryHandle(FOLDER, { create: true });
  } catch {
    // Refused in private windows of some browsers, and for pages without https.
    return undefined;
  }
}

function canWriteInPlace(): boolean {
  const { FileSystemFileHandle: Handle } = globalThis as { FileSystemFileHandle?: { prototype: object } };
  return Handle !== undefined && "createSyncAccessHandle" in Handle.prototype;
}

async function openInPlace(file: FileSystemFileHandle): Promise<WritableInPlace> {
  try {
    return await (file as unknown as { createSyncAccessHandle(): Promise<WritableInPlace> }).createSyncAccessHandle();
  } catch (thrown) {
    throw new TileworkError("io", "model: another tab is downloading this model; wait for it, or open it with `keep: false`", { cause: thrown });
  }
}

async function readNote(folder: FileSystemDirectoryHandle, name: string): Promise<Note | undefined> {
  try {
    const file = await (await folder.getFileHandle(name)).getFile();
    const note = JSON.parse(await file.text()) as Note;
    return typeof note.url === "string" ? note : undefined;
  } catch {
    // There is none, or the browser was closed while it was written.
    return undefined;
  }
}

async function writeNote(folder: FileSystemDirectoryHandle, key: string, note: Note): Promise<void> {
  const out = await openInPlace(await folder.getFileHandle(key + NOTE, { create: true }));
  try {
    out.truncate(0);
    out.write(new TextEncoder().encode(JSON.stringify(note)), { at: 0 });
    out.flush();
  } finally {
    out.close();
  }
}

/** A file name for an address. */
async function keyOf(url: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(url));
  return Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
