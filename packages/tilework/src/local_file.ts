// Files by address, where there are any.

/** The bytes of a file in Node.js, whose `fetch` does not read files; undefined elsewhere. Asked for in a way that leaves bundlers alone. */
export async function readLocalFile(url: URL): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const files = process?.getBuiltinModule?.("node:fs/promises") as { readFile(url: URL): Promise<Uint8Array<ArrayBuffer>> } | undefined;
  return files?.readFile(url);
}
