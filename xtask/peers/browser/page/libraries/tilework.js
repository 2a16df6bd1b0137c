// Tilework, as a page uses it.

import { open as openDevice } from "/tilework/index.js";
import { EPSILON, SCALE, SHIFT } from "../works.js";

const expressions = {
  matmul: ({ a, b }) => a.matmul(b),
  softmax: ({ x }) => x.softmax({ axis: -1 }),
  layerNorm: ({ x, weight, bias }) => {
    if (x.layerNorm) return x.layerNorm(weight, bias, { epsilon: EPSILON });
    const along = { axis: -1, keepAxes: true };
    return x.sub(x.mean(along)).mul(x.var(along).add(EPSILON).rsqrt()).mul(weight).add(bias);
  },
  chain: ({ x }) => x.abs().mul(SCALE).add(SHIFT).exp().tanh().sqrt(),
};

export async function open(device) {
  const tw = await openDevice({ device });
  const probe = tw.scalar(0);
  const composes = device === "cpu" && !("layerNorm" in probe);
  const notes = composes ? ["Tilework composes the layer norm of means, variances and element-wise operations."] : [];
  probe.dispose();
  return { notes, prepare: async (work, inputs) => prepare(tw, work, inputs) };
}

function prepare(tw, { op, shape, shapes }, inputs) {
  const held = Object.fromEntries(Object.entries(inputs).map(([name, data]) => [name, tw.array(data, shapes[name])]));
  const kept = new Float32Array(shape.reduce((size, n) => size * n, 1));
  return {
    compute: () => expressions[op](held),
    wait: (result) => tw.eval(result),
    read: (result) => result.toArray(kept),
    dispose: (result) => result.dispose(),
    close: () => Object.values(held).forEach((array) => array.dispose()),
  };
}
