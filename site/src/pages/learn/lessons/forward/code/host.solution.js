/**
 * The forward pass 784 → 128, ReLU → 10, softmax → argmax: five kernels, one submit, nothing comes back in between.
 * @param {{ x: Float32Array, n: number, w1: Float32Array, b1: Float32Array, w2: Float32Array, b2: Float32Array }} input
 *   x is [n, 784]; w1 is [128, 784], w2 is [10, 128]
 * @param {{ shaders: Record<string, string>, show: object }} tools
 * @returns {Promise<{ probabilities: Float32Array, digits: number[] }>}
 */
export async function run({ x, n, w1, b1, w2, b2 }, { shaders, show }) {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const { STORAGE, UNIFORM, COPY_SRC } = GPUBufferUsage;

  const hidden = empty(n * 128 * 4);
  const scores = empty(n * 10 * 4);
  const digitsOnGpu = empty(n * 4);
  const size1 = upload(device, new Uint32Array([n, 784, 128]), UNIFORM);
  const size2 = upload(device, new Uint32Array([n, 128, 10]), UNIFORM);

  // Everything is written down first. Each dispatch sees what the ones before it wrote.
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  compute("dense.wgsl", [upload(device, x, STORAGE), upload(device, w1, STORAGE), upload(device, b1, STORAGE), hidden, size1], 8, Math.ceil(n / 4));
  compute("relu.wgsl", [hidden], Math.ceil((n * 128) / 64));
  compute("dense.wgsl", [hidden, upload(device, w2, STORAGE), upload(device, b2, STORAGE), scores, size2], 1, Math.ceil(n / 4));
  compute("softmax.wgsl", [scores], Math.ceil(n / 64));
  compute("argmax.wgsl", [scores, digitsOnGpu], Math.ceil(n / 64));
  pass.end();
  const readProbabilities = copyOut(scores);
  const readDigits = copyOut(digitsOnGpu);
  device.queue.submit([encoder.finish()]);

  const probabilities = new Float32Array(await mapped(readProbabilities));
  const digits = [...new Uint32Array(await mapped(readDigits))];
  show.bars(probabilities.slice(0, 10), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], "The first image: probability of each digit");
  show.text(`Most likely: ${digits.join(", ")}. One submit.`);
  return { probabilities, digits };

  /** Writes one kernel's run down. */
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

  /** Writes the copy of a result down; it can be read after the submit. */
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

/** A buffer with `data` in it. */
function upload(device, data, usage) {
  const buffer = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}
