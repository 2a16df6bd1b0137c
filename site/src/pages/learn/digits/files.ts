// The files of lessons 7 and 8, loaded once when one of them is opened.
import weightsUrl from "../../../../../models/digits_mlp.safetensors?url";
import { N_PIXELS, type Network } from "./network";
import { readSafetensors } from "./safetensors";

export interface DigitImages {
  readonly n: number;
  /** One per image. */
  readonly labels: Uint8Array;
  /** [n, 784], 0 to 255. */
  readonly pixels: Uint8Array;
}

async function fetchFile(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the server answered ${response.status}`);
  return response.arrayBuffer();
}

/** Remembers what arrived, and forgets a failure, so that trying again means something. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

export const loadWeights = once(() => fetchFile(weightsUrl));

export const loadImages = once(async () => readImages(await fetchFile(`${import.meta.env.BASE_URL}learn/images.bin`)));

/** The number of images as u32, a byte per label, 784 bytes per image: see scripts/digit_images.mjs. */
export function readImages(file: ArrayBuffer): DigitImages {
  const n = file.byteLength < 4 ? 0 : new DataView(file).getUint32(0, true);
  if (n === 0 || file.byteLength !== 4 + n * (1 + N_PIXELS)) throw new Error("the file of images has an unexpected length");
  return { n, labels: new Uint8Array(file, 4, n), pixels: new Uint8Array(file, 4 + n) };
}

export function networkOf(file: ArrayBuffer): Network {
  const tensors = readSafetensors(file);
  const get = (name: string) => {
    const tensor = tensors.get(name);
    if (tensor === undefined) throw new Error(`the weights have no ${name}`);
    return tensor.values;
  };
  return { w1: get("fc1.weight"), b1: get("fc1.bias"), w2: get("fc2.weight"), b2: get("fc2.bias") };
}
