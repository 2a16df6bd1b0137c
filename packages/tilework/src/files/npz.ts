// `.npz`: a zip archive of `.npy` files, as `numpy.savez` and `numpy.savez_compressed` write it.

import { type Content, damaged } from "./content.js";
import { readNpy, writeNpy } from "./npy.js";
import { archiveOf, contentOf, directory } from "./zip.js";

/** How an archive is written. */
export interface NpzOptions {
  /** Deflate the arrays, as `savez_compressed` does; false unless told. */
  readonly compress?: boolean;
}

/** The arrays of an archive by name, without `.npy`, in its order. */
export async function readNpz(bytes: Uint8Array): Promise<Map<string, Content>> {
  const broken = (): Error => damaged("loadNpz", "the .npz archive is damaged or cut off");
  const entries = directory(bytes);
  if (entries === undefined) throw broken();
  const arrays = new Map<string, Content>();
  for (const entry of entries) {
    const npy = await contentOf(bytes, entry);
    if (npy === undefined) throw broken();
    const name = entry.name.replace(/\.npy$/, "");
    arrays.set(name, readNpy(npy, `loadNpz: ${name}`));
  }
  return arrays;
}

/** An archive of these arrays. */
export async function writeNpz(arrays: ReadonlyMap<string, Content>, { compress = false }: NpzOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const files = [...arrays].map(([name, content]) => [`${name}.npy`, writeNpy(content, `toNpz: ${name}`)] as const);
  const archive = await archiveOf(files, { compress });
  if (archive === undefined) throw damaged("toNpz", "an archive holds 65535 arrays and 4 GB at most");
  return archive;
}
