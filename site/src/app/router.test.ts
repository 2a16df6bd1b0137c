import { expect, test } from "vitest";
import { href, parseHash } from "./router";

test("page and query of an address", () => {
  const route = parseHash("#/benchmark?op=matmul&device=gpu");
  expect(route.page).toBe("benchmark");
  expect(route.query.get("op")).toBe("matmul");
  expect(route.query.get("device")).toBe("gpu");
});

test("nothing is the home page", () => {
  expect(parseHash("").page).toBe("");
  expect(parseHash("#/").page).toBe("");
  expect(parseHash("#///").page).toBe("");
});

test("addresses round-trip", () => {
  const query = { e: "sin(2*x) + y & more", empty: "" };
  const route = parseHash(href("kernels", query));
  expect(route.query.get("e")).toBe(query.e);
  expect(route.query.has("empty")).toBe(false);
});

test("a part follows its page", () => {
  expect(parseHash("#/learn/3?device=cpu")).toMatchObject({ page: "learn", part: "3" });
  expect(parseHash("#/learn/").part).toBe("");
  expect(parseHash("#/a/b/c").part).toBe("b/c");
});
