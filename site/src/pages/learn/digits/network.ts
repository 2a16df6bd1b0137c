// The network of lessons 6 to 8 in plain numbers: slow, obvious, in double precision. What the lessons' kernels must agree with.

export const N_PIXELS = 784;
export const N_HIDDEN = 128;
export const N_DIGITS = 10;

/** Weights as PyTorch keeps them: [outputs, inputs], row by row. */
export interface Network {
  readonly w1: Float32Array;
  readonly b1: Float32Array;
  readonly w2: Float32Array;
  readonly b2: Float32Array;
}

export interface Prediction {
  /** [n, 10], row by row. */
  readonly probabilities: Float64Array;
  /** The most likely digit of each image. */
  readonly digits: number[];
}

/** x: [n, 784], row by row. */
export function forward({ w1, b1, w2, b2 }: Network, x: ArrayLike<number>, n: number): Prediction {
  const hidden = dense(x, w1, b1, n, N_PIXELS, N_HIDDEN).map((value) => Math.max(value, 0));
  const scores = dense(hidden, w2, b2, n, N_HIDDEN, N_DIGITS);
  const probabilities = softmaxRows(scores, N_DIGITS);
  const digits = Array.from({ length: n }, (_, row) => argmax(probabilities.subarray(row * N_DIGITS, (row + 1) * N_DIGITS)));
  return { probabilities, digits };
}

/** y[r, o] = b[o] + sum over i of x[r, i] w[o, i]. */
export function dense(x: ArrayLike<number>, w: ArrayLike<number>, b: ArrayLike<number>, nRows: number, nIn: number, nOut: number): Float64Array {
  const y = new Float64Array(nRows * nOut);
  for (let row = 0; row < nRows; row++) {
    for (let out = 0; out < nOut; out++) {
      let sum = b[out] ?? 0;
      for (let i = 0; i < nIn; i++) sum += (x[row * nIn + i] ?? 0) * (w[out * nIn + i] ?? 0);
      y[row * nOut + out] = sum;
    }
  }
  return y;
}

export function softmaxRows(x: ArrayLike<number>, nCols: number): Float64Array {
  const y = Float64Array.from(x);
  for (let first = 0; first < y.length; first += nCols) {
    const row = y.subarray(first, first + nCols);
    const largest = Math.max(...row);
    for (let i = 0; i < row.length; i++) row[i] = Math.exp((row[i] ?? 0) - largest);
    const sum = row.reduce((total, value) => total + value, 0);
    for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) / sum;
  }
  return y;
}

/** The position of the largest; of equals the first. */
export function argmax(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] ?? Number.NaN) > (values[best] ?? Number.NaN)) best = i;
  return best;
}
