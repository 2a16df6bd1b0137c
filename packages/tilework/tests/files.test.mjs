// Files of arrays: those that NumPy wrote (testdata/numpy/make/files.py), round trips, and damage. Run `npm run build` first.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STORAGE } from "../dist/dtypes.js";
import * as files from "../dist/files.js";
import { open } from "../dist/index.js";

const folder = resolve(import.meta.dirname, "../../../testdata/numpy/files");
const file = (name) => new Uint8Array(readFileSync(resolve(folder, name)));
const text = (name) => readFileSync(resolve(folder, name), "utf8");
const numbers = ({ data }) => Array.from(data, Number);
let tw;
beforeAll(async () => {
  tw = await open({ device: "cpu", ops: "numpy" });
});
afterAll(() => tw.dispose());

// One array of every type.
function everyType() {
  const made = Object.entries(STORAGE).map(([dtype, Storage]) => {
    const data = new Storage(dtype.startsWith("complex") ? 12 : 6);
    for (let i = 0; i < data.length; i += 1) data[i] = dtype === "bool" ? i % 2 : typeof data[i] === "bigint" ? BigInt(i) << 40n : i * 3;
    return [dtype, { data, shape: [3, 2], dtype }];
  });
  return new Map(made);
}

describe("npy", () => {
  test.each(Object.keys(STORAGE).filter((kind) => !/bool|bfloat|complex/.test(kind)))("NumPy's %s", (dtype) => {
    const content = files.readNpy(file(`${dtype}.npy`));
    expect([content.dtype, content.shape]).toEqual([dtype, [2, 3]]);
    const values = dtype === "float16" ? Array.from(content.data) : numbers(content);
    expect(values).toEqual(dtype === "float16" ? [0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500] : [0, 1, 2, 3, 4, 5]);
  });

  test.each(["big_int16", "big_uint32", "big_float32", "big_float64", "version2", "version3"])("NumPy's %s", (name) => {
    expect(numbers(files.readNpy(file(`${name}.npy`)))).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("orders of axes, single numbers, no numbers, special numbers", () => {
    const fortran = files.readNpy(file("fortran.npy"));
    expect([numbers(fortran), fortran.shape]).toEqual([Array.from({ length: 24 }, (_, i) => i), [2, 3, 4]]);
    expect(numbers(files.readNpy(file("bool.npy")))).toEqual([0, 1, 1, 1, 1, 1]);
    expect(files.readNpy(file("scalar.npy"))).toMatchObject({ shape: [], dtype: "float32" });
    expect(files.readNpy(file("empty.npy")).shape).toEqual([0, 3]);
    expect(numbers(files.readNpy(file("special.npy"))).slice(0, 4)).toEqual([NaN, Infinity, -Infinity, -0]);
  });

  test("what is written is what NumPy writes, byte by byte", async () => {
    const x = tw.arange(6).reshape([2, 3]);
    for (const dtype of ["float32", "int32", "bool", "float64", "int8", "uint64", "float16"]) {
      expect(await x.cast(dtype).toNpy(), dtype).toEqual(file(`${dtype}.npy`));
    }
    expect(await tw.scalar(1.5).toNpy()).toEqual(file("scalar.npy"));
    expect(await tw.zeros([0, 3]).toNpy()).toEqual(file("empty.npy"));
  });

  test("from an address", async () => {
    const x = await tw.loadNpy(pathToFileURL(resolve(folder, "int64.npy")));
    expect([x.dtype, [...(await x.toArray())]]).toEqual(["int64", [0n, 1n, 2n, 3n, 4n, 5n]]);
    await expect(tw.loadNpy(pathToFileURL("/nowhere.npy"))).rejects.toMatchObject({ code: "io" });
  });

  test("lies are errors", () => {
    const npy = (descr, shape) => {
      const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }`;
      return Uint8Array.from([0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, header.length, 0, ...new TextEncoder().encode(header), ...new Array(8).fill(0)]);
    };
    expect(files.readNpy(npy("<f4", "(2,)")).shape).toEqual([2]);
    const wrong = [["<f4", "(3,)"], ["<f4", "(18446744073709551615, 4)"], ["<f4", "(4294967296, 4294967296)"], ["<f4", "(-2,)"], ["|O", "(1,)"], ["", "(2,)"],
      ["<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 2)"], ["<c4", "(2,)"], ["<f4", "(0, 9007199254740993)"]];
    for (const [descr, shape] of wrong) expect(() => files.readNpy(npy(descr, shape)), `${descr} ${shape}`).toThrow(/^loadNpy: /);
  });
});

describe("archives", () => {
  test.each(["stored.npz", "deflated.npz"])("NumPy's %s", async (name) => {
    const arrays = await tw.loadNpz(file(name));
    expect(Object.keys(arrays)).toEqual(["a", "b", "c"]);
    expect([arrays.a.shape, arrays.b.dtype, arrays.c.shape]).toEqual([[2, 3], "bool", [300]]);
    expect([...(await arrays.a.toArray())]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("every type survives every file", async () => {
    const arrays = everyType();
    for (const content of arrays.values()) expect(files.readNpy(files.writeNpy(content))).toEqual(content);
    for (const compress of [false, true]) expect(await files.readNpz(await files.writeNpz(arrays, { compress }))).toEqual(arrays);
    expect(files.readSafetensors(files.writeSafetensors(arrays))).toEqual(new Map([...arrays].sort(([a], [b]) => (a < b ? -1 : 1))));
    expect(() => files.writeNpy({ data: new Float32Array(1), shape: [2], dtype: "float32" })).toThrow(/not the elements/);
  });

  test("a name may be anything", async () => {
    const x = tw.arange(2);
    const back = await tw.loadNpz(await tw.toNpz({ ["__proto__"]: x, "ünï/cödé": x }));
    expect(Object.keys(back).sort()).toEqual(["__proto__", "ünï/cödé"]);
  });

  test("damage is an error of code io", async () => {
    const reads = [
      [file("float32.npy"), (bytes) => files.readNpy(bytes)],
      [file("fortran.npy"), (bytes) => files.readNpy(bytes)],
      [file("stored.npz"), (bytes) => files.readNpz(bytes)],
      [file("deflated.npz"), (bytes) => files.readNpz(bytes)],
      [files.writeSafetensors(everyType()), (bytes) => files.readSafetensors(bytes)],
    ];
    const code = async (read, bytes) => {
      try {
        await read(bytes);
        return "none";
      } catch (error) {
        return error.code;
      }
    };
    for (const [bytes, read] of reads) {
      for (let cut = 0; cut < bytes.length; cut += 7) expect(await code(read, bytes.slice(0, cut)), `cut to ${cut}`).toBe("io");
      for (let at = 0; at < bytes.length; at += 1) {
        const changed = bytes.slice();
        changed[at] ^= 0x81;
        expect(["none", "io"]).toContain(await code(read, changed));
      }
    }
  });

  test("arrays of a safetensors file do not share bytes", () => {
    const place = { dtype: "F32", shape: [2], data_offsets: [0, 8] };
    const header = new TextEncoder().encode(JSON.stringify({ x: place, y: place }));
    const bytes = Uint8Array.from([header.length, 0, 0, 0, 0, 0, 0, 0, ...header, ...new Array(8).fill(0)]);
    expect(() => files.readSafetensors(bytes)).toThrow(/overlap/);
  });
});

describe("text", () => {
  test("is read as NumPy reads it", async () => {
    const plain = files.readTxt(text("plain.txt"));
    expect([numbers(plain), plain.shape]).toEqual([[1, -2.5, NaN, 1e-30], [2, 2]]);
    const comma = files.readTxt(text("comma.csv"), { delimiter: "," });
    expect([numbers(comma), comma.shape]).toEqual([[0, 1, 2, 3, 4, 5], [2, 3]]);
    const holes = files.readTxt(text("holes.csv"), { delimiter: ",", header: true, blank: NaN });
    expect([holes.names, holes.shape, numbers(holes)]).toEqual([["a", "b", "c"], [2, 3], [1, NaN, 3, 4, NaN, 6]]);
    const some = files.readTxt(text("holes.csv"), { delimiter: ",", header: true, blank: NaN, columns: [-1, 0] });
    expect([some.names, numbers(some)]).toEqual([["c", "a"], [3, 1, 6, 4]]);
    expect(numbers(files.readTxt("x y\n1 2\n3 4\n5 6", { skipRows: 1, maxRows: 2 }))).toEqual([1, 2, 3, 4]);
    expect(numbers(files.readTxt("\ufeff1 +inf -Infinity\r\n# no row\r\n.5 5. 1E2"))).toEqual([1, Infinity, -Infinity, 0.5, 5, 100]);
    const x = await tw.loadTxt("1 2\n3 4", { dtype: "int16" });
    expect([x.dtype, [...(await x.toArray())]]).toEqual(["int16", [1, 2, 3, 4]]);
  });

  test("shapes and mistakes", () => {
    const shape = (lines, minAxes) => files.readTxt(lines, { minAxes }).shape;
    expect([shape("1\n2\n", 0), shape("1 2", 0), shape("1", 0), shape("", 0)]).toEqual([[2], [2], [], [0]]);
    expect([shape("1\n2\n", 2), shape("1 2", 2), shape("1", 2), shape("1", 1)]).toEqual([[2, 1], [1, 2], [1, 1], [1]]);
    for (const lines of ["1 2\n3", "1 x", "1 2\n3 4 5", "0x10", "1_0"]) expect(() => files.readTxt(lines), lines).toThrow(/^loadTxt: line/);
    for (const columns of [[5], [-3], [0.5]]) expect(() => files.readTxt("1 2", { columns })).toThrow(/no column/);
  });

  test("is written as NumPy and C write it", async () => {
    const x = tw.array(new Float64Array([1, -2.5, NaN, 1e-30]), [2, 2]);
    expect(await x.toTxt({ header: "two columns" })).toBe(text("plain.txt"));
    expect(await tw.arange(6).reshape([2, 3]).toTxt({ format: { fixed: 2 }, delimiter: "," })).toBe(text("comma.csv"));
    expect(await tw.array([0.1, 2, 16777216, 1e-7]).toTxt({ format: "shortest" })).toBe("0.1\n2\n16777216\n1e-7\n");
    expect(await tw.array([[3.9, -1.2]]).toTxt({ format: "whole" })).toBe("3 -1\n");
    // Ties go to the even digit, and large numbers have no exponent: Python's '%.0f' and '%.1e'.
    const fixed = await tw.array(new Float64Array([0.5, 1.5, 2.5, -2.5, -0, 1e22, 0.125]), [1, 7]).toTxt({ format: { fixed: 0 } });
    expect(fixed).toBe("0 2 2 -2 -0 10000000000000000000000 0\n");
    expect(await tw.array(new Float64Array([0.125, 0.375, 1.25e100, -0]), [1, 4]).toTxt({ format: { exponent: 1 } })).toBe("1.2e-01 3.8e-01 1.2e+100 -0.0e+00\n");
    expect(await tw.array(new BigInt64Array([2n ** 62n + 1n])).toTxt({ format: "whole" })).toBe("4611686018427387905\n");
    for (const format of [{ fixed: 500 }, { exponent: -1 }]) await expect(x.toTxt({ format })).rejects.toMatchObject({ code: "io" });
    await expect(tw.zeros([1, 1, 1]).toTxt()).rejects.toMatchObject({ code: "io" });
  });
});
