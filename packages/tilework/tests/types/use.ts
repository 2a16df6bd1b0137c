// Compiled by types.test.mjs, never run.

import * as tilework from "tilework";
import { runConformance, type Report } from "tilework/conformance";
const tw = await tilework.open({ device: "auto", worker: true, onProgress: (p) => console.log(p.stage) });
using x: tilework.NdArray = tw.array([[1, 2], [3, 4]]);
const y: tilework.NdArray = x.softmax({ axis: -1 }).geluTanh().select(1, x);
const values: tilework.TypedArray = await y.toArray();
const report: Report = await runConformance({ device: tw.info.requested });
console.log(values, report.scalar_errors[0]?.worst_ulp);
// @ts-expect-error an attribute of the wrong type
x.softmax({ axis: "last" });
// @ts-expect-error no such method
x.frobnicate();
// @ts-expect-error internal
x.call("add");
// @ts-expect-error private constructor
new tilework.NdArray();
