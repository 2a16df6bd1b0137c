import { expect, test } from "vitest";
import { askAdapter } from "./adapter";

const gpu = (info: object | null) => ({ requestAdapter: () => Promise.resolve(info === null ? null : { info }) });

test("an adapter has the best name there is, and a program is called one", async () => {
  expect(await askAdapter(gpu({ description: "", device: "", architecture: "swiftshader" }))).toEqual({ name: "swiftshader", software: true });
  expect(await askAdapter(gpu({ description: "Fast One", architecture: "x" }))).toEqual({ name: "Fast One", software: false });
  expect(await askAdapter(gpu({ isFallbackAdapter: true }))).toEqual({ name: "unnamed adapter", software: true });
});

test("no adapter is not an error", async () => {
  expect(await askAdapter(gpu(null))).toBeNull();
  expect(await askAdapter({ requestAdapter: () => Promise.reject(new Error("refused")) })).toBeNull();
});
