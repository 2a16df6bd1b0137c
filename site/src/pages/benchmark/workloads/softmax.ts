import type { Workload } from "./workload";

export const softmax: Workload = {
  id: "softmax",
  name: "Softmax",
  formula: "y[r, c] = exp(x[r, c] − max) / Σ exp(…)",
  ops: "core",
  unit: "GB/s",
  work: (n) => 2 * 4 * n * n,
  nInputs: 1,
  outputShape: (n) => [n, n],
  build: ([x]) => x!.softmax({ axis: 1 }),
  plain: ([x], n) => {
    const y = new Float32Array(n * n);
    for (let start = 0; start < y.length; start += n) {
      let largest = -Infinity;
      for (let i = start; i < start + n; i++) largest = Math.max(largest, x![i]!);
      let total = 0;
      for (let i = start; i < start + n; i++) total += y[i] = Math.exp(x![i]! - largest);
      for (let i = start; i < start + n; i++) y[i] = y[i]! / total;
    }
    return y;
  },
  tolerance: () => ({ absolute: 1e-12, relative: 1e-5, why: "1e-5 of the value: an exponential, a sum and a quotient in 32 bits" }),
};
