/**
 * ReLU on the GPU.
 * @param {{ x: number[], slope: number }} input  slope is for the exercise
 * @param {{ shaders: Record<string, string>, show: object }} tools
 * @returns {Promise<Float32Array>}
 */
export async function run({ x, slope }, { shaders, show }) {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const { STORAGE, UNIFORM, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const sizeBytes = x.length * 4;

  const bufferX = upload(device, new Float32Array(x), STORAGE);
  const bufferY = device.createBuffer({ size: sizeBytes, usage: STORAGE | COPY_SRC });
  const toRead = device.createBuffer({ size: sizeBytes, usage: COPY_DST | MAP_READ });

  const module = device.createShaderModule({ code: shaders["relu.wgsl"] });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [bufferX, bufferY].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });

  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(Math.ceil(x.length / 64));
  pass.end();
  encoder.copyBufferToBuffer(bufferY, 0, toRead, 0, sizeBytes);
  device.queue.submit([encoder.finish()]);

  await toRead.mapAsync(GPUMapMode.READ);
  const y = new Float32Array(toRead.getMappedRange()).slice();
  show.table([...x, ...y], 2, x.length, "x and y");
  return y;
}

/** A buffer with `data` in it. */
function upload(device, data, usage) {
  const buffer = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}
