/**
 * Reads real handwriting with real weights.
 * @param {{ weights: ArrayBuffer, pixels: Uint8Array, labels: Uint8Array, n: number }} input
 *   weights: a safetensors file; pixels: [n, 784], 0 to 255; labels: the right answers
 * @param {{ shaders: Record<string, string>, show: object }} tools
 * @returns {Promise<{ digits: number[], tally: number[] }>} the answers; right answers by digit, counted on the GPU
 */
export async function run({ weights, pixels, labels, n }, { shaders, show }) {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const { STORAGE, UNIFORM, COPY_SRC } = GPUBufferUsage;

  const tensors = readSafetensors(weights);
  const onGpu = (name) => upload(device, tensors[name].values, STORAGE);
  // The network was trained on numbers from 0 to 1.
  const x = upload(device, Float32Array.from(pixels, (value) => value / 255), STORAGE);
  const hidden = empty(n * 128 * 4);
  const scores = empty(n * 10 * 4);
  const digitsOnGpu = empty(n * 4);
  const tallyOnGpu = empty(10 * 4);

  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  compute("dense.wgsl", [x, onGpu("fc1.weight"), onGpu("fc1.bias"), hidden, sizeOf(784, 128, 1)], 8, Math.ceil(n / 4));
  compute("dense.wgsl", [hidden, onGpu("fc2.weight"), onGpu("fc2.bias"), scores, sizeOf(128, 10, 0)], 1, Math.ceil(n / 4));
  compute("answer.wgsl", [scores, digitsOnGpu], Math.ceil(n / 64));
  compute("tally.wgsl", [digitsOnGpu, upload(device, Uint32Array.from(labels), STORAGE), tallyOnGpu], Math.ceil(n / 64));
  pass.end();
  const [readDigits, readTally] = [copyOut(digitsOnGpu), copyOut(tallyOnGpu)];
  device.queue.submit([encoder.finish()]);

  const digits = [...new Uint32Array(await mapped(readDigits))];
  const tally = [...new Uint32Array(await mapped(readTally))];
  report();
  return { digits, tally };

  function report() {
    const nRight = digits.filter((digit, i) => digit === labels[i]).length;
    show.text(`${nRight} of ${n} right (${((100 * nRight) / n).toFixed(1)} %).`);
    show.bars(tally, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"], "Right answers by digit, as the GPU counted them");
    show.text(`The GPU's counts add up to ${tally.reduce((sum, count) => sum + count, 0)}.`);
    // The wrong ones first: they are the interesting ones.
    const order = [...digits.keys()].sort((a, b) => Number(digits[a] === labels[a]) - Number(digits[b] === labels[b]));
    const images = order.slice(0, 40).map((i) => ({
      pixels: Array.from(pixels.subarray(i * 784, (i + 1) * 784), (value) => value / 255),
      caption: digits[i] === labels[i] ? `${digits[i]}` : `${digits[i]}, is ${labels[i]}`,
      wrong: digits[i] !== labels[i],
    }));
    show.images(images, 28, 28, "What the network says");
  }

  function sizeOf(nIn, nOut, relu) {
    return upload(device, new Uint32Array([n, nIn, nOut, relu]), UNIFORM);
  }

  function compute(name, buffers, nGroupsX, nGroupsY = 1) {
    const module = device.createShaderModule({ code: shaders[name] });
    const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
    const group = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(nGroupsX, nGroupsY);
  }

  function copyOut(buffer) {
    const toRead = device.createBuffer({ size: buffer.size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    encoder.copyBufferToBuffer(buffer, 0, toRead, 0, buffer.size);
    return toRead;
  }

  async function mapped(toRead) {
    await toRead.mapAsync(GPUMapMode.READ);
    return toRead.getMappedRange().slice(0);
  }

  function empty(sizeBytes) {
    return device.createBuffer({ size: sizeBytes, usage: STORAGE | COPY_SRC });
  }
}

/** Header length (u64), header (JSON), then all numbers: that is the whole format. */
function readSafetensors(file) {
  const headerBytes = Number(new DataView(file).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, headerBytes)));
  const start = 8 + headerBytes;
  return Object.fromEntries(Object.entries(header).filter(([name]) => name !== "__metadata__").map(([name, { shape, data_offsets: [from, to] }]) => {
    return [name, { shape, values: new Float32Array(file.slice(start + from, start + to)) }];
  }));
}

/** A buffer with `data` in it. */
function upload(device, data, usage) {
  const buffer = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}
