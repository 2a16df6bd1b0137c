import type { NotebookSource } from "../document";

export const mandelbrot: NotebookSource = {
  id: "mandelbrot",
  title: "Mandelbrot set",
  summary: "How long each point of the plane stays close to zero; sixty steps fused into one kernel.",
  cells: [
    `const [height, width, nSteps] = [160, 240, 60];
const cx = tw.linspace(-2.2, 0.9, width).expandDims(0).broadcastTo([height, width]);
const cy = tw.linspace(-1.05, 1.05, height).expandDims(1).broadcastTo([height, width]);`,
    `let [x, y, steps] = [cx, cy, tw.zeros([height, width])];
for (let i = 0; i < nSteps; i++) {
  const [xx, yy] = [x.square(), y.square()];
  steps = steps.add(xx.add(yy).le(4).cast("float32"));
  // Points that left stay where numbers have no end.
  [x, y] = [xx.sub(yy).add(cx).clamp(-10, 10), x.mul(y).mul(2).add(cy).clamp(-10, 10)];
  if (i % 10 === 9) await tw.eval(x, y, steps);
}
image(steps.add(1).log());`,
    `// As colors: [height, width, 3].
const level = steps.div(nSteps);
image(tw.stack([level.sqrt(), level, level.square()], { axis: 2 }));`,
    `const { counts } = steps.histogram({ bins: nSteps });
plot(counts.cumsum().div(steps.size), { title: "Part of the points that left by then" });
histogram(steps, { bins: 30, title: "Steps" });`,
  ],
};
