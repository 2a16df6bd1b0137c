// "tilework/solve" in Node.js, on the CPU. Run `npm run build` first.

import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { CompiledResiduals, Problem, V, Vec2, Vec3 } from "../dist/solve.js";

/** Expects `promise` to reject with an error of this code, if it is one of ours, whose message matches. */
async function rejects(promise, code, message) {
  const error = await promise.then(() => undefined, (reason) => reason);
  expect(error?.code).toBe(code);
  expect(error.message).toMatch(message);
}

/** The error that `body` throws. */
function thrown(body) {
  try {
    body();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("problems", () => {
  test("a circle is fitted to points", async () => {
    const n = 40;
    const angles = Array.from({ length: n }, (_, i) => 0.3 + (i * 2) / n);
    const problem = new Problem();
    const center = problem.addParams(2, [0, 0]);
    const radius = problem.addParams(1, [1]);
    const zeros = new Uint32Array(n);
    const xs = angles.map((angle) => 3 + 2.5 * Math.cos(angle));
    const ys = angles.map((angle) => -1 + 2.5 * Math.sin(angle));
    problem.addResiduals({ name: "circle", params: [[center, zeros], [radius, zeros]], data: [xs, ys] }, ([c, r], [x, y]) => c.distance(new Vec2(x, y)).sub(r));
    const summary = await problem.solve({ functionTolerance: 1e-16, maxIterations: 100 });
    expect(summary.finalCost).toBeLessThan(1e-18);
    expect(summary.converged).toBe(true);
    expect([...problem.values(center), ...problem.values(radius)]).toEqual([3, -1, 2.5].map((value) => expect.closeTo(value, 7)));
    expect(summary.iterations[0].cost).toBe(summary.initialCost);
    expect(summary.iterations.at(-1).cost).toBe(summary.finalCost);
  });

  test.each(["lm", "dogleg", "gauss-newton", "lbfgs"])("Rosenbrock's valley by %s", async (method) => {
    const problem = new Problem();
    const x = problem.addParams(2, [-1.2, 1]);
    problem.addResiduals({ params: [[x, [0]]] }, ([p]) => [p.y.sub(p.x.square()).mul(10), V.sub(1, p.x)]);
    const seen = [];
    const summary = await problem.solve({ method, maxIterations: 200, functionTolerance: 0, onIteration: (iteration) => seen.push(iteration.number) });
    expect(summary.finalCost).toBeLessThan(1e-12);
    expect([...problem.values(x)]).toEqual([expect.closeTo(1, 5), expect.closeTo(1, 5)]);
    expect(seen).toEqual(summary.iterations.map(({ number }) => number));
  });

  test("an energy is minimized by Newton's method", async () => {
    const problem = new Problem();
    const x = problem.addParams(1, [3, -2]);
    // cosh(x − w) is smallest at w, where it is 1.
    problem.addEnergy({ instances: 2 }, (i) => V.param(x, i).sub(V.W(i + 0.5)).cosh());
    const summary = await problem.solve({ method: "newton" });
    expect(summary.finalCost).toBeCloseTo(2, 12);
    expect([...problem.values(x)]).toEqual([expect.closeTo(0.5, 5), expect.closeTo(1.5, 5)]);
    await rejects(problem.solve({ method: "lm" }), "argument", /residuals/);
  });

  test("springs find their lengths; what is fixed stays, what is bounded stays within", async () => {
    const problem = new Problem();
    const points = problem.addParams(3, [0, 0, 0, 0.1, 0.2, 0.1, 0.3, -0.1, 0.2]);
    const springs = { name: "springs", params: [[points, [0, 1, 2]], [points, [1, 2, 0]]], data: [[1, 2, 2]] };
    problem.addResiduals(springs, ([p, q], [length]) => p.distance(q).sub(length));
    problem.setFixed(points, [0]);
    problem.setBounds(points, 1, 0, -0.25, 0.25);
    const { finalCost, counts } = await problem.solve({ functionTolerance: 1e-14, maxIterations: 100 });
    expect(finalCost).toBeLessThan(1e-10);
    const [x0, y0, z0, x1, y1, z1, x2, y2, z2] = problem.values(points);
    expect([x0, y0, z0]).toEqual([0, 0, 0]);
    expect(Math.abs(x1)).toBeLessThanOrEqual(0.25);
    expect(Math.hypot(x1, y1, z1)).toBeCloseTo(1, 5);
    expect(Math.hypot(x2 - x1, y2 - y1, z2 - z1)).toBeCloseTo(2, 5);
    expect(counts).toMatchObject({ groups: 1, instances: 3, residuals: 3, blocks: 3 });
  });

  test("a quaternion stays one", async () => {
    const problem = new Problem();
    const q = problem.addParams(4, [1, 0.2, 0, 0], { manifold: "quaternion" });
    problem.addResiduals({ params: [[q, [0]]] }, ([p]) => p.sub(new p.constructor(0, 0, 1, 0)));
    await problem.solve();
    expect([...problem.values(q)]).toEqual([0, 0, 1, 0].map((value) => expect.closeTo(value, 6)));
  });

  test("an outlier counts little with a robust loss", async () => {
    const fit = async (loss) => {
      const problem = new Problem();
      const mean = problem.addParams(1, [0]);
      problem.addResiduals({ params: [[mean, new Uint32Array(5)]], data: [[1, 1.1, 0.9, 1, 100]], loss }, ([m], [value]) => m.sub(value));
      await problem.solve({ functionTolerance: 1e-12, maxIterations: 200 });
      return problem.values(mean)[0];
    };
    expect(await fit("squared")).toBeCloseTo(20.8, 6);
    expect(await fit({ name: "cauchy", delta: 0.5 })).toBeLessThan(1.2);
    expect(await fit({ name: "barron", delta: 0.5, alpha: -2 })).toBeLessThan(1.2);
  });

  test("a problem with nothing in it, and a parameter nobody uses", async () => {
    const empty = new Problem();
    expect(await empty.solve()).toMatchObject({ initialCost: 0, finalCost: 0, reason: "nothing" });
    const unused = new Problem();
    const x = unused.addParams(1, [4, 5]);
    unused.addResiduals({ params: [[x, [0]]] }, ([v]) => v.sub(1));
    await unused.solve();
    expect([...unused.values(x)]).toEqual([expect.closeTo(1, 9), 5]);
  });
});

describe("groups", () => {
  test("a thousand instances are one group, by lists and one by one", async () => {
    const n = 1000;
    const problem = new Problem();
    const x = problem.addParams(1, Array.from({ length: n + 1 }, (_, i) => i * 0.9));
    const [from, to] = [Array.from({ length: n }, (_, i) => i), Array.from({ length: n }, (_, i) => i + 1)];
    problem.addResiduals({ params: [[x, from], [x, to]], data: [from.map(() => 1)] }, ([a, b], [length]) => b.sub(a).sub(length));
    problem.addResiduals({ instances: n }, (i) => {
      // In another order: which argument comes first does not matter.
      const [a, b] = i % 2 ? [V.param(x, i), V.param(x, i + 1)] : [V.param(x, i + 1), V.param(x, i)];
      return i % 2 ? b.sub(a).sub(V.W(1)) : a.sub(b).sub(V.W(1));
    });
    const session = await problem.session();
    expect(session.counts).toMatchObject({ groups: 1, instances: 2 * n });
    session.dispose();
  });

  test("45 constraints of 15 kinds are 15 groups", async () => {
    const problem = new Problem();
    const points = problem.addParams(2, Array.from({ length: 80 }, (_, i) => Math.sin(i * 1.7) * 3));
    const radii = problem.addParams(1, [1, 2, 3, 4, 5]);
    const p = (i) => new Vec2(V.param(points, i % 40, 0), V.param(points, i % 40, 1));
    const line = (i) => p(i + 7).sub(p(i));
    const r = (i) => V.param(radii, i % 5);
    const kinds = [
      (i) => p(i).sub(p(i + 1)),
      (i) => p(i).y.sub(p(i + 1).y),
      (i) => p(i).x.sub(p(i + 1).x),
      (i) => line(i).cross(line(i + 11)),
      (i) => line(i).dot(line(i + 11)),
      (i) => p(i).distance(p(i + 1)).sub(V.W(i)),
      (i) => line(i).norm().sub(line(i + 11).norm()),
      (i) => V.atan2(line(i).cross(line(i + 11)), line(i).dot(line(i + 11))).sub(V.W(0.1 * i)),
      (i) => line(i).normalize().cross(p(i + 3).sub(p(i))).abs().sub(r(i)),
      (i) => p(i).distance(p(i + 1)).sub(r(i).add(r(i + 1))),
      (i) => p(i).distance(p(i + 2)).sub(r(i)),
      (i) => r(i).sub(r(i + 1)),
      (i) => r(i).sub(V.W(i)),
      (i) => p(i).add(p(i + 2)).mul(0.5).sub(p(i + 1)),
      (i) => p(i).sub(new Vec2(V.W(i), V.W(2))),
    ];
    problem.addResiduals({ instances: 45 }, (i) => kinds[i % 15](i));
    const session = await problem.session();
    expect(session.counts).toMatchObject({ groups: 15, instances: 45 });
    session.dispose();
  });

  test("constants make kernels, numbers of instances do not", async () => {
    const groups = async (number) => {
      const problem = new Problem();
      const x = problem.addParams(1, [1]);
      problem.addResiduals({ instances: 8 }, (i) => V.param(x, 0).mul(number(i + 3)));
      const session = await problem.session();
      session.dispose();
      return session.counts.groups;
    };
    expect(await groups((i) => V.W(i))).toBe(1);
    expect(await groups((i) => V.C(i))).toBe(8);
    expect(await groups((i) => i)).toBe(8);
  });
});

describe("sessions", () => {
  const chain = () => {
    const problem = new Problem();
    const n = 50;
    const points = problem.addParams(2, Array.from({ length: 2 * n }, (_, i) => (i % 2 ? Math.sin(i) / 2 : i / 2)));
    const target = problem.addParams(2, [0, 0]);
    problem.setFixed(target);
    problem.setFixed(points, [0]);
    const [from, to] = [Array.from({ length: n - 1 }, (_, i) => i), Array.from({ length: n - 1 }, (_, i) => i + 1)];
    problem.addResiduals({ params: [[points, from], [points, to]] }, ([p, q]) => p.distance(q).sub(1));
    problem.addResiduals({ params: [[points, [n - 1]], [target, [0]]] }, ([p, t]) => p.sub(t));
    return { problem, points, target, n };
  };

  test("steps, values that change in between, and another plan", async () => {
    const { problem, points, target, n } = chain();
    const session = await problem.session({ functionTolerance: 1e-14, method: "lbfgs" });
    await session.setValues(target, [45, 8]);
    for (let k = 0; k < 40; k++) {
      const { reason, values } = await session.step(5, { watch: [points] });
      expect(values[0].length).toBe(2 * n);
      if (reason !== undefined) break;
    }
    const end = (await session.values(points)).slice(-2);
    expect([...end]).toEqual([expect.closeTo(45, 3), expect.closeTo(8, 3)]);
    // The first point is let go and the last one held: the chain is where it is, so nothing changes.
    await session.setFixed(points, [n - 1]);
    await session.setValues(target, [44, 8]);
    await session.step(20);
    expect([...(await session.values(points)).slice(-2)]).toEqual([...end]);
    await rejects(session.setValues(target, [1]), "shape", /1 numbers for 2/);
    await rejects(session.setValues(target, [NaN, 1]), "argument", /finite/);
    session.dispose();
    await rejects(session.values(points), "disposed", /disposed/);
  });

  test("the problem's own values change only with a finished solve", async () => {
    const { problem, points } = chain();
    const before = problem.values(points);
    await rejects(problem.solve({ signal: AbortSignal.abort(new Error("no more")) }), undefined, /no more/);
    const controller = new AbortController();
    const solving = problem.solve({ maxIterations: 1e6, functionTolerance: 0, gradientTolerance: 0, parameterTolerance: 0, method: "lbfgs", signal: controller.signal, onIteration: () => controller.abort(new Error("enough")) });
    await expect(solving).rejects.toThrow("enough");
    expect(problem.values(points)).toEqual(before);
  });

  test("the same problem gives the same bits", async () => {
    const solve = async () => {
      const { problem, points, target } = chain();
      problem.setValues(target, [20, 20]);
      await problem.solve();
      return problem.values(points);
    };
    expect(await solve()).toEqual(await solve());
  });
});

describe("compiled residuals", () => {
  /** Three kinds of residuals in mixed order; parameter 4 is read by none. */
  const mixed = (p) => {
    const items = [];
    for (let i = 0; i < 3; i++) {
      items.push(p[i].mul(p[i + 1]).sin().add(V.W(i)));
      items.push([p[i].exp(), p[i].sub(p[3])]);
      items.push(V.atan2(p[i + 1], p[i].add(3)));
    }
    return items;
  };
  const start = [0.3, -0.7, 1.1, 0.9, 5];
  const plain = ([a, b, c, d]) => {
    const x = [a, b, c, d];
    return [0, 1, 2].flatMap((i) => [Math.sin(x[i] * x[i + 1]) + i, Math.exp(x[i]), x[i] - x[3], Math.atan2(x[i + 1], x[i] + 3)]);
  };
  /** The derivative of `f` by every number, by central differences. */
  const differences = (f) =>
    start.map((_, k) => {
      const at = (h) => f(start.map((x, i) => (i === k ? x + h : x)));
      const [low, high] = [at(-1e-5), at(1e-5)];
      return Array.isArray(low) ? low.map((x, i) => (high[i] - x) / 2e-5) : (high - low) / 2e-5;
    });
  const close = (values, digits = 7) => values.map((value) => expect.closeTo(value, digits));

  test("residuals come in the order they were returned", async () => {
    const seen = [];
    const compiled = await CompiledResiduals.compile(start, mixed, { backend: "cpu", onProgress: ({ stage, done }) => seen.push(`${stage} ${done}`) });
    expect([...(await compiled.evaluate())]).toEqual(close(plain(start), 12));
    const moved = [1, 2, 3, 4, 5].map((x) => x / 7);
    expect([...(await compiled.evaluate(moved))]).toEqual(close(plain(moved), 12));
    // And there it stays.
    expect([...(await compiled.evaluate())]).toEqual(close(plain(moved), 12));
    expect(await compiled.counts()).toMatchObject({ groups: 3, instances: 9, residuals: 12, evaluations: 3, cacheHits: 2, dispatches: 0 });
    expect(compiled.nResiduals).toBe(12);
    expect(seen).toEqual(["record 0", "compile 9", "ready 9"]);
    compiled.dispose();
    await rejects(compiled.evaluate(), "disposed", /disposed/);
  });

  test("gradients and Jacobians are those of finite differences", async () => {
    const compiled = await CompiledResiduals.compile(start, mixed, { backend: "cpu" });
    const { sum, gradient } = await compiled.evaluateSumWithGradient();
    expect(await compiled.evaluateGradient()).toEqual(gradient);
    const half = (x) => plain(x).reduce((sum, r) => sum + (r * r) / 2, 0);
    expect(sum).toBeCloseTo(half(start), 12);
    expect([...gradient]).toEqual(close(differences(half)));
    const { nRows, nColumns, rows, columns, values } = await compiled.evaluateJacobian();
    const dense = Array.from({ length: nRows }, () => new Array(nColumns).fill(0));
    rows.forEach((row, k) => (dense[row][columns[k]] += values[k]));
    const expected = differences(plain);
    dense.forEach((row, i) => expect(row).toEqual(close(expected.map((column) => column[i]))));
    compiled.dispose();
  });

  test("blocks are vectors, and a thousand residuals are one kernel", async () => {
    const groups = [];
    const values = Float64Array.from({ length: 3003 }, (_, i) => Math.sin(i));
    const compiled = await CompiledResiduals.compile({ dim: 3, values }, (p) => Array.from({ length: 1000 }, (_, i) => p[i].distance(p[i + 1])), { backend: "cpu", batchSize: 300, onProgress: ({ stage, done }) => stage === "group" && groups.push(done) });
    expect(groups).toEqual([1000]);
    expect(await compiled.counts()).toMatchObject({ groups: 1, instances: 1000, cacheHits: 0, evaluations: 0 });
    const found = await compiled.evaluate();
    expect(found[999]).toBeCloseTo(Math.hypot(values[2997] - values[3000], values[2998] - values[3001], values[2999] - values[3002]), 12);
    compiled.dispose();
  });

  test("single precision, no residuals, mistakes", async () => {
    const single = await CompiledResiduals.compile([0.1], ([x]) => [x.exp()], { backend: "cpu", precision: "f32" });
    const [value] = await single.evaluate();
    expect(Math.abs(value - Math.exp(0.1))).toBeGreaterThan(1e-12);
    expect(value).toBeCloseTo(Math.exp(0.1), 6);
    await rejects(single.evaluate([1, 2]), "shape", /2 numbers for 1 parameters/);
    const none = await CompiledResiduals.compile([1, 2], () => [], { backend: "cpu" });
    expect([...(await none.evaluate())]).toEqual([]);
    expect(await none.evaluateSumWithGradient()).toEqual({ sum: 0, gradient: new Float64Array(2) });
    await rejects(CompiledResiduals.compile([1], ([x]) => [[], x], { backend: "cpu" }), "argument", /item 0 has no residual/);
    await rejects(CompiledResiduals.compile({ dim: 2, values: [1] }, () => []), "shape", /blocks of 2/);
    await rejects(CompiledResiduals.compile([1], ([x]) => [x], { backend: "gpu" }), "no_device", /WebGPU/);
    await rejects(CompiledResiduals.compile([1], ([x]) => [x], { signal: AbortSignal.abort(new Error("no more")) }), undefined, /no more/);
    // What is not finite is so in the answer, and no failure.
    const pole = await CompiledResiduals.compile([0], ([x]) => [x.recip(), x.log().mul(0).add(V.div(x, x))], { backend: "cpu" });
    const [infinite, nothing] = await pole.evaluate();
    expect([infinite, nothing]).toEqual([Infinity, NaN]);
  });
});

describe("errors", () => {
  test("mistakes are thrown where they are made", () => {
    const problem = new Problem();
    const x = problem.addParams(2, [1, 2, 3, 4]);
    const cases = [
      [() => problem.addParams(2, [1, 2, 3]), "shape", /3 numbers do not make blocks of 2/],
      [() => problem.addParams(1, [Infinity]), "argument", /number 0 is Infinity/],
      [() => problem.addResiduals({ params: [[x, [2]]] }, ([p]) => p), "shape", /block 2 of 2/],
      [() => problem.addResiduals({ params: [[x, [0]]], data: [[1, 2]] }, ([p]) => p), "shape", /differ in length: 1, 2/],
      [() => problem.addResiduals({ params: [[x, [0]]], loss: { name: "huber", delta: 0 } }, ([p]) => p), "argument", /delta/],
      [() => problem.addResiduals({ params: [[x, [0]]], loss: "hubber" }, ([p]) => p), "argument", /no loss "hubber"/],
      [() => problem.addResiduals({ params: [[x, [0]]] }, () => []), "argument", /gave no residual/],
      [() => problem.addResiduals({ params: [[x, [0]]] }, ([p]) => p.x + p.y), "argument", /no operators/],
      [() => problem.addResiduals({ params: [[x, [0]]] }, ([p]) => p.x.add("1")), "argument", /neither a number/],
      [() => problem.addResiduals({ instances: 1 }, () => V.W(NaN)), "argument", /is NaN/],
      [() => problem.addResiduals({ instances: 1 }, () => V.param(x, 5)), "shape", /block 5 of 2/],
      [() => V.C(1), "argument", /inside of residual functions only/],
      [() => problem.setFixed(x, [7]), "argument", /block 7 of 2/],
      [() => problem.setBounds(x, 0, 0, 2, 1), "argument", /between 2 and 1/],
      [() => new Problem().values(x), "argument", /another problem/],
    ];
    for (const [body, code, message] of cases) {
      const error = thrown(body);
      expect([error.name, error.code]).toEqual(["TileworkError", code]);
      expect(error.message).toMatch(message);
    }
    let kept;
    problem.addResiduals({ params: [[x, [0]]] }, ([p]) => (kept = p.x));
    expect(thrown(() => problem.addResiduals({ params: [[x, [0]]] }, () => kept.mul(2))).message).toMatch(/another residual function/);
  });

  test("what only the engine can know rejects", async () => {
    const problem = new Problem();
    const x = problem.addParams(1, [0]);
    problem.addResiduals({ name: "poles", params: [[x, [0]]] }, ([v]) => v.recip());
    await rejects(problem.solve(), "argument", /instance 0 of 'poles'/);
    await rejects(problem.solve({ method: "simplex" }), "argument", /no method `simplex`; there are lm/);
    const other = new Problem();
    other.addParams(3, [1, 0, 0], { manifold: "quaternion" });
    await rejects(other.solve(), "argument", /Quaternion has 4 numbers/);
    await rejects(new Problem().solve({ backend: "gpu" }), "no_device", /WebGPU/);
  });

  test("every operation has a function and a method, and they mean the same", async () => {
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(Object.getPrototypeOf(recorded((x) => x)))).filter((name) => name !== "constructor" && name !== "apply");
    expect(methods.length).toBeGreaterThan(60);
    const problem = new Problem();
    const x = problem.addParams(1, [0.3, 0.6]);
    const [a, b] = [() => V.param(x, 0), () => V.param(x, 1)];
    for (const name of methods) problem.addEnergy({ name, instances: 2 }, (i) => {
        const value = i ? V[name](...[a(), b(), b()].slice(0, arity(name))) : a()[name](...[b(), b()].slice(0, arity(name) - 1));
        // Not all of them are defined at these numbers.
        return value.isFinite().select(value, 0);
      });
    const session = await problem.session({ method: "lbfgs" });
    expect(session.counts.instances).toBe(2 * methods.length);
    expect(session.counts.groups).toBeLessThanOrEqual(methods.length);
    expect(Number.isFinite(session.start.cost)).toBe(true);
    session.dispose();
  });
});

/** How many arguments an operation takes, by its method. */
function arity(name) {
  return recorded((x) => x)[name].length + 1;
}

/** What `body` makes of a parameter, recorded. */
function recorded(body) {
  const problem = new Problem();
  const x = problem.addParams(1, [1]);
  let result;
  problem.addEnergy({ params: [[x, [0]]] }, ([v]) => (result = body(v)));
  return result;
}

test("the README's example runs and finds the minimum", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const [, , code] = /## Nonlinear least squares[\s\S]*?```js\nimport (.*) from "tilework\/solve";\n([\s\S]*?)```/.exec(readme);
  const body = new (Object.getPrototypeOf(async () => {}).constructor)("Problem", "V", "Vec2", "console", `${code}\nreturn summary;`);
  const said = [];
  const summary = await body(Problem, V, Vec2, { log: (...words) => said.push(words) });
  expect(summary.finalCost).toBeLessThan(1e-12);
  expect(said.length).toBe(summary.iterations.length + 1);
});

test("energies of a mesh by name", async () => {
  const problem = new Problem();
  const corners = problem.addParams(3, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const faces = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3];
  problem.addMesh(corners, faces, { springs: 1, area: 0.5 });
  // What was there when the mesh was added is its shape.
  problem.setValues(corners, [0, 0, 0, 1.5, 0, 0, 0, 1.2, 0, 0.1, 0, 1]);
  const summary = await problem.solve({ functionTolerance: 1e-14 });
  expect(summary.initialCost).toBeGreaterThan(0.1);
  expect(summary.finalCost).toBeLessThan(1e-12);
  const p = problem.values(corners);
  expect(Math.hypot(p[3] - p[0], p[4] - p[1], p[5] - p[2])).toBeCloseTo(1, 5);
  expect(thrown(() => problem.addMesh(corners, [0, 1, 9], { springs: 1 })).message).toMatch(/block 9 of 4/);
  const wrong = new Problem();
  wrong.addMesh(wrong.addParams(3, [0, 0, 0, 1, 0, 0, 0, 1, 0]), [0, 1, 2], { rubber: 1 });
  await rejects(wrong.solve(), "argument", /no energy `rubber`; there are springs/);
});

test("vectors mean what they say", async () => {
  const [a, b] = [[1, 2, 3], [-2, 0.5, 4]];
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const problem = new Problem();
  const p = problem.addParams(3, [...a, ...b, 0, 0, 0]);
  const goal = problem.addParams(1, Array(12).fill(0));
  const at = (i) => new Vec3(...V.params(p, i));
  const values = () => [
    at(0).dot(at(1)),
    ...at(0).cross(at(1)).toArray(),
    at(0).norm(),
    at(0).distance(at(1)),
    ...at(0).lerp(at(1), 0.25).toArray(),
    ...at(2).normalize().toArray(),
  ];
  const wanted = [12 - 2 + 1, ...cross, Math.hypot(...a), Math.hypot(3, 1.5, -1), ...a.map((x, i) => 0.75 * x + 0.25 * b[i]), 0, 0, 0];
  problem.setFixed(p);
  problem.addResiduals({ instances: 12 }, (i) => V.param(goal, i).sub(values()[i]));
  await problem.solve({ functionTolerance: 0 });
  expect([...problem.values(goal)]).toEqual(wanted.map((value) => expect.closeTo(value, 6)));
});
