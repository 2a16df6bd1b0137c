import { EPSILON, type Workload } from "./workload";

export const matmul: Workload = {
  id: "matmul",
  name: "Matrix product",
  formula: "y = a · b",
  ops: "core",
  unit: "GFLOP/s",
  work: (n) => 2 * n ** 3,
  nInputs: 2,
  outputShape: (n) => [n, n],
  build: ([a, b]) => a!.matmul(b!),
  plain: ([a, b], n) => {
    const y = new Float32Array(n * n);
    for (let row = 0; row < n; row++) {
      for (let col = 0; col < n; col++) {
        let sum = 0;
        for (let k = 0; k < n; k++) sum += a![row * n + k]! * b![k * n + col]!;
        y[row * n + col] = sum;
      }
    }
    return y;
  },
  // Entries are uniform in [-1, 1], so a partial sum of j terms is about sqrt(j)/3 and each addition rounds by half an epsilon
  // of that. Summed as a random walk this gives about 0.12 n epsilon; the largest of n² elements lies at most six times higher,
  // and both sides round.
  tolerance: (n) => ({ absolute: 2 * n * EPSILON, relative: 0, why: "2 · n · 2⁻²³: rounding of n additions in 32 bits, on both sides" }),
};
