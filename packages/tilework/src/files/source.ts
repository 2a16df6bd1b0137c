// Where the bytes of a file come from.

import { TileworkError } from "../errors.js";
import { readLocalFile } from "../local_file.js";

/** Bytes, a file that a visitor chose, an answer of a server, or an address to fetch (in Node.js also one of a file). */
export type FileSource = ArrayBuffer | ArrayBufferView | Blob | Response | URL;

/** All bytes of a file. */
export async function bytesOf(what: string, source: FileSource): Promise<Uint8Array> {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  try {
    if (source instanceof Blob) return new Uint8Array(await source.arrayBuffer());
    if (source instanceof URL && source.protocol === "file:") return await localFile(source);
    if (source instanceof URL || source instanceof Response) return await answered(source instanceof URL ? await fetch(source) : source);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new TileworkError("io", `${what}: the file could not be read: ${message}`, { cause: thrown });
  }
  throw new TileworkError("argument", `${what}: takes bytes, a Blob, a Response or a URL`);
}

async function answered(response: Response): Promise<Uint8Array> {
  if (!response.ok) throw new Error(`${response.url} answers ${response.status} ${response.statusText}`.trim());
  return new Uint8Array(await response.arrayBuffer());
}

async function localFile(url: URL): Promise<Uint8Array> {
  const bytes = await readLocalFile(url);
  if (bytes === undefined) throw new Error("only Node.js reads files by address; pass a Blob");
  return bytes;
}
