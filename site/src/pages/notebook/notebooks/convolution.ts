import type { NotebookSource } from "../document";

export const convolution: NotebookSource = {
  id: "convolution",
  title: "Image convolution",
  summary: "Blur and edges of a picture, by kernels that move over it.",
  cells: [
    `const n = 96;
const at = tw.linspace(-1, 1, n);
const [x, y] = [at.expandDims(0), at.expandDims(1)];
const disk = x.add(0.2).square().add(y.square()).lt(0.2);
const box = x.sub(0.4).abs().lt(0.3).and(y.sub(0.3).abs().lt(0.35));
const picture = disk.cast("float32").add(box.cast("float32").mul(0.6)).add(x.add(y).mul(0.05));
image(picture, { title: "Picture" });`,
    `/** A convolution of one picture with one kernel. */
function filtered(kernel) {
  const size = kernel.shape[0];
  return picture.reshape([1, 1, n, n]).conv2d(kernel.reshape([1, 1, size, size])).squeeze();
}
const blur = tw.ones([7, 7]).div(49);
image(filtered(blur), { title: "Blurred" });`,
    `const sobel = tw.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]);
const edges = filtered(sobel).square().add(filtered(sobel.transpose()).square()).sqrt();
image(edges, { title: "Edges" });
histogram(edges, { bins: 30, title: "Strength of edges" });`,
  ],
};
