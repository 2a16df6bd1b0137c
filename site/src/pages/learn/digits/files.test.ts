import { expect, test } from "vitest";
import { networkOf, readImages } from "./files";
import { forward } from "./network";
import { publicFile, weightsFile } from "./testFiles.mjs";

test("twenty real images of every digit, and weights that read at least 97 % of them", () => {
  const images = readImages(publicFile("images.bin"));
  expect(images.n).toBe(200);
  for (let digit = 0; digit < 10; digit++) expect(images.labels.filter((label) => label === digit)).toHaveLength(20);
  const { digits } = forward(networkOf(weightsFile()), Float32Array.from(images.pixels, (value) => value / 255), images.n);
  const nRight = digits.filter((digit, i) => digit === images.labels[i]).length;
  expect(nRight).toBeGreaterThanOrEqual(194);
});

test("a cut file is refused", () => {
  expect(() => readImages(publicFile("images.bin").slice(0, 1000))).toThrow("length");
  expect(() => readImages(new ArrayBuffer(0))).toThrow("length");
});
