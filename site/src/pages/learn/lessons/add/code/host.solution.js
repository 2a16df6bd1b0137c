/**
 * Adds on the GPU.
 * @param {{ a: number[], b: number[] }} input  two lists of the same length
 * @param {{ shaders: Record<string, string>, show: object }} tools
 * @returns {Promise<Float32Array>} a + b
 */
export async function run({ a, b }, { shaders, show }) {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const sizeBytes = a.length * 4;

  // 1. Buffers: memory of the GPU. Each says what it will be used for.
  const bufferA = device.createBuffer({ size: sizeBytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
  const bufferB = device.createBuffer({ size: sizeBytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
  const bufferC = device.createBuffer({ size: sizeBytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const toRead = device.createBuffer({ size: sizeBytes, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  device.queue.writeBuffer(bufferA, 0, new Float32Array(a));
  device.queue.writeBuffer(bufferB, 0, new Float32Array(b));

  // 2. The pipeline: the kernel, compiled for this GPU.
  const module = device.createShaderModule({ code: shaders["add.wgsl"] });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });

  // 3. The bind group: which buffer is @binding(0), (1) and (2).
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [
      { binding: 0, resource: { buffer: bufferA } },
      { binding: 1, resource: { buffer: bufferB } },
      { binding: 2, resource: { buffer: bufferC } },
    ],
  });

  // 4. Commands: run the kernel, then copy the result to where JavaScript can read it.
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  // Enough workgroups of 64 threads for every element.
  pass.dispatchWorkgroups(Math.ceil(a.length / 64));
  pass.end();
  encoder.copyBufferToBuffer(bufferC, 0, toRead, 0, sizeBytes);
  device.queue.submit([encoder.finish()]);

  // 5. Read back. The mapped memory goes away with unmap, so copy it.
  await toRead.mapAsync(GPUMapMode.READ);
  const c = new Float32Array(toRead.getMappedRange()).slice();
  toRead.unmap();
  show.table([...a, ...b, ...c], 3, a.length, "a, b and a + b");
  return c;
}
