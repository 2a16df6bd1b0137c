import { Dialog } from "../ui/Dialog";
import { TableFrame } from "../ui/layout";

/** Which browsers have WebGPU, and what to switch on where it is not on by itself. */
export function BrowserTable() {
  return (
    <TableFrame label="Browsers with WebGPU" className="browser-table">
      <thead><tr><th scope="col">Browser</th><th scope="col">WebGPU</th><th scope="col">If it is missing</th></tr></thead>
      <tbody>
        <tr><th scope="row">Chrome, Edge (Windows, macOS)</th><td>since 113</td><td>Update; switch on “graphics acceleration” in the settings</td></tr>
        <tr><th scope="row">Chrome (Android 12+)</th><td>since 121</td><td>Update Chrome and the system</td></tr>
        <tr><th scope="row">Chrome, Edge (Linux)</th><td>depends on the driver</td><td><code>chrome://flags/#enable-unsafe-webgpu</code> and <code>#enable-vulkan</code></td></tr>
        <tr><th scope="row">Safari (macOS, iOS)</th><td>since 26</td><td>Before 26: Settings, Safari, Feature Flags, WebGPU</td></tr>
        <tr><th scope="row">Firefox (Windows)</th><td>since 141</td><td><code>dom.webgpu.enabled</code> in <code>about:config</code></td></tr>
        <tr><th scope="row">Firefox (elsewhere)</th><td>being rolled out</td><td><code>dom.webgpu.enabled</code> in <code>about:config</code></td></tr>
      </tbody>
    </TableFrame>
  );
}

export function WebGpuHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title="How to get WebGPU" open={open} onClose={onClose}>
      <p>WebGPU is how a page reaches the graphics card. It also needs a secure address: <code>https</code>, or <code>localhost</code>.</p>
      <BrowserTable />
      <p>Without it the same operations run on the CPU by WebAssembly SIMD: same results, only slower for large arrays.</p>
    </Dialog>
  );
}
