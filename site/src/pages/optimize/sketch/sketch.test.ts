import { describe, expect, it } from "vitest";
import { applicable, constrained, EXAMPLE, KINDS, kindOf, type Ref, type Sketch, without } from "./model";
import { moved, PULL, sketchProblem } from "./residuals";

const point = (index: number): Ref => ({ part: "point", index });
const line = (index: number): Ref => ({ part: "line", index });

/** The sketch after its constraints were solved, and what is left of their cost. */
async function solved(sketch: Sketch): Promise<{ sketch: Sketch; cost: number; groups: number }> {
  const { problem, points, radii } = sketchProblem(sketch);
  const { finalCost, counts } = await problem.solve({ backend: "cpu", maxIterations: 200, functionTolerance: 1e-15 });
  return { sketch: moved(sketch, problem.values(points), problem.values(radii)), cost: finalCost, groups: counts.groups };
}

describe("sketches", () => {
  it("the example can be solved, with a kernel for each kind of constraint", async () => {
    const { cost, groups } = await solved(EXAMPLE);
    expect(cost).toBeLessThan(1e-9);
    const kinds = new Set(EXAMPLE.constraints.map(({ kind }) => kind));
    // Two more pull points and radii.
    expect(groups).toBe(kinds.size + 2);
  });

  it("every kind of constraint can be fulfilled, and measures what it makes", async () => {
    const loose: Sketch = {
      points: [{ x: 0, y: 0 }, { x: 2, y: 0.3 }, { x: 0.4, y: 1 }, { x: 2.5, y: 2 }, { x: 1, y: 3 }, { x: 4, y: 3.5 }],
      lines: [[0, 1], [2, 3]],
      circles: [{ center: 4, radius: 1 }, { center: 5, radius: 0.7 }],
      constraints: [],
    };
    for (const kind of KINDS) {
      const counts = { point: 0, line: 0, circle: 0 };
      const refs = kind.parts.map((part) => ({ part, index: counts[part]++ + (part === "point" && kind.parts.includes("line") ? 4 : 0) }));
      const measured = constrained(loose, kind, refs);
      const wanted = measured.constraints[0]!.values.map((value) => value + 0.3);
      const { sketch, cost } = await solved({ ...measured, constraints: [{ ...measured.constraints[0]!, values: wanted }] });
      expect(cost, kind.id).toBeLessThan(1e-10);
      const now = kind.measure?.(sketch, refs) ?? [];
      now.forEach((value, k) => expect(value, kind.id).toBeCloseTo(wanted[k]!, 1));
    }
  });

  it("a dragged point goes where it can", async () => {
    const sketch = constrained({ points: [{ x: 0, y: 0 }, { x: 1, y: 0 }], lines: [], circles: [], constraints: [] }, kindOf("distance"), [point(0), point(1)]);
    const { problem, points, pointHandles } = sketchProblem(constrained(sketch, kindOf("fixed"), [point(0)]));
    problem.setValues(pointHandles, [0, 0, 0, 0, 5, PULL]);
    await problem.solve({ backend: "cpu", maxIterations: 200, functionTolerance: 1e-15 });
    const [, , x, y] = problem.values(points);
    expect(x).toBeCloseTo(0, 2);
    expect(y).toBeCloseTo(1, 1);
  });

  it("a selection decides which constraints there are", () => {
    expect(applicable([line(0), point(1)]).map(({ id }) => id)).toEqual(["midpoint", "on-line"]);
    expect(applicable([])).toEqual([]);
    expect(constrained(EXAMPLE, kindOf("on-line"), [line(2), point(7)]).constraints.at(-1)).toMatchObject({ kind: "on-line", refs: [point(7), line(2)], values: [] });
  });

  it("what depends on a part goes with it", () => {
    const rest = without(EXAMPLE, [point(0)]);
    expect(rest.points.length).toBe(EXAMPLE.points.length - 1);
    expect(rest.lines.length).toBe(EXAMPLE.lines.length - 2);
    expect(rest.circles.length).toBe(2);
    expect(rest.constraints.every(({ refs }) => refs.every(({ part, index }) => index >= 0 && index < { point: rest.points, line: rest.lines, circle: rest.circles }[part].length))).toBe(true);
    // The square is still one: its first line is the seventh now.
    expect(rest.constraints.find(({ kind }) => kind === "horizontal")!.refs[0]!.index).toBe(6);
  });
});
