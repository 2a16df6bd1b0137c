// Arrays as JavaScript sees them, with results known in advance: what users type, not what the conformance cases reach.
//
// Each test gets an open engine and throws if something is wrong. `testArrays` returns how many passed.

const floats = (values, shape) => (engine) => engine.array(new Float32Array(values), new Uint32Array(shape));
const integers = (values, shape) => (engine) => engine.array(new Int32Array(values), new Uint32Array(shape));

const TESTS = {
  "a row is broadcast over a matrix": async (engine) => {
    const matrix = floats([1, 2, 3, 4, 5, 6], [2, 3])(engine);
    const row = floats([10, 20, 30], [3])(engine);
    const sum = matrix.apply("add", [row]);
    equal(sum.shape(), [2, 3]);
    equal(await sum.to_f32(), [11, 22, 33, 14, 25, 36]);
    // Neither operand is used up.
    equal(await row.apply("add", [row]).to_f32(), [20, 40, 60]);
    equal(await row.apply("add", [0.5]).to_f32(), [10.5, 20.5, 30.5]);
  },

  "matmul [2, 3] · [3, 4]": async (engine) => {
    const a = floats([1, 2, 3, 4, 5, 6], [2, 3])(engine);
    const b = floats([1, 0, 2, 0, 0, 1, 0, 2, 1, 1, 1, 1], [3, 4])(engine);
    const product = a.matmul(b);
    equal(product.shape(), [2, 4]);
    equal(await product.to_f32(), [4, 5, 5, 7, 10, 11, 14, 16]);
    equal(await product.transpose().reshape(new Uint32Array([8])).to_f32(), [4, 10, 5, 11, 5, 14, 7, 16]);
  },

  "reductions over one axis and over all": async (engine) => {
    const x = floats([1, 2, 3, 4, 5, 60], [2, 3])(engine);
    equal(await x.sum(new Int32Array([0])).to_f32(), [5, 7, 63]);
    equal(await x.sum(new Int32Array([-1])).to_f32(), [6, 69]);
    equal(await x.mean(new Int32Array([])).to_f32(), [12.5]);
    equal(await x.max(new Int32Array([1])).to_f32(), [3, 60]);
    equal(await x.min(new Int32Array([0])).to_f32(), [1, 2, 3]);
  },

  "rows of a softmax sum to 1": async (engine) => {
    const x = engine.linspace(-3, 3, 5 * 100).reshape(new Uint32Array([5, 100]));
    const sums = await x.softmax(-1).sum(new Int32Array([1])).to_f32();
    if (sums.length !== 5 || sums.some((sum) => Math.abs(sum - 1) > 1e-5)) throw new Error(`the sums are [${sums}]`);
  },

  "integers stay integers": async (engine) => {
    const x = integers([7, -7, 2147483647, 6], [4])(engine);
    const y = integers([2, 2, 1, 3], [4])(engine);
    const sum = await x.apply("add", [y]).to_array();
    if (!(sum instanceof Int32Array)) throw new Error("int32 must be read as an Int32Array");
    equal(sum, [9, -5, -2147483648, 9]);
    equal(await x.apply("mul", [y]).to_array(), [14, -14, 2147483647, 18]);
    equal(await engine.arange(4).to_array(), [0, 1, 2, 3]);
    const same = await x.apply("eq", [integers([7, 7, 7, 6], [4])(engine)]).to_array();
    if (!(same instanceof Uint8Array)) throw new Error("truth values must be read as a Uint8Array");
    equal(same, [1, 0, 0, 1]);
  },

  "select chooses element by element": async (engine) => {
    const x = floats([-1, 2, -3, 4], [4])(engine);
    const isNegative = x.apply("lt", [0]);
    if (isNegative.dtype() !== "bool") throw new Error(`a comparison gives bool, not ${isNegative.dtype()}`);
    equal(await isNegative.apply("select", [engine.full(new Uint32Array([4]), 0), x]).to_f32(), [0, 2, 0, 4]);
  },

  "mistakes are thrown with a code": async (engine) => {
    const x = floats([1, 2, 3], [3])(engine);
    const y = floats([1, 2], [2])(engine);
    refuses("shape", () => x.apply("add", [y]));
    refuses("shape", () => x.matmul(y));
    refuses("shape", () => x.reshape(new Uint32Array([2, 2])));
    refuses("shape", () => x.sum(new Int32Array([1])));
    refuses("shape", () => engine.array(new Float32Array(3), new Uint32Array([4])));
    refuses("argument", () => x.apply("frobnicate", []));
    refuses("argument", () => x.apply("add", []));
    refuses("argument", () => x.apply("add", ["two"]));
    refuses("argument", () => x.apply("add", [{}]));
    refuses("argument", () => engine.array([1, 2, 3], new Uint32Array([3])));
    refuses("dtype", () => x.cast("float128"));
    // Nothing of that did any harm.
    equal(await x.apply("mul", [x]).to_f32(), [1, 4, 9]);
  },

  "arrays are shown like NumPy's, kernels as WGSL": async (engine) => {
    const x = floats([1, 2.5, -3, 4], [2, 2])(engine);
    const text = await x.show();
    if (text !== "[[ 1.   2.5]\n [-3.   4. ]]") throw new Error(`it is shown as\n${text}`);
    const kernels = x.apply("exp", []).kernels();
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
  equal(await x.apply("mul", [2]).to_f32(), [2, 4, 6]);
  raw.destroy();
  await raw.lost;
  const failure = await x.apply("mul", [3]).to_f32().then((values) => new Error(`no error but [${values}]`), (error) => error);
  if (failure.code !== "device_lost") throw new Error(`the code of a lost device is ${failure.code}: ${failure.message}`);
  await engine.reopen();
  equal(await x.apply("mul", [4]).to_f32(), [4, 8, 12]);
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
