import { expect, test } from "vitest";
import { formatBytes, formatClock, formatError, formatKey, formatMs, formatNumber, formatRatio, sentence } from "./format";

test("numbers keep three significant digits", () => {
  expect(formatNumber(1234.5)).toBe("1,235");
  expect(formatNumber(12.345)).toBe("12.3");
  expect(formatNumber(0.01234)).toBe("0.0123");
  expect(formatNumber(0.0000123)).toBe("1.2e-5");
  expect(formatNumber(0)).toBe("0");
  expect(formatNumber(Number.NaN)).toBe("–");
  expect(formatNumber(-2.5)).toBe("-2.5");
});

test("durations choose their unit", () => {
  expect(formatMs(0.0153)).toBe("15.3 µs");
  expect(formatMs(15.31)).toBe("15.3 ms");
  expect(formatMs(1531)).toBe("1.53 s");
  expect(formatMs(600_000)).toBe("10 min");
  expect(formatMs(Infinity)).toBe("–");
});

test("a clock counts whole seconds", () => {
  expect(formatClock(0)).toBe("0:00");
  expect(formatClock(7999)).toBe("0:07");
  expect(formatClock(754_000)).toBe("12:34");
});

test("bytes are powers of 1024", () => {
  expect(formatBytes(512)).toBe("512 B");
  expect(formatBytes(1536)).toBe("1.5 KiB");
  expect(formatBytes(2 ** 31)).toBe("2 GiB");
});

test("errors and ratios", () => {
  expect(formatError(0)).toBe("0");
  expect(formatError(1.25e-6)).toBe("1.3e-6");
  expect(formatError(Number.NaN)).toBe("NaN");
  expect(formatRatio(12.34)).toBe("12.3×");
});

test("keys become words", () => {
  expect(formatKey("maxBufferSize")).toBe("Max buffer size");
  expect(formatKey("max_compute_workgroups")).toBe("Max compute workgroups");
});

test("messages become sentences", () => {
  expect(sentence("no adapter")).toBe("No adapter.");
  expect(sentence("did you mean exp?")).toBe("Did you mean exp?");
  expect(sentence("")).toBe("");
  expect(sentence("open: no WebGPU")).toBe("No WebGPU.");
  expect(sentence("model: https://a.org/x.gguf is gone")).toBe("https://a.org/x.gguf is gone.");
  expect(sentence("matmul: inner sizes differ")).toBe("Matmul: inner sizes differ.");
});
