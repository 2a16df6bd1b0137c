export default {
  test: { include: ["tests/*.test.{mjs,ts}"], testTimeout: 30_000 },
  // Node.js 20 does not know `using` yet.
  oxc: { target: "es2022" },
};
