// Compiled by types.test.mjs, never run.

import * as tilework from "tilework";
import { runConformance, type Report } from "tilework/conformance";
import { CompiledResiduals, Problem, type Scalar, V, type Vec3 } from "tilework/solve";
const tw = await tilework.open({ device: "auto", worker: true, onProgress: (p) => console.log(p.stage) });
using x: tilework.NdArray = tw.array([[1, 2], [3, 4]]);
const y: tilework.NdArray = x.softmax({ axis: -1 }).geluTanh().select(1, x);
const values: tilework.TypedArray = await y.toArray();
const report: Report = await runConformance({ device: tw.info.requested });
console.log(values, report.scalar_errors[0]?.worst_ulp);
const problem = new Problem();
const [points, radii] = [problem.addParams(3, [0, 0, 0]), problem.addParams(1, [1])];
problem.addResiduals({ params: [[points, [0]], [radii, [0]]], data: [[2], { dim: 3, values: [1, 2, 3] }] }, ([p, r], [weight, place]) => {
  const [point, radius, w, at]: [Vec3, Scalar, Scalar, Vec3] = [p, r, weight, place];
  return point.distance(at).sub(radius).mul(w).mul(V.C(2));
});
const gradient: Float64Array = await (await CompiledResiduals.compile([1, 2], ([a, b]) => [a!.mul(b!)])).evaluateGradient();
console.log(gradient, (await problem.solve({ method: "lbfgs" })).reason);
// @ts-expect-error no such method
problem.solve({ method: "simplex" });
// @ts-expect-error a block of three numbers has no w
problem.addResiduals({ params: [[points, [0]]] }, ([p]) => p.w);
// @ts-expect-error an attribute of the wrong type
x.softmax({ axis: "last" });
// @ts-expect-error no such method
x.frobnicate();
// @ts-expect-error internal
x.call("add");
// @ts-expect-error private constructor
new tilework.NdArray();
