import { EPSILON, type Workload } from "./workload";

const OPERATIONS_PER_POINT = 2.5;

/** Real and imaginary parts in turn. */
type Spectrum = Float64Array;

/** The transform of `length` complex numbers, `stride` apart from `start` on: by halves as long as it is even, else by its definition. */
function transform(x: Spectrum, start: number, stride: number, length: number): Spectrum {
  return length % 2 === 0 ? byHalves(x, start, stride, length / 2) : byDefinition(x, start, stride, length);
}

function byHalves(x: Spectrum, start: number, stride: number, half: number): Spectrum {
  const even = transform(x, start, 2 * stride, half);
  const odd = transform(x, start + stride, 2 * stride, half);
  const y = new Float64Array(4 * half);
  for (let k = 0; k < half; k++) {
    const angle = (-Math.PI * k) / half;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const re = odd[2 * k]! * cos - odd[2 * k + 1]! * sin;
    const im = odd[2 * k]! * sin + odd[2 * k + 1]! * cos;
    y[2 * k] = even[2 * k]! + re;
    y[2 * k + 1] = even[2 * k + 1]! + im;
    y[2 * (k + half)] = even[2 * k]! - re;
    y[2 * (k + half) + 1] = even[2 * k + 1]! - im;
  }
  return y;
}

function byDefinition(x: Spectrum, start: number, stride: number, length: number): Spectrum {
  const y = new Float64Array(2 * length);
  for (let k = 0; k < length; k++) {
    for (let j = 0; j < length; j++) {
      const angle = (-2 * Math.PI * ((j * k) % length)) / length;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const at = 2 * (start + j * stride);
      y[2 * k]! += x[at]! * cos - x[at + 1]! * sin;
      y[2 * k + 1]! += x[at]! * sin + x[at + 1]! * cos;
    }
  }
  return y;
}

export const fft: Workload = {
  id: "fft",
  name: "Fourier",
  formula: "y[r, k] = Σ x[r, j] · exp(−2πi jk / n), k ≤ n/2",
  unit: "GFLOP/s",
  ops: "all",
  work: (n) => OPERATIONS_PER_POINT * n * n * Math.max(1, Math.log2(n)),
  nInputs: 1,
  outputShape: (n) => [n, Math.floor(n / 2) + 1, 2],
  // Complex numbers are read as pairs of their parts.
  build: ([x]) => x!.rfft({ axis: 1 }),
  plain: ([x], n) => {
    const nKept = 2 * (Math.floor(n / 2) + 1);
    const y = new Float32Array(n * nKept);
    for (let row = 0; row < n; row++) {
      const complex = new Float64Array(2 * n);
      for (let j = 0; j < n; j++) complex[2 * j] = x![row * n + j]!;
      y.set(transform(complex, 0, 1, n).subarray(0, nKept), row * nKept);
    }
    return y;
  },
  // A coefficient of n numbers in [-1, 1] is about sqrt(n/3), and each of the log2(n) stages rounds by an epsilon of that; the
  // largest of all lies a few times higher, and both sides round.
  tolerance: (n) => ({
    absolute: 8 * Math.max(1, Math.log2(n)) * Math.sqrt(n) * EPSILON,
    relative: 0,
    why: "8 · log₂(n) · √n · 2⁻²³: rounding of log₂(n) stages in 32 bits, on both sides",
  }),
};
