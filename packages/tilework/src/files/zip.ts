// The part of zip archives that `.npz` files use: stored and deflated files. Format: APPNOTE.TXT 6.3.
//
// Only the central directory at the end of an archive is believed. Deflating is the browser's own.

import { joined } from "./content.js";

const LOCAL_FILE = 0x04034b50;
const CENTRAL_ENTRY = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const DEFLATED = 8;
/** The first of January 1980, as zip has dates. */
const DATE = 0x0021;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const VERSION = 20;

/** One file of an archive. */
export interface Entry {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly storedBytes: number;
  readonly sizeBytes: number;
  /** Where its local header is. */
  readonly start: number;
}

/** The files of an archive; undefined if it is damaged. Together they are no larger than the archive, so that none can be in it twice. */
export function directory(bytes: Uint8Array): Entry[] | undefined {
  const view = viewOf(bytes);
  let end = bytes.length - END_BYTES;
  const first = Math.max(0, end - MAX_COMMENT_BYTES);
  while (end >= first && view.getUint32(end, true) !== END_OF_DIRECTORY) end -= 1;
  if (end < first) return undefined;
  const entries: Entry[] = [];
  let [at, total] = [view.getUint32(end + 16, true), 0];
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL_ENTRY) return undefined;
    const nameBytes = view.getUint16(at + 28, true);
    const entry = entryAt(bytes, view, at, nameBytes);
    total += entry.storedBytes;
    if ((entry.method !== 0 && entry.method !== DEFLATED) || total > bytes.length) return undefined;
    entries.push(entry);
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function entryAt(bytes: Uint8Array, view: DataView, at: number, nameBytes: number): Entry {
  return {
    name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameBytes)),
    method: view.getUint16(at + 10, true),
    checksum: view.getUint32(at + 16, true),
    storedBytes: view.getUint32(at + 20, true),
    sizeBytes: view.getUint32(at + 24, true),
    start: view.getUint32(at + 42, true),
  };
}

/** What is in a file of an archive; undefined if it is not what the directory says. */
export async function contentOf(bytes: Uint8Array, entry: Entry): Promise<Uint8Array | undefined> {
  const view = viewOf(bytes);
  const { start, storedBytes, sizeBytes } = entry;
  if (start + 30 > bytes.length || view.getUint32(start, true) !== LOCAL_FILE) return undefined;
  const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
  if (from + storedBytes > bytes.length) return undefined;
  const stored = bytes.subarray(from, from + storedBytes);
  const content = entry.method === DEFLATED ? await inflated(stored, sizeBytes) : stored;
  return content?.length === sizeBytes && checksum(content) === entry.checksum ? content : undefined;
}

/** Inflates at most `limitBytes`: an archive that says less than it holds is not followed any further. */
async function inflated(stored: Uint8Array, limitBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let left = limitBytes;
  try {
    const stream = new Blob([stored as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const reader = stream.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      left -= next.value.byteLength;
      if (left < 0) {
        await reader.cancel();
        return undefined;
      }
      parts.push(next.value);
    }
  } catch {
    return undefined;
  }
  return joined(parts);
}

/** Deflated as zip wants it, without a frame of its own. */
async function deflated(content: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([content as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** An archive of these files; undefined if it becomes too large for its format. */
export async function archiveOf(
  files: readonly (readonly [name: string, content: Uint8Array])[],
  options: { readonly compress: boolean },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [parts, entries]: [Uint8Array[], Uint8Array[]] = [[], []];
  let at = 0;
  for (const [name, content] of files) {
    const named = new TextEncoder().encode(name);
    const stored = options.compress ? await deflated(content) : content;
    // Version, flags, method, time, date; checksum and sizes; length of the name and of nothing more.
    const common = joined([
      words16(VERSION, FLAGS, options.compress ? DEFLATED : 0, 0, DATE),
      words32(checksum(content), stored.length, content.length),
      words16(named.length, 0),
    ]);
    const local = [words32(LOCAL_FILE), common, named, stored];
    // No comment, first disk, no attributes.
    entries.push(words32(CENTRAL_ENTRY), words16(VERSION), common, new Uint8Array(10), words32(at), named);
    parts.push(...local);
    at += local.reduce((sum, part) => sum + part.length, 0);
    if (at > 0xffff_ffff || named.length > 0xffff) return undefined;
  }
  const listed = joined(entries);
  if (files.length > 0xffff || at + listed.length > 0xffff_ffff) return undefined;
  const end = [words32(END_OF_DIRECTORY, 0), words16(files.length, files.length), words32(listed.length, at), words16(0)];
  return joined([...parts, listed, ...end]);
}

function words16(...words: number[]): Uint8Array {
  return new Uint8Array(Uint16Array.from(words).buffer);
}

function words32(...words: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(words).buffer);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The cyclic redundancy check of zip, by bytes: the polynomial 0x04C11DB7, bits reversed. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let word = byte;
  for (let bit = 0; bit < 8; bit += 1) word = (word & 1) === 1 ? (word >>> 1) ^ 0xedb88320 : word >>> 1;
  return word;
});

function checksum(bytes: Uint8Array): number {
  let sum = 0xffff_ffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ (TABLE[(sum ^ byte) & 255] as number);
  return (sum ^ 0xffff_ffff) >>> 0;
}
