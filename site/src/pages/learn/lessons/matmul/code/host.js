/**
 * Multiplies two matrices on the GPU.
 * @param {{ a: Float32Array, b: Float32Array, nRows: number, nInner: number, nCols: number }} input
 *   a is [nRows, nInner], b is [nInner, nCols], both row by row
 * @param {{ shaders: Record<string, string>, show: object }} tools
 * @returns {Promise<Float32Array>} a · b, [nRows, nCols]
 */
export async function run({ a, b, nRows, nInner, nCols }, { shaders, show }) {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const { STORAGE, UNIFORM, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;

  const bufferA = upload(device, a, STORAGE);
  const bufferB = upload(device, b, STORAGE);
  const bufferC = device.createBuffer({ size: nRows * nCols * 4, usage: STORAGE | COPY_SRC });
  const toRead = device.createBuffer({ size: nRows * nCols * 4, usage: COPY_DST | MAP_READ });
  // The kernel's struct Size: three u32 in this order.
  const size = upload(device, new Uint32Array([nRows, nInner, nCols]), UNIFORM);

  const module = device.createShaderModule({ code: shaders["matmul.wgsl"] });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [bufferA, bufferB, bufferC, size].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });

  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  // Workgroups of 4 × 4 threads: as many as it takes to cover c.
  pass.dispatchWorkgroups(Math.ceil(nCols / 4), Math.ceil(nRows / 4));
  pass.end();
  encoder.copyBufferToBuffer(bufferC, 0, toRead, 0, nRows * nCols * 4);
  device.queue.submit([encoder.finish()]);

  await toRead.mapAsync(GPUMapMode.READ);
  const c = new Float32Array(toRead.getMappedRange()).slice();
  show.table(a, nRows, nInner, "a");
  show.table(b, nInner, nCols, "b");
  show.table(c, nRows, nCols, "c = a · b");
  return c;
}

/** A buffer with `data` in it. */
function upload(device, data, usage) {
  const buffer = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}
