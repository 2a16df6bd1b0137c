import { Arrow, Box, Picture } from "../../pictures/Picture";

export function Text() {
  return (
    <>
      <p>A GPU is a computer beside your computer. It has its own memory and thousands of small processors. A web page cannot touch it directly: it asks the browser, in three steps.</p>
      <Doors />
      <ol>
        <li><b>Adapter.</b> <code>navigator.gpu.requestAdapter()</code> asks which GPU there is. The adapter tells its name and its limits. On a machine with two GPUs the browser picks one.</li>
        <li><b>Device.</b> <code>adapter.requestDevice()</code> opens it for us alone. Other pages have devices of their own and see nothing of ours.</li>
        <li><b>Queue.</b> <code>device.queue.submit()</code> hands over a list of commands. JavaScript goes on at once; the GPU works when it can.</li>
      </ol>
      <p>How do we know that anything happened? We send a number, let the GPU change it, and read it back. If 41 goes in and 42 comes out, everything in between works.</p>
      <p>A name such as <i>swiftshader</i> or <i>llvmpipe</i> means that a program on the CPU plays the GPU. That is slow but correct, and enough for all eight lessons.</p>
      <p className="small">The code runs as you see it, in a frame that is closed off from this page. <code>shaders</code> holds the other tabs as text, and <code>show</code> draws tables and bars below the editor; all the rest is plain WebGPU.</p>
    </>
  );
}

function Doors() {
  return (
    <Picture width={400} height={170} label="JavaScript hands commands to the queue of a device, which reaches the GPU; results come back by mapping a buffer" caption="Two computers, and the only door between them.">
      <Box x={6} y={45} width={104} height={80} label="JavaScript" note="your page" />
      <Box x={292} y={45} width={102} height={80} tone="accent" label="GPU" note="its own memory" />
      <Box x={157} y={12} width={86} height={146} tone="soft" label="device" note="of the adapter" />
      <Arrow from={[112, 68]} to={[155, 68]} label="submit" />
      <Arrow from={[245, 68]} to={[290, 68]} label="queue" />
      <Arrow from={[290, 106]} to={[245, 106]} label="copy" />
      <Arrow from={[155, 106]} to={[112, 106]} label="map" />
    </Picture>
  );
}
