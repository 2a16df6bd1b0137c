import type { PixelTensor } from "tilework/models";
import { expect, test } from "vitest";
import { defaultParts } from "./parts";

const tensor = (name: string, rows: number): PixelTensor => ({ name, shape: [rows, 576], dtype: "F32", count: rows * 576, bytes: 4 * rows * 576, rows, columns: 576, perLine: 576, perPixel: 1, editable: true, scale: 1, rects: [] });

test("heads come from what the file says, or from their usual width", () => {
  const told = { "llama.attention.head_count": "9", "llama.attention.head_count_kv": "3" };
  expect(defaultParts(tensor("blk.0.attn_q.weight", 576), told)).toBe(9);
  expect(defaultParts(tensor("blk.0.attn_k.weight", 192), told)).toBe(3);
  expect(defaultParts(tensor("encoder.layer.0.attention.self.query.weight", 384), {})).toBe(6);
});

test("other matrices fall into rows, as many as can be seen", () => {
  expect(defaultParts(tensor("fc1.weight", 128), {})).toBe(128);
  expect(defaultParts(tensor("blk.0.ffn_up.weight", 1536), {})).toBe(256);
  expect(defaultParts(tensor("odd", 257), {})).toBe(1);
});
