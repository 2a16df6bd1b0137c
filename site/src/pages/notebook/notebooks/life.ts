import type { NotebookSource } from "../document";

export const life: NotebookSource = {
  id: "life",
  title: "Game of life",
  summary: "Conway's cells on a ring in both directions, counted by rolled copies.",
  cells: [
    `const n = 48;
let world = tw.random(11).bernoulli([n, n], { p: 0.3 }).cast("int32");
image(world, { title: "Generation 0" });`,
    `function next(cells) {
  let neighbors = cells.mul(-1);
  for (const down of [-1, 0, 1]) for (const right of [-1, 0, 1]) neighbors = neighbors.add(cells.roll({ shift: [down, right], axes: [0, 1] }));
  return neighbors.eq(3).or(cells.eq(1).and(neighbors.eq(2))).cast("int32");
}`,
    `const alive = [];
for (let generation = 0; generation < 40; generation++) {
  world = next(world);
  alive.push(await world.sum().item());
}
image(world, { title: "Generation 40" });
plot(alive, { title: "Cells that live" });`,
  ],
};
