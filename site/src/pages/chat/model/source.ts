// Where a model comes from: the visitor's disk, an address, or the host of the studio. Large models are split into several files.
import type { ModelSource } from "tilework/llm";

export interface Source {
  /** What it is called before its head was read. */
  readonly name: string;
  readonly parts: ModelSource;
  /** The address it comes from; null for files of the visitor. */
  readonly address: URL | null;
}

/** "model-00002-of-00003.gguf". */
export const PART = /-(\d{5})-of-(\d{5})\.gguf$/i;

/** The files a visitor chose, in order; throws what is wrong with them. */
export function fromFiles(files: readonly File[]): Source {
  const sorted = [...files].sort((a, b) => a.name.localeCompare(b.name));
  const [first] = sorted;
  if (first === undefined) throw new Error("no file was chosen");
  const other = sorted.find((file) => !/\.gguf$/i.test(file.name));
  if (other !== undefined) throw new Error(`${other.name} is not a GGUF file; models for this page end in .gguf`);
  const n = Number(PART.exec(first.name)?.[2] ?? 1);
  if (sorted.length !== n) {
    throw new Error(n === 1 ? "several models were chosen; choose one, or all parts of a split one" : `${first.name} is one of ${n} parts, and ${sorted.length} ${sorted.length === 1 ? "was" : "were"} chosen; choose all of them together`);
  }
  return { name: first.name, parts: sorted.length === 1 ? first : sorted, address: null };
}

/** An address that was pasted; throws what is wrong with it. The first part of a split model stands for all. */
export function fromAddress(text: string, base: string): Source {
  let url: URL;
  try {
    url = new URL(text.trim(), base);
  } catch {
    throw new Error("this is not an address");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new Error("an address starts with https://");
  // The page about a file is not the file.
  if (url.hostname === "huggingface.co") url.pathname = url.pathname.replace(/^(\/[^/]+\/[^/]+)\/blob\//, "$1/resolve/");
  if (!/\.gguf$/i.test(url.pathname)) throw new Error("the address does not end in .gguf");
  const parts = partsOf(url);
  return { name: decodeURIComponent(url.pathname.split("/").at(-1) ?? url.href), parts: parts.length === 1 ? url : parts, address: url };
}

/** All parts of a split model, from the address of one. */
export function partsOf(url: URL): URL[] {
  const found = PART.exec(url.pathname);
  const n = Number(found?.[2] ?? 1);
  if (found === null || n < 2 || n > 999) return [url];
  return Array.from({ length: n }, (_, i) => {
    const part = new URL(url);
    part.pathname = url.pathname.replace(PART, `-${String(i + 1).padStart(5, "0")}-of-${found[2]}.gguf`);
    return part;
  });
}

/** The model on this host, if the build was told of one. */
export function hostedSource(): Source | null {
  return __CHAT_MODEL__ === "" ? null : fromAddress(__CHAT_MODEL__, document.baseURI);
}

/** Whether the browser lets pages ask for it only if its host agrees. */
export function isElsewhere(source: Source, origin: string): boolean {
  return source.address !== null && source.address.origin !== origin;
}
