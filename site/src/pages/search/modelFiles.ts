// Where the model comes from: this host, or the visitor's disk. It is too large to be part of every build.

/** The files that are needed, and one that helps. */
export const NEEDED = ["config.json", "model.safetensors", "tokenizer.json"] as const;
const HELPFUL = "sentence_bert_config.json";

export type ModelFiles = Record<string, URL | Uint8Array>;

/** The files on this host, if the build was told that it has them. */
export function hostedFiles(): ModelFiles | null {
  if (__MODEL_FOLDER__ === "") return null;
  const folder = new URL(__MODEL_FOLDER__.replace(/\/?$/, "/"), document.baseURI);
  return Object.fromEntries([...NEEDED, HELPFUL].map((name) => [name, new URL(name, folder)]));
}

/** The files among those a visitor chose; throws the names of those that are missing. */
export async function chosenFiles(files: Iterable<File>): Promise<ModelFiles> {
  const byName = new Map([...files].map((file) => [file.name, file]));
  const missing = NEEDED.filter((name) => !byName.has(name));
  if (missing.length > 0) throw new Error(`not among the chosen files: ${missing.join(", ")}`);
  const found: ModelFiles = {};
  for (const name of [...NEEDED, HELPFUL]) {
    const file = byName.get(name);
    if (file !== undefined) found[name] = new Uint8Array(await file.arrayBuffer());
  }
  return found;
}
