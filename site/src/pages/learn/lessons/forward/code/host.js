/**
 * The forward pass 784 → 128, ReLU → 10, softmax → argmax. Right, but it goes back to JavaScript after every step.
 * @param {{ x: Float32Array, n: number, w1: Float32Array, b1: Float32Array, w2: Float32Array, b2: Float32Array }} input
 *   x is [n, 784]; w1 is [128, 784], w2 is [10, 128]
 * @param {{ shaders: Record<string, string>, show: object }} tools
 * @returns {Promise<{ probabilities: Float32Array, digits: number[] }>}
 */
export async function run({ x, n, w1, b1, w2, b2 }, { shaders, show }) {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const { STORAGE, UNIFORM, COPY_SRC } = GPUBufferUsage;
  let nTrips = 0;

  const hidden = await dense(x, w1, b1, 784, 128);
  const active = hidden.map((value) => Math.max(value, 0)); // ReLU in JavaScript
  const scores = await dense(active, w2, b2, 128, 10);

  const bufferP = upload(device, scores, STORAGE | COPY_SRC);
  compute("softmax.wgsl", [bufferP], Math.ceil(n / 64));
  const probabilities = new Float32Array(await read(bufferP));

  const bufferD = empty(n * 4);
  compute("argmax.wgsl", [upload(device, probabilities, STORAGE), bufferD], Math.ceil(n / 64));
  const digits = [...new Uint32Array(await read(bufferD))];

  show.bars(probabilities.slice(0, 10), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], "The first image: probability of each digit");
  show.text(`Most likely: ${digits.join(", ")}. To the GPU and back ${nTrips} times.`);
  return { probabilities, digits };

  /** One layer: up to the GPU and back. */
  async function dense(input, weight, bias, nIn, nOut) {
    const y = empty(n * nOut * 4);
    const size = upload(device, new Uint32Array([n, nIn, nOut]), UNIFORM);
    compute("dense.wgsl", [upload(device, input, STORAGE), upload(device, weight, STORAGE), upload(device, bias, STORAGE), y, size], Math.ceil(nOut / 16), Math.ceil(n / 4));
    return new Float32Array(await read(y));
  }

  /** Runs one kernel, with a submit of its own. */
  function compute(name, buffers, nGroupsX, nGroupsY = 1) {
    const module = device.createShaderModule({ code: shaders[name] });
    const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
    const group = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(nGroupsX, nGroupsY);
    pass.end();
    device.queue.submit([encoder.finish()]);
  }

  /** A buffer's bytes, with a submit of its own for the copy. */
  async function read(buffer) {
    const toRead = device.createBuffer({ size: buffer.size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, toRead, 0, buffer.size);
    device.queue.submit([encoder.finish()]);
    await toRead.mapAsync(GPUMapMode.READ);
    nTrips += 1;
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
