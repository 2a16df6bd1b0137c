// Mistakes that WebGPU reports beside the calls: a command buffer it refuses is not run, and would look fast.

const messages = [];

/** From now on the errors of every device that this page opens are kept. */
export function watchGpuErrors() {
  if (globalThis.GPUAdapter === undefined) return;
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (...options) {
    const device = await requestDevice.apply(this, options);
    device.addEventListener("uncapturederror", ({ error }) => messages.push(error.message));
    return device;
  };
}

/** Throws the first of those that came since the last call. */
export function throwGpuErrors() {
  const [first] = messages.splice(0);
  if (first !== undefined) throw new Error(`WebGPU reports: ${first}`);
}
