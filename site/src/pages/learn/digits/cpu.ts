// The same network by the engine's arrays, in WebAssembly on the CPU.
import { open } from "tilework";
import { argmax, N_DIGITS, N_HIDDEN, N_PIXELS, type Network } from "./network";

export interface CpuAnswer {
  /** [n, 10], row by row. */
  readonly probabilities: Float32Array;
  readonly digits: number[];
  readonly ms: number;
}

/** x: [n, 784], row by row. */
export async function forwardOnCpu({ w1, b1, w2, b2 }: Network, x: Float32Array, n: number): Promise<CpuAnswer> {
  const tw = await open({ device: "cpu", ops: "core", worker: true });
  try {
    const startMs = performance.now();
    const images = tw.array(x, [n, N_PIXELS]);
    // PyTorch keeps weights as [outputs, inputs], so the product needs them transposed.
    const hidden = images.matmul(tw.array(w1, [N_HIDDEN, N_PIXELS]).transpose()).add(tw.array(b1)).relu();
    const scores = hidden.matmul(tw.array(w2, [N_DIGITS, N_HIDDEN]).transpose()).add(tw.array(b2));
    const probabilities = Float32Array.from(await scores.softmax({ axis: -1 }).toArray(), Number);
    // The core operations, which the studio has already loaded, know no argmax; of ten numbers it is quickly found.
    const digits = Array.from({ length: n }, (_, row) => argmax(probabilities.subarray(row * N_DIGITS, (row + 1) * N_DIGITS)));
    return { probabilities, digits, ms: performance.now() - startMs };
  } finally {
    tw.dispose();
  }
}
