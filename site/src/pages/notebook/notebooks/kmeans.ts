import type { NotebookSource } from "../document";

export const kmeans: NotebookSource = {
  id: "k-means",
  title: "k-means",
  summary: "Three clouds of points, and the centers that find them.",
  cells: [
    `const random = tw.random(7);
const k = 3;
const corners = tw.array([[0, 0], [4, 1], [1, 4]]);
// 150 points, 50 around each corner.
const points = corners.expandDims(1).add(random.normal([k, 50, 2], { deviation: 0.7 })).reshape([150, 2]);
scatter(points.index(1, 0), points.index(1, 1));`,
    `/** The nearest center of every point. */
function nearest(centers) {
  const difference = points.expandDims(1).sub(centers.expandDims(0));
  return difference.square().sum({ axis: 2 }).argmin({ axis: 1 });
}

/** The mean of the points of every center. */
function moved(labels) {
  const isIn = labels.expandDims(1).eq(tw.arange(k)).cast("float32");
  return isIn.transpose().matmul(points).div(isIn.sum({ axis: 0 }).expandDims(1));
}`,
    `let centers = points.slice(0, 0, 150, 50);
for (let step = 0; step < 10; step++) {
  centers = moved(nearest(centers));
  await tw.eval(centers);
}
centers`,
    `const labels = await nearest(centers).toArray();
for (let label = 0; label < k; label++) print("cluster", label, "has", labels.filter((l) => l === label).length, "points");`,
  ],
};
