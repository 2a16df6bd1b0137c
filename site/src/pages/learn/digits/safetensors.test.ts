import { expect, test } from "vitest";
import { weightsFile } from "./testFiles.mjs";
import { readSafetensors } from "./safetensors";

function fileOf(header: unknown, data: Float32Array): ArrayBuffer {
  const text = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + data.byteLength);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  file.set(new Uint8Array(data.buffer), 8 + text.length);
  return file.buffer;
}

test("tensors by name, whatever the alignment", () => {
  const header = { __metadata__: { format: "pt" }, a: { dtype: "F32", shape: [2, 1], data_offsets: [0, 8] }, b: { dtype: "F32", shape: [1], data_offsets: [8, 12] } };
  const tensors = readSafetensors(fileOf(header, new Float32Array([1, 2, 3])));
  expect(tensors.get("a")).toEqual({ shape: [2, 1], values: new Float32Array([1, 2]) });
  expect(tensors.get("b")?.values[0]).toBe(3);
  expect(tensors.size).toBe(2);
});

test("a file that is cut or of another type says so", () => {
  expect(() => readSafetensors(new ArrayBuffer(4))).toThrow("too short");
  expect(() => readSafetensors(fileOf("{}", new Float32Array()).slice(0, 9))).toThrow("header");
  expect(() => readSafetensors(fileOf({ a: { dtype: "F16", shape: [1], data_offsets: [0, 2] } }, new Float32Array(1)))).toThrow("F16");
  expect(() => readSafetensors(fileOf({ a: { dtype: "F32", shape: [4], data_offsets: [0, 16] } }, new Float32Array(1)))).toThrow("4 numbers");
  expect(() => readSafetensors(fileOf({ a: { dtype: "F32", shape: [3], data_offsets: [0, 8] } }, new Float32Array(2)))).toThrow("3 numbers");
});

test("the lessons' own weights have the layout of PyTorch", () => {
  const tensors = readSafetensors(weightsFile());
  expect([...tensors].map(([name, { shape }]) => [name, shape])).toEqual(expect.arrayContaining([["fc1.weight", [128, 784]], ["fc1.bias", [128]], ["fc2.weight", [10, 128]], ["fc2.bias", [10]]]));
});
