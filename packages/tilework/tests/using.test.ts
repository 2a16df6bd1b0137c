// `using` declarations, and the types as a user sees them.

import { expect, test } from "vitest";
import { open, type NdArray, type TypedArray } from "../dist/index.js";

test("using lets go of arrays and devices at the end of the block", async () => {
  let kept: NdArray;
  let values: TypedArray;
  {
    using tw = await open({ device: "cpu" });
    using x = tw.array([1, 2, 3]);
    kept = x;
    values = await x.mul(2).toArray();
    expect(tw.info.runsOn).toBe("cpu");
  }
  expect([...values]).toEqual([2, 4, 6]);
  expect(() => kept.add(1)).toThrow(expect.objectContaining({ code: "disposed" }));
});
