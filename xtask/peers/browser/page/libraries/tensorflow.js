// TensorFlow.js, from its scripts for pages: they share one global, `tf`.

import { EPSILON, SCALE, SHIFT } from "../works.js";

const FOLDER = "/peers/node_modules/@tensorflow";
const BACKENDS = {
  cpu: { name: "wasm", script: "tfjs-backend-wasm/dist/tf-backend-wasm.min.js" },
  gpu: { name: "webgpu", script: "tfjs-backend-webgpu/dist/tf-backend-webgpu.min.js" },
};

const expressions = {
  matmul: (tf, { a, b }) => tf.matMul(a, b),
  softmax: (tf, { x }) => tf.softmax(x, -1),
  layerNorm: (tf, { x, weight, bias, epsilon }) => {
    const { mean, variance } = tf.moments(x, -1, true);
    return tf.add(tf.mul(tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, epsilon))), weight), bias);
  },
  chain: (tf, { x, scale, shift }) => tf.sqrt(tf.tanh(tf.exp(tf.add(tf.mul(tf.abs(x), scale), shift)))),
};

function addScript(address) {
  const script = Object.assign(document.createElement("script"), { src: address });
  return new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${address} did not load`));
    document.head.append(script);
  });
}

export async function open(device) {
  const { name, script } = BACKENDS[device];
  await addScript(`${FOLDER}/tfjs-core/dist/tf-core.min.js`);
  await addScript(`${FOLDER}/${script}`);
  const { tf } = globalThis;
  if (device === "cpu") {
    tf.wasm.setWasmPaths(`${FOLDER}/tfjs-backend-wasm/dist/`);
    tf.wasm.setThreadsCount(1);
  }
  tf.enableProdMode();
  if (!(await tf.setBackend(name))) throw new Error(`TensorFlow.js has no ${name} here`);
  await tf.ready();
  const notes = device === "cpu" ? ["TensorFlow.js has no layer norm: it is composed of `moments` and element-wise operations."] : [];
  return { notes, prepare: async (work, inputs) => prepare(tf, device, work, inputs) };
}

/** It collects work until there is enough of it or a result is read; there is no public way to wait without reading. */
function finishQueue(backend) {
  backend.endComputePassEncoder();
  backend.submitQueue();
  return backend.queue.onSubmittedWorkDone();
}

function prepare(tf, device, { op, shapes }, inputs) {
  const held = Object.fromEntries(Object.entries(inputs).map(([name, data]) => [name, tf.tensor(data, shapes[name], "float32")]));
  Object.assign(held, { scale: tf.scalar(SCALE), shift: tf.scalar(SHIFT), epsilon: tf.scalar(EPSILON) });
  return {
    compute: () => tf.tidy(() => expressions[op](tf, held)),
    wait: () => (device === "gpu" ? finishQueue(tf.backend()) : undefined),
    read: (result) => result.data(),
    dispose: (result) => result.dispose(),
    close: () => tf.dispose(held),
  };
}
