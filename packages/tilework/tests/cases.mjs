// What arrays do, with results known in advance. The same list runs in Node.js and in a browser, on every device, in this thread
// and in a worker: each case gets an open Tilework and the package, and throws if something is wrong.

export const CASES = {
  "shapes, types and sizes are known at once": async (tw) => {
    const x = tw.array([[1, 2, 3], [4, 5, 6]]);
    same([x.shape, x.dtype, x.size, x.ndim], [[2, 3], "float32", 6, 2]);
    same(tw.array(new Int32Array([1, 2])).dtype, "int32");
    same(tw.array(new Uint32Array(6), [3, 2]).shape, [3, 2]);
    same([tw.scalar(3).shape, tw.scalar(3).size], [[], 1]);
    same(x.eq(1).dtype, "bool");
  },

  "typed arrays keep their type": async (tw) => {
    for (const data of [new Float32Array([1.5, -2]), new Int32Array([-1, 2]), new Uint32Array([1, 4294967295])]) {
      const back = await tw.array(data).toArray();
      same(back.constructor, data.constructor);
      same([...back], [...data]);
    }
    const truths = await tw.array([1, 2, 3]).gt(1).toArray();
    same(truths.constructor, Uint8Array);
    same([...truths], [0, 1, 1]);
  },

  "rows broadcast over matrices, numbers over everything": async (tw) => {
    const x = tw.array([[1, 2, 3], [4, 5, 6]]);
    same([...(await x.add(tw.array([10, 20, 30])).toArray())], [11, 22, 33, 14, 25, 36]);
    same([...(await x.mul(2).sub(1).toArray())], [1, 3, 5, 7, 9, 11]);
    same([...(await tw.arange(3).mul(2).toArray())], [0, 2, 4]);
    same(tw.arange(3).mul(0.5).dtype, "float32");
  },

  "data becomes the type that is asked for": async (tw) => {
    same(tw.array([[true, false]]).dtype, "bool");
    same([...(await tw.array([1, 0, 2], { dtype: "bool" }).toArray())], [1, 0, 1]);
    const integers = tw.array([1, -2, 3], { dtype: "int32", shape: [3, 1] });
    same([integers.dtype, integers.shape], ["int32", [3, 1]]);
    same([...(await integers.toArray())], [1, -2, 3]);
    same([...(await tw.array([0.5, 2], { dtype: "float16" }).toArray())], [0x3800, 0x4000]);
    same(tw.array(new Int32Array([1, 2]), { dtype: "float64" }).dtype, "float64");
    same([tw.zeros([2], { dtype: "int32" }).dtype, tw.ones([2], { dtype: "bool" }).dtype], ["int32", "bool"]);
    refuses("dtype", () => tw.array([1], { dtype: "float128" }));
    refuses("shape", () => tw.array(new Float32Array(3), { dtype: "complex64" }));
  },

  "indices as in NumPy": async (tw, { slice, newAxis, ellipsis }) => {
    const x = tw.arange(24).reshape([2, 3, 4]);
    same([...(await x.at(1, 0, -1).toArray())], [15]);
    same([...(await x.at(0, slice(null, null, 2), slice(1)).toArray())], [0, 8]);
    same([...(await x.at(ellipsis, 0).toArray())], [0, 4, 8, 12, 16, 20]);
    same(x.at(newAxis, ellipsis, null, slice(1, 3)).shape, [1, 2, 3, 1, 2]);
    same([...(await x.at("1, ::-2, ...", slice(3, null)).toArray())], [23, 15]);
    same(x.at().shape, [2, 3, 4]);
    refuses("argument", () => x.at(0.5));
    refuses("argument", () => x.at("one"));
    refuses("argument", () => x.at(ellipsis, ellipsis));
    refuses("argument", () => x.at(x.gt(3)));
  },

  "several results, and results that come later": async (tw) => {
    const x = tw.array([3, 1, 2]);
    const [sum] = x.callMany("sum", [], {});
    same([sum.shape, await sum.item()], [[], 6]);
    const later = x.callLater("sort", [], { axis: 0 });
    // A handle may be freed while its results are on the way.
    x.dispose();
    const [sorted] = await later;
    same([sorted.shape, sorted.dtype, [...(await sorted.toArray())]], [[3], "float32", [1, 2, 3]]);
    same([...(await sorted.mul(2).toArray())], [2, 4, 6]);
    sorted.dispose();
    refuses("disposed", () => sorted.add(1));
    refuses("argument", () => tw.callMany("no_such_function", []));
    await rejects("argument", tw.callLater("no_such_function", []));
    await rejects("disposed", sorted.callLater("sum"));
  },

  "creation": async (tw) => {
    same([...(await tw.zeros([2]).toArray())], [0, 0]);
    same([...(await tw.ones([1, 2]).toArray())], [1, 1]);
    same([...(await tw.full([2], 7).toArray())], [7, 7]);
    same([...(await tw.arange(3).toArray())], [0, 1, 2]);
    same([...(await tw.linspace(0, 1, 3).toArray())], [0, 0.5, 1]);
    same([...(await tw.eye(2).toArray())], [1, 0, 0, 1]);
    const [a, b] = [tw.array([1, 2]), tw.array([3, 4])];
    same([...(await tw.concat([a, b], { axis: 0 }).toArray())], [1, 2, 3, 4]);
    same(tw.stack([a, b], { axis: 1 }).shape, [2, 2]);
    same([...(await tw.stack([a, b], { axis: -1 }).toArray())], [1, 3, 2, 4]);
  },

  "reductions": async (tw) => {
    const x = tw.array([[1, 2, 3], [4, 5, 60]]);
    same([...(await x.sum({ axis: 0 }).toArray())], [5, 7, 63]);
    same([...(await x.sum({ axes: [-1] }).toArray())], [6, 69]);
    same(x.sum({ axes: [0, 1], keepAxes: true }).shape, [1, 1]);
    same(await x.mean().item(), 12.5);
    same([await x.max().item(), await x.min().item(), await x.argmax().item()], [60, 1, 5]);
    same([...(await x.argmin({ axis: 1 }).toArray())], [0, 0]);
    same([await x.gt(5).any().item(), await x.gt(5).all().item()], [1, 0]);
    same(await tw.array([2, 4, 4, 6]).var().item(), 2);
  },

  "products and softmax": async (tw) => {
    const a = tw.array([[1, 2, 3], [4, 5, 6]]);
    const b = tw.array([[1, 0], [0, 1], [1, 1]]);
    same([...(await a.matmul(b).toArray())], [4, 5, 10, 11]);
    same([...(await a.matmul(tw.array([1, 1, 1])).toArray())], [6, 15]);
    close(await a.softmax({ axis: -1 }).sum({ axis: 1 }).toArray(), [1, 1]);
    close(await a.logSoftmax({ axis: 1 }).exp().sum().toArray(), [2]);
    same([...(await a.take(tw.arange(2).add(1), { axis: 1 }).toArray())], [2, 3, 5, 6]);
  },

  "views": async (tw) => {
    const x = tw.arange(6).reshape([2, 3]);
    same([...(await x.transpose().toArray())], [0, 3, 1, 4, 2, 5]);
    same([...(await x.permute([1, 0]).flatten().toArray())], [0, 3, 1, 4, 2, 5]);
    same([...(await x.slice(1, 1).toArray())], [1, 2, 4, 5]);
    same([...(await x.slice(-1, undefined, undefined, -2).toArray())], [2, 0, 5, 3]);
    same([...(await x.index(0, -1).toArray())], [3, 4, 5]);
    same([...(await x.flip([0]).toArray())], [3, 4, 5, 0, 1, 2]);
    same(x.expandDims(0).shape, [1, 2, 3]);
    same(x.expandDims(-1).squeeze().shape, [2, 3]);
    same([...(await x.slice(0, 0, 1).broadcastTo([2, 3]).toArray())], [0, 1, 2, 0, 1, 2]);
    same([...(await x.sub(2).cast("bool").cast("float32").toArray())], [1, 1, 0, 1, 1, 1]);
  },

  "functions made of others": async (tw) => {
    const x = tw.array([-2, -0.5, 3]);
    same([...(await x.relu().toArray())], [0, 0, 3]);
    same([...(await x.clamp(-1, 1).toArray())], [-1, -0.5, 1]);
    same([...(await x.leakyRelu(0.5).toArray())], [-1, -0.25, 3]);
    same([...(await x.square().toArray())], [4, 0.25, 9]);
    close(await x.elu().toArray(), [Math.expm1(-2), Math.expm1(-0.5), 3]);
    same([...(await x.lt(0).select(0, x).toArray())], [0, 0, 3]);
  },

  "gradients": async (tw) => {
    const x = tw.array([[1, 2], [3, 4]]);
    same([...(await tw.grad((v) => v.mul(v).sum(), x).toArray())], [2, 4, 6, 8]);
    const { value, gradients } = tw.valueAndGrad((a, b) => a.mul(b).sum(), [x, tw.array([10, 20])]);
    same(await value.item(), 160);
    same(gradients.map((gradient) => gradient.shape), [[2, 2], [2]]);
    same([...(await gradients[1].toArray())], [4, 6]);
    // The derivative of a derivative.
    const cube = (v) => v.mul(v).mul(v).sum();
    same([...(await tw.grad((v) => tw.grad(cube, v).sum(), tw.array([2])).toArray())], [12]);
    refuses("shape", () => tw.grad((v) => v.mul(2), x));
    refuses("dtype", () => tw.grad((v) => v.sum(), tw.arange(3)));
    refuses("argument", () => tw.grad(() => 3, x));
  },

  "a function of a slice, for all slices": async (tw) => {
    const x = tw.array([[1, 2, 3], [4, 5, 6]]);
    const shares = tw.vmap((row) => row.div(row.sum()), [x]);
    same(shares.shape, [2, 3]);
    close(await shares.toArray(), [1 / 6, 2 / 6, 3 / 6, 4 / 15, 5 / 15, 6 / 15]);
    same([...(await tw.vmap((column) => column.sum(), [x], { axis: 1 }).toArray())], [5, 7, 9]);
    // Slices that meet, what does not depend on a slice, and gradients inside and outside.
    const dots = tw.vmap((a, b) => a.matmul(b).add(tw.scalar(1)), [x, x]);
    same([...(await dots.toArray())], [15, 78]);
    same([...(await tw.vmap((row) => tw.grad((v) => v.square().sum(), row), [x]).toArray())], [2, 4, 6, 8, 10, 12]);
    same([...(await tw.grad((all) => tw.vmap((row) => row.prod(), [all]).sum(), x).toArray())], [6, 3, 2, 30, 24, 20]);
    refuses("argument", () => tw.vmap((row) => row, []));
    refuses("shape", () => tw.vmap((row) => row, [x], { axis: 2 }));
    refuses("shape", () => tw.vmap((a, b) => a.add(b), [x, tw.ones([3, 3])]));
    same([...(await tw.vmap(() => 3, [x]).toArray())], [3, 3]);
    refuses("argument", () => tw.vmap(() => "three", [x]));
    // A stand-in has no numbers to look at.
    let looked;
    tw.vmap((row) => ((looked = row.toArray()), row), [x]);
    await rejects("argument", looked);
  },

  "Jacobians, Hessians and products with them": async (tw) => {
    const x = tw.array([0.5, -1, 2]);
    const jacobian = tw.jacobian((v) => tw.stack([v.square().sum(), v.prod()]), x);
    same(jacobian.shape, [2, 3]);
    close(await jacobian.toArray(), [1, -2, 4, -2, 1, -0.5]);
    const f = (v) => v.mul(v).mul(v).sum().add(v.prod());
    const hessian = tw.hessian(f, x);
    same(hessian.shape, [3, 3]);
    close(await hessian.toArray(), [3, 2, -1, 2, -6, 0.5, -1, 0.5, 12]);
    const v = tw.array([1, 0, -1]);
    close(await tw.hvp(f, x, v).toArray(), [4, 1.5, -13]);
    const squares = (u) => u.square().cumsum();
    const forward = tw.jvp(squares, x, v);
    close(await forward.value.toArray(), [0.25, 1.25, 5.25]);
    close(await forward.product.toArray(), [1, 1, -3]);
    const backward = tw.vjp(squares, x, tw.array([1, 10, 100]));
    close(await backward.product.toArray(), [111, -220, 400]);
    refuses("shape", () => tw.hvp(f, x, tw.ones([2])));
    refuses("shape", () => tw.jvp(f, x, tw.ones([2])));
    refuses("shape", () => tw.vjp(squares, x, tw.ones([2])));
  },

  "files are written and read": async (tw) => {
    const x = tw.array([[1.5, -2], [3, 4]]);
    const truths = x.gt(0);
    const npy = await x.mul(2).toNpy();
    same([...(await (await tw.loadNpy(new Blob([npy]))).toArray())], [3, -4, 6, 8]);
    for (const compress of [false, true]) {
      const archive = await tw.toNpz({ x, truths }, { compress });
      const back = await tw.loadNpz(archive);
      same([Object.keys(back), back.truths.dtype, back.x.shape], [["x", "truths"], "bool", [2, 2]]);
      same([...(await back.x.toArray())], [1.5, -2, 3, 4]);
    }
    const { n } = await tw.loadSafetensors(await tw.toSafetensors({ n: tw.arange(3) }));
    same([n.dtype, [...(await n.toArray())]], ["int32", [0, 1, 2]]);
    const csv = await x.toTxt({ delimiter: ",", format: { fixed: 1 } });
    same(csv, "1.5,-2.0\n3.0,4.0\n");
    same([...(await (await tw.loadTxt(csv, { delimiter: "," })).toArray())], [1.5, -2, 3, 4]);
    const damage = await rejects("io", tw.loadNpy(npy.slice(0, 100)));
    same(damage.message.startsWith("loadNpy:"), true);
    await rejects("argument", tw.loadNpy(7));
  },

  "draws in random order": async (tw) => {
    const [r, again] = [tw.random(7), tw.random(7)];
    const order = [...(await r.permutation(9).toArray())];
    same([...order].sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    same([...(await again.permutation(9).toArray())], order);
    const x = tw.arange(8).reshape([4, 2]);
    const rows = [...(await r.shuffle(x).toArray())];
    same([...rows].sort(), [0, 1, 2, 3, 4, 5, 6, 7]);
    // What belongs to one row stays together.
    same([0, 2, 4, 6].map((at) => rows[at + 1] - rows[at]), [1, 1, 1, 1]);
    same([...(await again.permutation(x).toArray())], rows);
    const some = [...(await r.choiceDistinct(tw.arange(5), 4).toArray())];
    same(new Set(some).size, 4);
    refuses("argument", () => r.choiceDistinct(tw.arange(3), 4));
  },

  "shapes that broadcast": async (tw) => {
    same(tw.broadcastShapes([3, 1], [4], []), [3, 4]);
    same(tw.broadcastShapes(), []);
    same(tw.broadcastShapes([0, 1], [1, 5]), [0, 5]);
    const error = refuses("shape", () => tw.broadcastShapes([3], [2, 4]));
    same(error.message, "broadcastShapes: [3] and [2,4] do not fit");
  },

  "mistakes are thrown at once, with a code": async (tw, { TileworkError }) => {
    const x = tw.array([1, 2, 3]);
    const mistakes = {
      shape: [
        () => x.add(tw.ones([2])), () => x.matmul(tw.ones([2])), () => x.reshape([2, 2]), () => x.sum({ axis: 1 }),
        () => tw.array([1, 2], [3]), () => tw.array([[1], [2, 3]]), () => tw.array([1, [2]]), () => x.index(0, 3), () => x.at(3), () => x.at(0, 0),
      ],
      dtype: [() => x.cast("float128"), () => x.gather(x, { axis: 0 }), () => x.take(x, { axis: 0 })],
      argument: [
        () => x.add("two"), () => x.add(undefined), () => x.add({}), () => x.softmax({}), () => x.softmax({ axis: "0" }),
        () => x.broadcastTo([-3]), () => x.reshape([1.5, 2]), () => x.reshape("3"), () => x.slice(0, 0, 3, 0),
        () => tw.arange(-1), () => tw.arange(NaN), () => tw.concat([], { axis: 0 }), () => tw.array("numbers"),
        () => x.sum({ axis: 0, axes: [0] }), () => x.argReduce({ extreme: "middle" }), () => tw.full([2], "x"),
      ],
      too_large: [() => tw.zeros([100000, 100000])],
    };
    for (const [code, works] of Object.entries(mistakes)) {
      for (const work of works) {
        const error = refuses(code, work);
        if (!(error instanceof TileworkError) || error.message.length < 10) throw new Error(`${work} throws ${error}`);
      }
    }
    // Nothing of that did any harm.
    same([...(await x.mul(x).toArray())], [1, 4, 9]);
  },

  "failures on the way are rejections with a code": async (tw) => {
    const x = tw.array([1, 2]);
    await rejects("shape", x.item());
    await rejects("argument", tw.eval("x"));
    if (tw.info.runsOn === "cpu") await rejects("unsupported", tw.profile(x));
    if (tw.info.runsOn === "cpu") await rejects("no_device", tw.simulateLoss());
    if (tw.info.runsOn === "cpu") await rejects("no_device", tw.reopen());
  },

  "double precision is for the CPU": async (tw) => {
    const x = tw.array(new Float64Array([0.1, 0.2]));
    same(x.dtype, "float64");
    same(await x.sum().item(), 0.1 + 0.2);
    // What no GPU has, the CPU did; and that is counted.
    same((await tw.stats()).movedToCpu > 0, tw.info.runsOn === "gpu");
  },

  "half precision is how numbers are stored": async (tw) => {
    const x = tw.array(new Uint16Array([0x3c00, 0xc000, 0x3555]), { dtype: "float16" });
    same([x.dtype, x.add(x).dtype, x.add(tw.array([1, 2, 3])).dtype], ["float16", "float16", "float32"]);
    same([...(await x.toArray())], [0x3c00, 0xc000, 0x3555]);
    same([...(await x.slice(0, 1, 3).mul(2).toArray())], [0xc400, 0x3955]);
    same([...(await tw.array([1, 65520, 1e-8]).cast("float16").toArray())], [0x3c00, 0x7c00, 0]);
    same(await x.max().item(), 1);
    if (globalThis.Float16Array) same([...(await tw.array(new Float16Array([0.5, 2])).toArray())], [0x3800, 0x4000]);
  },

  "passes are timed where there are timestamps": async (tw) => {
    const x = tw.linspace(0, 1, 1000).exp();
    if (!tw.info.features.includes("timestamp-query")) return rejects("unsupported", tw.profile(x));
    const [pass] = await tw.profile(x);
    same([pass.workgroups.length, pass.label.length > 0, pass.startNs >= 0, pass.durationNs >= 0], [3, true, true, true]);
  },

  "disposing lets go of an array and of nothing else": async (tw) => {
    const x = tw.array([1, 2]);
    const y = x.mul(3);
    const reading = x.toArray();
    x.dispose();
    x.dispose();
    same([...(await reading)], [1, 2]);
    same([...(await y.toArray())], [3, 6]);
    refuses("disposed", () => x.add(1));
    refuses("disposed", () => y.add(x));
    await rejects("disposed", x.toArray());
    const z = y.add(1);
    z[Symbol.dispose]();
    refuses("disposed", () => z.add(1));
  },

  "evaluating keeps the result": async (tw) => {
    const x = tw.linspace(0, 1, 1000).sin();
    const before = (await tw.stats()).evaluations;
    await tw.eval(x, x.mul(2));
    await x.toArray();
    same((await tw.stats()).evaluations, before + 1);
  },

  "the caller's data and lists are copied": async (tw) => {
    const data = new Float32Array([1, 2, 3, 4]);
    const x = tw.array(data);
    data.fill(0);
    const shape = [2, 2];
    const y = x.reshape(shape);
    shape[0] = 4;
    same([...(await y.toArray())], [1, 2, 3, 4]);
    same(y.shape, [2, 2]);
  },

  "many questions at a time": async (tw) => {
    const x = tw.arange(10).cast("float32");
    const sums = await Promise.all(Array.from({ length: 50 }, (_, i) => x.mul(i).sum().item()));
    same(sums, Array.from({ length: 50 }, (_, i) => 45 * i));
  },

  "empty arrays": async (tw) => {
    same([...(await tw.zeros([0, 3]).add(1).toArray())], []);
    same(await tw.array([]).sum().item(), 0);
    refuses("shape", () => tw.array([]).max());
  },

  "texts, kernels, checks": async (tw) => {
    same(await tw.array([[1, 2.5], [-3, 4]]).show(), "[[ 1.   2.5]\n [-3.   4. ]]");
    const kernels = await tw.ones([3]).exp().kernels();
    if (kernels.length !== 1 || !kernels[0].includes("@compute")) throw new Error(`the kernels are ${kernels}`);
    const found = await tw.selfCheck();
    if (!found.passed || found.checks.length < 3 || !(found.elapsedMs >= 0)) throw new Error(JSON.stringify(found));
  },

  "arrays of different devices do not mix": async (tw, tilework) => {
    const other = await tilework.open({ device: "cpu" });
    refuses("argument", () => tw.ones([2]).add(other.ones([2])));
    other.dispose();
    refuses("disposed", () => other.ones([2]));
    await rejects("disposed", other.stats());
  },
};

// Throws unless `got` and `expected` are the same, as JSON where they are lists or objects.
export function same(got, expected) {
  const isSame = typeof expected === "object" ? JSON.stringify(got) === JSON.stringify(expected) : Object.is(got, expected);
  if (!isSame) throw new Error(`expected ${JSON.stringify(expected) ?? expected}, got ${JSON.stringify(got) ?? got}`);
}

function close(got, expected) {
  const isClose = got.length === expected.length && expected.every((value, i) => Math.abs(value - got[i]) < 1e-5);
  if (!isClose) throw new Error(`expected about [${expected}], got [${got}]`);
}

// What `work` throws, which must have this code.
export function refuses(code, work) {
  try {
    work();
  } catch (error) {
    if (error?.code === code) return error;
    throw new Error(`${work} must throw with code "${code}", not "${error?.code}": ${error}`);
  }
  throw new Error(`${work} must throw`);
}

// What `promise` rejects with, which must have this code.
export async function rejects(code, promise) {
  const error = await promise.then(() => undefined, (reason) => reason);
  if (error?.code !== code) throw new Error(`must reject with code "${code}", not "${error?.code}": ${error}`);
  return error;
}
