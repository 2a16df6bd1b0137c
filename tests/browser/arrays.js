// Arrays as JavaScript sees them, with results known in advance: what users type, not what the conformance cases reach.
//
// Each test gets an open engine and throws if something is wrong. `testArrays` returns how many passed.

const floats = (values, shape) => (engine) => engine.array(new Float32Array(values), shape, "float32");
const integers = (values, shape) => (engine) => engine.array(new Int32Array(values), shape, "int32");

const TESTS = {
  "a row is broadcast over a matrix": async (engine) => {
    const matrix = floats([1, 2, 3, 4, 5, 6], [2, 3])(engine);
    const row = floats([10, 20, 30], [3])(engine);
    const sum = engine.call("add", [matrix, row], {});
    equal(sum.shape(), [2, 3]);
    equal(await sum.toArray(), [11, 22, 33, 14, 25, 36]);
    // Neither operand is used up.
    equal(await engine.call("add", [row, row], {}).toArray(), [20, 40, 60]);
    equal(await engine.call("add", [row, 0.5], {}).toArray(), [10.5, 20.5, 30.5]);
  },

  "matmul [2, 3] · [3, 4]": async (engine) => {
    const a = floats([1, 2, 3, 4, 5, 6], [2, 3])(engine);
    const b = floats([1, 0, 2, 0, 0, 1, 0, 2, 1, 1, 1, 1], [3, 4])(engine);
    const product = engine.call("matmul", [a, b], {});
    equal(product.shape(), [2, 4]);
    equal(await product.toArray(), [4, 5, 5, 7, 10, 11, 14, 16]);
    const transposed = engine.call("transpose", [product], {});
    equal(await engine.call("reshape", [transposed], { shape: [8] }).toArray(), [4, 10, 5, 11, 5, 14, 7, 16]);
  },

  "reductions over one axis and over all": async (engine) => {
    const x = floats([1, 2, 3, 4, 5, 60], [2, 3])(engine);
    equal(await engine.call("sum", [x], { axes: [0] }).toArray(), [5, 7, 63]);
    equal(await engine.call("sum", [x], { axes: [-1] }).toArray(), [6, 69]);
    equal(await engine.call("mean", [x], { axes: [] }).toArray(), [12.5]);
    equal(await engine.call("max", [x], { axes: [1] }).toArray(), [3, 60]);
    equal(await engine.call("min", [x], { axes: [0] }).toArray(), [1, 2, 3]);
  },

  "rows of a softmax sum to 1": async (engine) => {
    const line = engine.call("linspace", [], { start: -3, stop: 3, n: 5 * 100 });
    const rows = engine.call("softmax", [engine.call("reshape", [line], { shape: [5, 100] })], { axis: -1 });
    const sums = await engine.call("sum", [rows], { axes: [1] }).toArray();
    if (sums.length !== 5 || sums.some((sum) => Math.abs(sum - 1) > 1e-5)) throw new Error(`the sums are [${sums}]`);
  },

  "integers stay integers": async (engine) => {
    const x = integers([7, -7, 2147483647, 6], [4])(engine);
    const y = integers([2, 2, 1, 3], [4])(engine);
    const sum = await engine.call("add", [x, y], {}).toArray();
    if (!(sum instanceof Int32Array)) throw new Error("int32 must be read as an Int32Array");
    equal(sum, [9, -5, -2147483648, 9]);
    equal(await engine.call("mul", [x, y], {}).toArray(), [14, -14, 2147483647, 18]);
    equal(await engine.call("arange", [], { n: 4 }).toArray(), [0, 1, 2, 3]);
    const same = await engine.call("eq", [x, integers([7, 7, 7, 6], [4])(engine)], {}).toArray();
    if (!(same instanceof Uint8Array)) throw new Error("truth values must be read as a Uint8Array");
    equal(same, [1, 0, 0, 1]);
  },

  "select chooses element by element": async (engine) => {
    const x = floats([-1, 2, -3, 4], [4])(engine);
    const isNegative = engine.call("lt", [x, 0], {});
    if (isNegative.dtype() !== "bool") throw new Error(`a comparison gives bool, not ${isNegative.dtype()}`);
    const zeros = engine.call("full", [], { shape: [4], value: 0 });
    equal(await engine.call("select", [isNegative, zeros, x], {}).toArray(), [0, 2, 0, 4]);
  },

  "mistakes are thrown with a code": async (engine) => {
    const x = floats([1, 2, 3], [3])(engine);
    const y = floats([1, 2], [2])(engine);
    refuses("shape", () => engine.call("add", [x, y], {}));
    refuses("shape", () => engine.call("matmul", [x, y], {}));
    refuses("shape", () => engine.call("reshape", [x], { shape: [2, 2] }));
    refuses("shape", () => engine.call("sum", [x], { axes: [1] }));
    refuses("shape", () => engine.array(new Float32Array(3), [4], "float32"));
    refuses("argument", () => engine.call("frobnicate", [x], {}));
    refuses("argument", () => engine.call("add", [x], {}));
    refuses("argument", () => engine.call("add", [x, "two"], {}));
    refuses("argument", () => engine.call("add", [x, {}], {}));
    refuses("argument", () => engine.array([1, 2, 3], [3], "float32"));
    refuses("argument", () => engine.call("sum", [x], { axis: 0 }));
    refuses("argument", () => engine.call("softmax", [x], {}));
    refuses("argument", () => engine.call("gather", [x, x], { axis: {} }));
    refuses("dtype", () => engine.call("cast", [x], { dtype: "float128" }));
    // Nothing of that did any harm.
    equal(await engine.call("mul", [x, x], {}).toArray(), [1, 4, 9]);
  },

  "arrays are shown like NumPy's, kernels as WGSL": async (engine) => {
    const x = floats([1, 2.5, -3, 4], [2, 2])(engine);
    const text = await x.show();
    if (text !== "[[ 1.   2.5]\n [-3.   4. ]]") throw new Error(`it is shown as\n${text}`);
    const kernels = engine.call("exp", [x], {}).kernels();
    if (kernels.length !== 1 || !kernels[0].includes("@compute")) throw new Error(`the kernels are ${kernels}`);
  },
};

// Runs all tests on `engine`; the first that fails throws, with its name in front.
export async function testArrays(engine) {
  for (const [name, test] of Object.entries(TESTS)) {
    await test(engine).catch((error) => {
      throw new Error(`${name}: ${error.message ?? error}`);
    });
  }
  return Object.keys(TESTS).length;
}

// Loses the device under an engine, as a driver's crash would: the next call says so, and reopening repairs it.
export async function testLostDevice(Engine) {
  const { requestDevice } = GPUAdapter.prototype;
  let raw;
  GPUAdapter.prototype.requestDevice = async function (...options) {
    raw = await requestDevice.apply(this, options);
    return raw;
  };
  const engine = await Engine.open("gpu").finally(() => { GPUAdapter.prototype.requestDevice = requestDevice; });
  const x = floats([1, 2, 3], [3])(engine);
  equal(await engine.call("mul", [x, 2], {}).toArray(), [2, 4, 6]);
  raw.destroy();
  await raw.lost;
  const failure = await engine.call("mul", [x, 3], {}).toArray().then((values) => new Error(`no error but [${values}]`), (error) => error);
  if (failure.code !== "device_lost") throw new Error(`the code of a lost device is ${failure.code}: ${failure.message}`);
  await engine.reopen();
  equal(await engine.call("mul", [x, 4], {}).toArray(), [4, 8, 12]);
}

// Every refusal of `Engine.open` and of `work` has a code.
export function refuses(code, work) {
  let thrown;
  try {
    work();
  } catch (error) {
    thrown = error;
  }
  if (!(thrown instanceof Error)) throw new Error(`${work} must throw an Error`);
  if (thrown.code !== code) throw new Error(`${work} must throw with code "${code}", not "${thrown.code}": ${thrown.message}`);
}

function equal(got, expected) {
  const isEqual = got.length === expected.length && expected.every((value, index) => Object.is(value, got[index]));
  if (!isEqual) throw new Error(`expected [${expected}], got [${got}]`);
}
