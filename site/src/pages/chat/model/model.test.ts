import { expect, test } from "vitest";
import { contextChoices, fitOf, formatParameters, usualContext } from "./fit";
import { joinParts } from "./kept";
import { fromAddress, fromFiles, isElsewhere, partsOf } from "./source";

const BASE = "https://studio.org/app/";
const file = (name: string) => ({ name }) as File;

test("files: one model, or all parts of one, in order", () => {
  expect(fromFiles([file("a.gguf")])).toMatchObject({ name: "a.gguf", address: null });
  const [one, two] = [file("a-00001-of-00002.gguf"), file("a-00002-of-00002.gguf")];
  expect(fromFiles([two, one]).parts).toEqual([one, two]);
  expect(() => fromFiles([one])).toThrow("one of 2 parts, and 1 was chosen");
  expect(() => fromFiles([file("a.gguf"), file("b.gguf")])).toThrow("several models");
  expect(() => fromFiles([file("a.safetensors")])).toThrow("a.safetensors is not a GGUF file");
  expect(() => fromFiles([])).toThrow("no file");
});

test("addresses: files, pages about files, parts", () => {
  expect(fromAddress(" https://a.org/x%20y.gguf?download=true ", BASE)).toMatchObject({ name: "x y.gguf" });
  expect(String(fromAddress("https://huggingface.co/o/r/blob/main/m.gguf", BASE).parts)).toBe("https://huggingface.co/o/r/resolve/main/m.gguf");
  expect(String(fromAddress("models/m.gguf", BASE).parts)).toBe("https://studio.org/app/models/m.gguf");
  expect(partsOf(new URL("https://a.org/m-00002-of-00003.gguf")).map(String)).toEqual([1, 2, 3].map((i) => `https://a.org/m-0000${i}-of-00003.gguf`));
  expect(partsOf(new URL("https://a.org/m.gguf"))).toHaveLength(1);
  expect(() => fromAddress("javascript:alert(1)//.gguf", BASE)).toThrow("https://");
  expect(() => fromAddress("https://a.org/model.bin", BASE)).toThrow(".gguf");
  expect(() => fromAddress("https://", BASE)).toThrow("not an address");
});

test("the parts of a kept model are one", () => {
  const stored = (name: string, sizeBytes: number) => ({ url: `https://a.org/${name}`, name, sizeBytes, savedAt: new Date() });
  expect(joinParts([stored("m-00002-of-00002.gguf", 5), stored("x.gguf", 1), stored("m-00001-of-00002.gguf", 7)])).toEqual([
    { name: "m.gguf", urls: ["https://a.org/m-00001-of-00002.gguf", "https://a.org/m-00002-of-00002.gguf"], sizeBytes: 12 },
    { name: "x.gguf", urls: ["https://a.org/x.gguf"], sizeBytes: 1 },
  ]);
});

test("whose host it is", () => {
  expect(isElsewhere(fromAddress("m.gguf", BASE), "https://studio.org")).toBe(false);
  expect(isElsewhere(fromAddress("https://a.org/m.gguf", BASE), "https://studio.org")).toBe(true);
  expect(isElsewhere(fromFiles([file("a.gguf")]), "https://studio.org")).toBe(false);
});

test("what does not fit is said before it is loaded", () => {
  const GIB = 2 ** 30;
  expect(fitOf(0.5 * GIB, "auto", 4)).toBeNull();
  expect(fitOf(0.5 * GIB, "auto", undefined)).toBeNull();
  expect(fitOf(3 * GIB, "auto", 4)).toMatchObject({ tone: "warn" });
  expect(fitOf(3 * GIB, "auto", 8)).toBeNull();
  expect(fitOf(5 * GIB, "cpu", 8)).toMatchObject({ tone: "bad" });
  expect(fitOf(5 * GIB, "gpu", 8)).toMatchObject({ tone: "warn" });
});

test("lengths of context", () => {
  expect(contextChoices(8192)).toEqual([512, 1024, 2048, 4096, 8192]);
  expect(contextChoices(3000)).toEqual([512, 1024, 2048, 3000]);
  expect(contextChoices(128)).toEqual([128]);
  expect([usualContext(128), usualContext(131072)]).toEqual([128, 2048]);
  expect([134_515_008, 1_543_000_000, 260_032].map(formatParameters)).toEqual(["135 million", "1.54 billion", "260 thousand"]);
});
