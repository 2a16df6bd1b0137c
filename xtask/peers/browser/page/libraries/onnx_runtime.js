// ONNX Runtime Web. Every work is a model. On the CPU its interface takes inputs from JavaScript's memory on each run and gives
// results back there; on the GPU both stay in GPU buffers.

import { onnxModel } from "../onnx.js";
import { EPSILON, SCALE, SHIFT } from "../works.js";

const FOLDER = "/peers/node_modules/onnxruntime-web/dist";

const graphs = {
  matmul: { nodes: [{ op: "MatMul", inputs: ["a", "b"], output: "y" }] },
  softmax: { nodes: [{ op: "Softmax", inputs: ["x"], output: "y", attributes: { axis: { int: -1 } } }] },
  layerNorm: {
    nodes: [
      {
        op: "LayerNormalization",
        inputs: ["x", "weight", "bias"],
        output: "y",
        attributes: { axis: { int: -1 }, epsilon: { float: EPSILON } },
      },
    ],
  },
  chain: {
    constants: { scale: SCALE, shift: SHIFT },
    nodes: [
      { op: "Abs", inputs: ["x"], output: "absolute" },
      { op: "Mul", inputs: ["absolute", "scale"], output: "scaled" },
      { op: "Add", inputs: ["scaled", "shift"], output: "shifted" },
      { op: "Exp", inputs: ["shifted"], output: "power" },
      { op: "Tanh", inputs: ["power"], output: "bounded" },
      { op: "Sqrt", inputs: ["bounded"], output: "y" },
    ],
  },
};

export async function open(device) {
  const ort = await import(`${FOLDER}/${device === "gpu" ? "ort.webgpu.min.mjs" : "ort.wasm.min.mjs"}`);
  ort.env.wasm.wasmPaths = `${location.origin}${FOLDER}/`;
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.proxy = false;
  ort.env.logLevel = "error";
  const prepare = device === "gpu" ? prepareOnGpu : prepareOnCpu;
  return { notes: [], prepare: (work, inputs) => prepare(ort, work, inputs) };
}

function modelOf({ op, shapes, shape }) {
  return onnxModel({ inputs: shapes, outputs: { y: shape }, ...graphs[op] });
}

async function prepareOnCpu(ort, work, inputs) {
  const session = await ort.InferenceSession.create(modelOf(work), { executionProviders: ["wasm"], graphOptimizationLevel: "all" });
  const feeds = Object.fromEntries(
    Object.entries(inputs).map(([name, data]) => [name, new ort.Tensor("float32", data, work.shapes[name])]),
  );
  return {
    compute: async () => (await session.run(feeds)).y,
    read: ({ data }) => data,
    dispose: (result) => result.dispose(),
    close: () => session.release(),
  };
}

async function prepareOnGpu(ort, work, inputs) {
  const session = await ort.InferenceSession.create(modelOf(work), {
    executionProviders: ["webgpu"],
    graphOptimizationLevel: "all",
    preferredOutputLocation: "gpu-buffer",
  });
  const device = await ort.env.webgpu.device;
  const feeds = {};
  for (const [name, data] of Object.entries(inputs)) {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = device.createBuffer({ size: data.byteLength, usage });
    device.queue.writeBuffer(buffer, 0, data);
    feeds[name] = ort.Tensor.fromGpuBuffer(buffer, { dataType: "float32", dims: work.shapes[name], dispose: () => buffer.destroy() });
  }
  const close = async () => {
    Object.values(feeds).forEach((tensor) => tensor.dispose());
    await session.release();
  };
  return {
    compute: async () => (await session.run(feeds)).y,
    wait: () => device.queue.onSubmittedWorkDone(),
    read: (result) => result.getData(),
    dispose: (result) => result.dispose(),
    close,
  };
}
