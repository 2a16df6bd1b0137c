import type { NotebookSource } from "../document";

export const pca: NotebookSource = {
  id: "pca",
  title: "Principal components",
  summary: "The directions in which data varies most, by power iteration on its covariance.",
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
    `let direction = tw.array([1, 0]);
for (let i = 0; i < 50; i++) {
  const next = covariance.matmul(direction);
  direction = next.div(next.square().sum().sqrt());
  await tw.eval(direction);
}
show(direction, direction.dot(covariance.matmul(direction)));`,
    `const scores = centered.matmul(direction);
histogram(scores, { bins: 30, title: "Along the first component" });`,
  ],
};
