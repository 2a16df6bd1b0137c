import type { NotebookSource } from "../document";

export const pca: NotebookSource = {
  id: "pca",
  title: "Principal components",
  summary: "The directions in which data varies most, by the singular values of the data.",
  cells: [
    `const n = 300;
const spread = tw.random(3).normal([n, 2]).mul(tw.array([3, 0.6]));
const angle = 0.5;
const turn = tw.array([[Math.cos(angle), Math.sin(angle)], [-Math.sin(angle), Math.cos(angle)]]);
const data = spread.matmul(turn);
scatter(data.index(1, 0), data.index(1, 1), { title: "Data" });`,
    `const centered = data.sub(data.mean({ axis: 0 }));
const covariance = centered.transpose().matmul(centered).div(n - 1);
covariance`,
    `// Rows of vh are the directions, singular values tell how much there is along each.
const { s, vh } = centered.svd();
const direction = vh.at(0);
show(vh, s.square().div(n - 1), tw.einsum([direction, covariance, direction], { subscripts: "i,ij,j->" }));`,
    `const scores = centered.matmul(direction);
show(scores.percentile(tw.array([5, 50, 95])));
histogram(scores, { bins: 30, title: "Along the first component" });`,
  ],
};
