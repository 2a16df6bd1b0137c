// jax-js. Every work is one function under `jit`. A function takes its arguments over; `.ref` keeps them.

import * as jax from "/peers/node_modules/@jax-js/jax/dist/index.js";
import { EPSILON, SCALE, SHIFT } from "../works.js";

const { nn, numpy: np } = jax;

const expressions = {
  matmul: ({ a, b }) => np.matmul(a, b),
  softmax: ({ x }) => nn.softmax(x, -1),
  layerNorm: ({ x, weight, bias }) => nn.standardize(x, -1, { epsilon: EPSILON }).mul(weight).add(bias),
  chain: ({ x }) => np.sqrt(np.tanh(np.exp(np.abs(x).mul(SCALE).add(SHIFT)))),
};

export async function open(device) {
  const name = device === "gpu" ? "webgpu" : "wasm";
  const opened = await jax.init(name);
  if (!opened.includes(name)) throw new Error(`jax-js has no ${name} here`);
  jax.defaultDevice(name);
  return { notes: [], prepare: async (work, inputs) => prepare(work, inputs) };
}

function prepare({ op, shapes }, inputs) {
  const held = Object.fromEntries(Object.entries(inputs).map(([name, data]) => [name, np.array(data).reshape(shapes[name])]));
  const compiled = jax.jit(expressions[op]);
  return {
    compute: () => compiled(Object.fromEntries(Object.entries(held).map(([name, array]) => [name, array.ref]))),
    wait: (result) => jax.blockUntilReady(result),
    read: (result) => result.ref.data(),
    dispose: (result) => result.dispose(),
    close: () => Object.values(held).forEach((array) => array.dispose()),
  };
}
