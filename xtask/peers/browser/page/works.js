// What is measured: inputs, and each result by plain loops in double precision.

/** Added to the variance by the layer norm. */
export const EPSILON = 1e-5;
/** The chain is sqrt(tanh(exp(|x|·SCALE + SHIFT))): six operations, and no result near the steep end of the root. */
export const SCALE = -2;
export const SHIFT = 0.5;

/** A multiplicative hash of the position, between -1 and 1; `salt` gives another sequence. */
function values(n, salt = 0) {
  return Float32Array.from({ length: n }, (_, i) => (Math.imul(i + salt, 2_654_435_761) >>> 0) / (2 ** 32 - 1) * 2 - 1);
}

function matmulReference({ a, b }, n) {
  const result = new Float64Array(n * n);
  for (let row = 0; row < n; row++) {
    for (let k = 0; k < n; k++) {
      const left = a[row * n + k];
      for (let column = 0; column < n; column++) result[row * n + column] += left * b[k * n + column];
    }
  }
  return result;
}

/** `normalize` maps one row to its result. */
function byRows(x, n, normalize) {
  const result = new Float64Array(x.length);
  for (let start = 0; start < x.length; start += n) result.set(normalize(Float64Array.from(x.subarray(start, start + n))), start);
  return result;
}

const sum = (row) => row.reduce((total, value) => total + value, 0);

function softmaxRow(row) {
  const largest = row.reduce((most, value) => Math.max(most, value), -Infinity);
  const powers = row.map((value) => Math.exp(value - largest));
  const total = sum(powers);
  return powers.map((power) => power / total);
}

function layerNormRow(row, { weight, bias }) {
  const mean = sum(row) / row.length;
  const variance = sum(row.map((value) => (value - mean) ** 2)) / row.length;
  return row.map((value, i) => ((value - mean) / Math.sqrt(variance + EPSILON)) * weight[i] + bias[i]);
}

const matmul = (n) => ({
  op: "matmul",
  title: `matmul ${n}×${n}×${n}`,
  shapes: { a: [n, n], b: [n, n] },
  shape: [n, n],
  nOperations: 2 * n ** 3,
  // The salt breaks the symmetry of a matrix with itself.
  inputs: () => ({ a: values(n * n), b: values(n * n, 12_345) }),
  reference: (inputs) => matmulReference(inputs, n),
});

const softmax = (n) => ({
  op: "softmax",
  title: `softmax of ${n} rows of ${n}`,
  shapes: { x: [n, n] },
  shape: [n, n],
  inputs: () => ({ x: values(n * n) }),
  reference: ({ x }) => byRows(x, n, softmaxRow),
});

const layerNorm = (n) => ({
  op: "layerNorm",
  title: `layer norm of ${n} rows of ${n}`,
  shapes: { x: [n, n], weight: [n], bias: [n] },
  shape: [n, n],
  inputs: () => ({ x: values(n * n), weight: values(n, 1), bias: values(n, 2) }),
  reference: ({ x, ...affine }) => byRows(x, n, (row) => layerNormRow(row, affine)),
});

const chain = (n) => ({
  op: "chain",
  title: `chain of six, ${n} elements`,
  shapes: { x: [n] },
  shape: [n],
  inputs: () => ({ x: values(n) }),
  reference: ({ x }) => Float64Array.from(x, (value) => Math.sqrt(Math.tanh(Math.exp(Math.abs(value) * SCALE + SHIFT)))),
});

/** Until the library has the result, wherever it keeps it. */
const kept = (work) => ({ ...work, kept: true });
/** Until the result is a Float32Array of JavaScript. */
const read = (work) => ({ ...work, title: `${work.title}, read`, kept: false });

/** The works of each part. Fresh memory for a result that is read can cost more than computing it, so the CPU has both. */
export const WORKS = {
  cpu: [matmul(1024), softmax(512), layerNorm(512), chain(2 ** 20)].flatMap((work) => [kept(work), read(work)]),
  gpu: [matmul(256), matmul(512), matmul(1024)].map(kept),
};
