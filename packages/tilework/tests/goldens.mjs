// Goldens that NumPy made (testdata/numpy), run through the package; crates/tilework/tests/numpy/golden.rs tells how they are written. Works
// in Node.js and on a page.

const TYPES = {
  bool: Uint8Array, int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
  float32: Float32Array, float64: Float64Array, complex64: Float32Array, complex128: Float64Array,
};

/** The cases of a file. Integers that are no numbers of JavaScript become text, which everything below takes, too. */
export function parse(text) {
  return JSON.parse(text.replace(/(?<=[[,])-?\d{16,}(?=[,\]])/g, '"$&"'));
}

/** Runs a case on an open device; undefined if it is right, else what is wrong. */
export async function check(tw, golden) {
  const made = [];
  try {
    const inputs = golden.inputs.map((input) => (typeof input === "object" ? arrayOf(tw, input, made) : input));
    const results = await tw.callLater(golden.call, inputs, attrsOf(golden.attrs));
    made.push(...results);
    if (golden.error !== undefined) {
      // A mistake may only show when the results are computed.
      await Promise.all(results.map((result) => result.toArray()));
      return `no error, but ${golden.error} was expected`;
    }
    if (results.length !== golden.outputs.length) return `${results.length} results instead of ${golden.outputs.length}`;
    for (const [k, result] of results.entries()) {
      const wrong = await difference(golden, result, golden.outputs[k]);
      if (wrong !== undefined) return wrong;
    }
  } catch (error) {
    if (golden.error === undefined) return String(error);
    // Where memory has 32-bit addresses, what is too large for an array is more than there is memory for, first.
    const isSame = error.code === golden.error || (golden.error === "too_large" && error.code === "out_of_memory");
    return isSame ? undefined : `an error of kind ${error.code} instead of ${golden.error}: ${error.message}`;
  } finally {
    for (const array of made) array.dispose();
  }
}

/** A case in words. */
export function title({ call, inputs, attrs }) {
  const words = inputs.map((input) => (typeof input === "object" ? `${input.dtype}[${input.shape}]` : input));
  return `${call}(${words.join(", ")}) ${JSON.stringify(attrs ?? {})}`;
}

function attrsOf(attrs = {}) {
  const numbers = (value) => (Array.isArray(value) ? value.map(Number) : value);
  return Object.fromEntries(Object.entries(attrs).map(([name, value]) => [name, numbers(value)]));
}

function arrayOf(tw, { dtype, shape, data, views = [] }, made) {
  // JavaScript writes no halves; the engine rounds to them.
  const isHalf = dtype === "float16" || dtype === "bfloat16";
  const Storage = isHalf ? Float32Array : TYPES[dtype];
  const isBig = Storage === BigInt64Array || Storage === BigUint64Array;
  const elements = Storage.from(data, isBig ? (x) => BigInt(x) : numberOf);
  let array = tw.array(elements, { shape, dtype: isHalf ? "float32" : dtype });
  made.push(array);
  const steps = isHalf ? [["cast", { dtype }], ...views] : views;
  for (const [name, attrs] of steps) {
    array = tw.call(name, [array], attrs);
    made.push(array);
  }
  return array;
}

function numberOf(value) {
  if (typeof value !== "string") return Number(value);
  return { nan: NaN, inf: Infinity, "-inf": -Infinity, "-0": -0 }[value] ?? Number(value);
}

async function difference(golden, result, want) {
  const is = `${result.dtype}[${result.shape}]`;
  const should = `${want.dtype}[${want.shape}]`;
  if (is !== should) return `${is} instead of ${should}`;
  const isHalf = result.dtype === "float16" || result.dtype === "bfloat16";
  const read = [...(await (isHalf ? result.cast("float32") : result).toArray())];
  if (typeof read[0] === "bigint") {
    return want.data.every((value, i) => BigInt(value) === read[i]) ? undefined : `[${read}] instead of [${want.data}]`;
  }
  const got = read.map(Number);
  const wanted = want.data.map(numberOf);
  if (got.length !== wanted.length) return `${got.length} numbers instead of ${wanted.length}`;
  const largest = wanted.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 1);
  const room = roomOf(golden, result.dtype) * largest;
  for (const [i, w] of wanted.entries()) {
    const g = got[i];
    const isSame = g === w || (Number.isNaN(g) && Number.isNaN(w)) || Math.abs(g - w) <= room;
    const losesSign = golden.signed_zeros === true && Object.is(w, -0) && Object.is(g, 0);
    if (!isSame || losesSign) return `element ${i} is ${g} instead of ${w} ([${got}] for [${wanted}])`;
  }
}

function roomOf(golden, dtype) {
  const isDouble = dtype === "float64" || dtype === "complex128";
  if (!isDouble && !/float|complex/.test(dtype)) return 0;
  return Math.max(golden.tolerance ?? (isDouble ? 1e-12 : 2e-6), isDouble ? 0 : 1e-6);
}
