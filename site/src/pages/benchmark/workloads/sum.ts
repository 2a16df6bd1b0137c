import { EPSILON, type Workload } from "./workload";

export const sum: Workload = {
  id: "sum",
  name: "Reduction",
  formula: "y[r] = Σ x[r, c] over c",
  ops: "core",
  unit: "GB/s",
  work: (n) => 4 * (n * n + n),
  nInputs: 1,
  outputShape: (n) => [n],
  build: ([x]) => x!.sum({ axis: 1 }),
  plain: ([x], n) => {
    const y = new Float32Array(n);
    for (let row = 0; row < n; row++) {
      let total = 0;
      for (let col = 0; col < n; col++) total += x![row * n + col]!;
      y[row] = total;
    }
    return y;
  },
  // As for the matrix product: a random walk of n roundings.
  tolerance: (n) => ({ absolute: 2 * n * EPSILON, relative: 0, why: "2 · n · 2⁻²³: rounding of n additions in 32 bits, on both sides" }),
};
