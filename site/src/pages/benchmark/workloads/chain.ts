import type { Workload } from "./workload";

export const chain: Workload = {
  id: "chain",
  name: "Element-wise",
  formula: "y = √|tanh(sin(2x + 1) · x − ½) · x + ¼|",
  ops: "core",
  unit: "GB/s",
  work: (n) => 2 * 4 * n * n,
  nInputs: 1,
  outputShape: (n) => [n, n],
  build: ([x]) => x!.mul(2).add(1).sin().mul(x!).sub(0.5).tanh().mul(x!).add(0.25).abs().sqrt(),
  plain: ([x], n) => {
    const y = new Float32Array(n * n);
    for (let i = 0; i < y.length; i++) {
      const value = x![i]!;
      y[i] = Math.sqrt(Math.abs(Math.tanh(Math.sin(2 * value + 1) * value - 0.5) * value + 0.25));
    }
    return y;
  },
  // An error e before the square root becomes sqrt(e) where the argument is near zero; e is a few 2⁻²⁴ there.
  tolerance: () => ({ absolute: 1e-3, relative: 1e-5, why: "1e-5 of the value; near 0 the square root turns 1e-6 into 1e-3" }),
};
