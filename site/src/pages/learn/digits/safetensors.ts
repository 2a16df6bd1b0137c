// Reads the safetensors format: the length of a header as u64, the header as JSON, then the numbers of all tensors.

export interface Tensor {
  /** Outermost first. */
  readonly shape: readonly number[];
  /** Row by row. */
  readonly values: Float32Array;
}

interface HeaderEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** First byte and the one behind the last, counted from the end of the header. */
  readonly data_offsets: readonly [number, number];
}

const LENGTH_BYTES = 8;

/** The tensors by name; only F32 is read. Throws, with the reason, if the file is not what it should be. */
export function readSafetensors(file: ArrayBuffer): Map<string, Tensor> {
  if (file.byteLength < LENGTH_BYTES) throw new Error("the file is too short to be safetensors");
  const headerBytes = Number(new DataView(file).getBigUint64(0, true));
  const dataStart = LENGTH_BYTES + headerBytes;
  if (dataStart > file.byteLength) throw new Error(`the header should have ${headerBytes} bytes, the file has ${file.byteLength}`);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, LENGTH_BYTES, headerBytes))) as Record<string, HeaderEntry>;
  const tensors = new Map<string, Tensor>();
  for (const [name, { dtype, shape, data_offsets: [start, end] = [0, 0] }] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    if (dtype !== "F32") throw new Error(`${name} is ${dtype}; only F32 is read here`);
    const n = shape.reduce((product, size) => product * size, 1);
    if (end - start !== n * 4 || dataStart + end > file.byteLength) throw new Error(`${name} should have ${n} numbers`);
    // A copy, since a view would need an address that is a multiple of four.
    tensors.set(name, { shape, values: new Float32Array(file.slice(dataStart + start, dataStart + end)) });
  }
  return tensors;
}
