/**
 * Softmax of every row on the GPU.
 * @param {{ x: number[], nRows: number, nCols: number }} input  x is [nRows, nCols], row by row
 * @param {{ shaders: Record<string, string>, show: object }} tools
 * @returns {Promise<Float32Array>} [nRows, nCols]; every row adds up to 1
 */
export async function run({ x, nRows, nCols }, { shaders, show }) {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const { STORAGE, UNIFORM, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const sizeBytes = nRows * nCols * 4;

  const bufferX = upload(device, new Float32Array(x), STORAGE);
  const bufferY = device.createBuffer({ size: sizeBytes, usage: STORAGE | COPY_SRC });
  const size = upload(device, new Uint32Array([nRows, nCols]), UNIFORM);
  const toRead = device.createBuffer({ size: sizeBytes, usage: COPY_DST | MAP_READ });

  const module = device.createShaderModule({ code: shaders["softmax.wgsl"] });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [bufferX, bufferY, size].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });

  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  // One workgroup per row.
  pass.dispatchWorkgroups(nRows);
  pass.end();
  encoder.copyBufferToBuffer(bufferY, 0, toRead, 0, sizeBytes);
  device.queue.submit([encoder.finish()]);

  await toRead.mapAsync(GPUMapMode.READ);
  const y = new Float32Array(toRead.getMappedRange()).slice();
  show.bars(y.slice(0, nCols), x.slice(0, nCols), "Softmax of the first row");
  show.text("Sum of that row:", y.slice(0, nCols).reduce((sum, value) => sum + value, 0));
  return y;
}

/** A buffer with `data` in it. */
function upload(device, data, usage) {
  const buffer = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}
