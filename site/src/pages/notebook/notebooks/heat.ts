import type { NotebookSource } from "../document";

export const heat: NotebookSource = {
  id: "heat",
  title: "Heat equation",
  summary: "A hot spot spreads over a plate: finite differences as shifted views.",
  cells: [
    `const n = 64;
const at = tw.linspace(-1, 1, n);
const [x, y] = [at.expandDims(0), at.expandDims(1)];
let plate = x.sub(0.2).square().add(y.add(0.1).square()).lt(0.08).cast("float32");
image(plate, { title: "At the start" });`,
    `/** One step; the border stays as it is. */
function step(u, rate) {
  const inner = (rows, columns) => u.at(slice(1 + rows, n - 1 + rows), slice(1 + columns, n - 1 + columns));
  const laplacian = inner(-1, 0).add(inner(1, 0)).add(inner(0, -1)).add(inner(0, 1)).sub(inner(0, 0).mul(4));
  const next = inner(0, 0).add(laplacian.mul(rate));
  // u[1:-1, 1:-1] = next of NumPy.
  return u.setAt("1:-1, 1:-1", next);
}`,
    `for (let i = 0; i < 100; i++) {
  plate = step(plate, 0.2);
  if (i % 10 === 9) await tw.eval(plate);
}
image(plate, { title: "After 100 steps" });`,
    `plot(at, plate.at(30), { title: "A cut through the plate" });`,
  ],
};
