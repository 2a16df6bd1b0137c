/**
 * Is the GPU alive? Opens it, says what it is, and lets it change one number.
 * @param {{ number: number }} input
 * @param {{ shaders: Record<string, string>, show: object }} tools  the other tabs as text; ways to show results
 * @returns {Promise<number>} what came back
 */
export async function run({ number }, { shaders, show }) {
  // The adapter: a GPU that the browser offers. There may be none.
  const adapter = await navigator.gpu.requestAdapter();
  if (adapter === null) throw new Error("the browser offers no GPU");

  // The device: our own door to it. Everything we make belongs to it.
  const device = await adapter.requestDevice();
  const { info, limits } = adapter;
  show.facts({
    vendor: info.vendor || "not told",
    architecture: info.architecture || "not told",
    description: info.description || "not told",
    "threads per workgroup": limits.maxComputeInvocationsPerWorkgroup,
    "workgroup memory in bytes": limits.maxComputeWorkgroupStorageSize,
    "largest buffer in bytes": limits.maxBufferSize,
  }, "The adapter");

  // Four bytes on the GPU, and four that JavaScript can read.
  const onGpu = device.createBuffer({ size: 4, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC });
  const toRead = device.createBuffer({ size: 4, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  device.queue.writeBuffer(onGpu, 0, new Uint32Array([number]));

  // What to run, and what to run it on. Lesson 2 explains each part.
  const module = device.createShaderModule({ code: shaders["hello.wgsl"] });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: onGpu } }],
  });

  // Commands are written down first. Nothing runs until submit.
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.copyBufferToBuffer(onGpu, 0, toRead, 0, 4);
  const startMs = performance.now();
  device.queue.submit([encoder.finish()]);

  // The GPU works on its own; this waits until it is done.
  await toRead.mapAsync(GPUMapMode.READ);
  const answer = new Uint32Array(toRead.getMappedRange())[0];
  show.text(`Sent ${number}, got ${answer} back after ${(performance.now() - startMs).toFixed(1)} ms.`);
  return answer;
}
