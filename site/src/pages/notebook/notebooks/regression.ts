import type { NotebookSource } from "../document";

export const regression: NotebookSource = {
  id: "regression",
  title: "Regression by gradient descent",
  summary: "A line through noisy points, with derivatives by the engine.",
  cells: [
    `const x = tw.random(2).uniform([100], { low: -2, high: 2 });
const y = x.mul(1.5).sub(0.7).add(tw.random(4).normal([100], { deviation: 0.3 }));
scatter(x, y);`,
    `const loss = (slope, offset) => x.mul(slope).add(offset).sub(y).square().mean();
let [slope, offset] = [tw.scalar(0), tw.scalar(0)];
const losses = [];
for (let step = 0; step < 60; step++) {
  const { value, gradients } = tw.valueAndGrad(loss, [slope, offset]);
  slope = slope.sub(gradients[0].mul(0.1));
  offset = offset.sub(gradients[1].mul(0.1));
  losses.push(await value.item());
}
plot(losses, { title: "Loss" });`,
    `// The same in closed form.
show(x.polyfit(y, { deg: 1 }));`,
    `show(slope, offset);
const line = tw.linspace(-2, 2, 2);
plot(line, line.mul(slope).add(offset), { title: "The line" });`,
  ],
};
