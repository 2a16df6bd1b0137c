import { expect, test } from "vitest";
import { reportText } from "./reportText";

test("a report names device, counts and failures with their values", () => {
  const text = reportText(
    [{ device: "gpu", report: { device: "Some GPU", passed: 3, failed: 1, skipped: 2, failures: [{ case: "softmax: row", message: "[2, 3]\nat 1" }], scalar_errors: [{ op: "exp", worst_ulp: 1.5 }] } }],
    "Browser/1",
  );
  expect(text).toBe(
    "Tilework conformance, Browser/1\n\nGPU (Some GPU): 3 passed, 1 failed, 2 not for this device\nFAILED softmax: row\n    [2, 3]\n    at 1\nworst error in ulp: exp 1.5\n",
  );
});
