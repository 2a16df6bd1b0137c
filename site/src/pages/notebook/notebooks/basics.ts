import type { NotebookSource } from "../document";

export const basics: NotebookSource = {
  id: "basics",
  title: "A tour of NumPy's basics",
  summary: "Making arrays, shapes, indices, reductions, broadcasting and products, as a NumPy user knows them.",
  cells: [
    `// The last value of a cell is shown.
const x = tw.array([[1, 2, 3], [4, 5, 6]]);
x`,
    `[x.shape, x.dtype, x.ndim, x.size]`,
    `// Element by element, and with broadcasting over rows.
show(x.mul(2).add(1), x.add(tw.array([10, 20, 30])));`,
    `// Reductions over all axes or some.
show(x.sum(), x.mean({ axis: 0 }), x.max({ axis: 1, keepAxes: true }));`,
    `// x[1], x[:, ::2] and x[..., None] of NumPy.
show(x.at(1), x.at(slice(null), slice(null, null, 2)), x.at(ellipsis, newAxis).reshape([3, 2]));`,
    `// The same as text.
x.at("::-1, 1:")`,
    `// Products of matrices, and their transposes.
x.matmul(x.transpose())`,
    `// Comparisons give truth values; where chooses by them.
const isLarge = x.gt(3);
show(isLarge, tw.where(isLarge, x, 0));`,
    `const t = tw.linspace(0, 6.283, 200);
plot(t, tw.stack([t.sin(), t.cos()], { axis: 0 }), { names: ["sin", "cos"] });`,
    `histogram(tw.random(1).normal([5000]), { bins: 40, title: "Normally distributed" });`,
    `// Counts and edges, medians and quantiles, as NumPy has them.
const sample = tw.random(2).normal([1000]);
const { counts, edges } = sample.histogram({ bins: 5 });
show(counts, edges, sample.median(), sample.percentile(tw.array([25, 75])));`,
    `// Types: integers of any width, floats, complex numbers.
show(tw.arange(0, 10, 3), tw.zeros(3, { dtype: "int8" }), tw.resultType("int8", "uint8"), tw.complex(t, t).at(":3"));`,
    `// Indices by arrays and masks, and assignment.
const rows = tw.array([1, 0, 1], { dtype: "int32" });
show(x.at(rows), await x.atLater(x.gt(2)), x.setAt("0, :2", -1));`,
    `// Numbers for JavaScript.
await x.sum().item()`,
  ],
};
