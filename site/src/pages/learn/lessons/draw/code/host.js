/**
 * Reads a drawn digit.
 * @param {{ ink: Float32Array, size: number, weights: ArrayBuffer }} input
 *   ink: [size, size], 0 (paper) to 1 (ink); weights: a safetensors file
 * @param {{ shaders: Record<string, string>, show: object }} tools
 * @returns {Promise<{ image: Float32Array, digit: number, probabilities: Float32Array }>}
 */
export async function run({ ink, size, weights }, { shaders, show }) {
  const image = prepare(ink, size);
  const probabilities = await forward(image, weights, shaders);
  const digit = probabilities.indexOf(Math.max(...probabilities));
  show.images([{ pixels: image, caption: "28 × 28" }], 28, 28, "What the network sees");
  show.bars(probabilities, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"], "What it thinks");
  show.text(image.every((value) => value === 0) ? "There is no ink." : `This is a ${digit}.`);
  return { image, digit, probabilities };
}

/** The drawing as MNIST has it: the ink's box scaled into 20 × 20, placed in 28 × 28. */
function prepare(ink, size) {
  const image = new Float32Array(28 * 28);
  const box = boxOf(ink, size);
  if (box === null) return image;

  // The longer side becomes 20 pixels; the shape stays.
  const scale = 20 / Math.max(box.width, box.height);
  const width = Math.max(1, Math.round(box.width * scale));
  const height = Math.max(1, Math.round(box.height * scale));
  const small = shrink(ink, size, box, width, height);

  // The box goes to the middle.
  const left = Math.round((28 - width) / 2);
  const top = Math.round((28 - height) / 2);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) image[(top + y) * 28 + left + x] = small[y * width + x];
  }
  return image;
}

/** The smallest box around the ink; null without any. */
function boxOf(ink, size) {
  let [left, right, top, bottom] = [size, -1, size, -1];
  for (let i = 0; i < ink.length; i++) {
    if (ink[i] <= 0.1) continue;
    left = Math.min(left, i % size);
    right = Math.max(right, i % size);
    top = Math.min(top, Math.floor(i / size));
    bottom = Math.max(bottom, Math.floor(i / size));
  }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** Each small pixel is the mean of the pixels it covers. */
function shrink(ink, size, box, width, height) {
  const small = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const x0 = box.left + Math.floor((x * box.width) / width);
      const x1 = Math.max(x0 + 1, box.left + Math.floor(((x + 1) * box.width) / width));
      const y0 = box.top + Math.floor((y * box.height) / height);
      const y1 = Math.max(y0 + 1, box.top + Math.floor(((y + 1) * box.height) / height));
      let sum = 0;
      for (let row = y0; row < y1; row++) {
        for (let col = x0; col < x1; col++) sum += ink[row * size + col];
      }
      small[y * width + x] = sum / ((x1 - x0) * (y1 - y0));
    }
  }
  return small;
}

/** The network of lesson 7, for one image. */
async function forward(image, weights, shaders) {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const { STORAGE, UNIFORM, COPY_SRC } = GPUBufferUsage;
  const tensors = readSafetensors(weights);
  const onGpu = (name) => upload(device, tensors[name], STORAGE);
  const hidden = device.createBuffer({ size: 128 * 4, usage: STORAGE });
  const scores = device.createBuffer({ size: 10 * 4, usage: STORAGE | COPY_SRC });
  const digit = device.createBuffer({ size: 4, usage: STORAGE });
  const toRead = device.createBuffer({ size: 10 * 4, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });

  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  compute("dense.wgsl", [upload(device, image, STORAGE), onGpu("fc1.weight"), onGpu("fc1.bias"), hidden, sizeOf(784, 128, 1)], 8);
  compute("dense.wgsl", [hidden, onGpu("fc2.weight"), onGpu("fc2.bias"), scores, sizeOf(128, 10, 0)], 1);
  compute("answer.wgsl", [scores, digit], 1);
  pass.end();
  encoder.copyBufferToBuffer(scores, 0, toRead, 0, 10 * 4);
  device.queue.submit([encoder.finish()]);
  await toRead.mapAsync(GPUMapMode.READ);
  return new Float32Array(toRead.getMappedRange()).slice();

  function sizeOf(nIn, nOut, relu) {
    return upload(device, new Uint32Array([1, nIn, nOut, relu]), UNIFORM);
  }

  function compute(name, buffers, nGroups) {
    const module = device.createShaderModule({ code: shaders[name] });
    const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
    const group = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(nGroups);
  }
}

/** Tensors by name. */
function readSafetensors(file) {
  const headerBytes = Number(new DataView(file).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, headerBytes)));
  const start = 8 + headerBytes;
  const tensors = {};
  for (const [name, entry] of Object.entries(header)) {
    if (name !== "__metadata__") tensors[name] = new Float32Array(file.slice(start + entry.data_offsets[0], start + entry.data_offsets[1]));
  }
  return tensors;
}

/** A buffer with `data` in it. */
function upload(device, data, usage) {
  const buffer = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}
