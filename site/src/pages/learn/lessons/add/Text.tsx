import { Arrow, Box, Picture } from "../../pictures/Picture";

export function Text() {
  return (
    <>
      <p>2 + 3 on a GPU takes thirty lines. Not because adding is hard, but because everything is said exactly once and in advance: where the numbers are, what runs, on what. These thirty lines stay the same for any computation.</p>
      <Parts />
      <dl className="terms">
        <div><dt>Buffer</dt><dd>A piece of the GPU’s memory. Its <code>usage</code> says what may happen to it: used by kernels (<code>STORAGE</code>), written by us (<code>COPY_DST</code>), copied out (<code>COPY_SRC</code>), read by JavaScript (<code>MAP_READ</code>).</dd></div>
        <div><dt>Kernel</dt><dd>A function in WGSL, the shading language of WebGPU. <code>@compute</code> marks it, <code>@workgroup_size</code> says how many threads start together.</dd></div>
        <div><dt>Pipeline</dt><dd>The kernel, compiled for this GPU. Mistakes in it show here, with their line.</dd></div>
        <div><dt>Bind group</dt><dd>Ties buffers to the <code>@binding</code> numbers of the kernel.</dd></div>
        <div><dt>Dispatch</dt><dd>Starts workgroups. <code>dispatchWorkgroups(3)</code> with a workgroup size of 64 starts 192 threads.</dd></div>
        <div><dt>Read back</dt><dd>Kernels write to memory that JavaScript cannot see. So the result is copied into a second buffer, and that one is mapped.</dd></div>
      </dl>
      <p>Every thread runs the same function. What makes threads different is their number: <code>@builtin(global_invocation_id)</code>. One thread per number is how a GPU adds a million of them: not faster one after the other, but all at once.</p>
    </>
  );
}

function Parts() {
  return (
    <Picture width={400} height={190} label="Buffers a and b go through bindings 0 and 1 into the kernel; binding 2 is buffer c, which is copied to a buffer that JavaScript can read" caption="Everything a computation needs.">
      <Box x={6} y={14} width={70} height={40} label="a" note="binding 0" mono />
      <Box x={6} y={74} width={70} height={40} label="b" note="binding 1" mono />
      <Box x={128} y={38} width={112} height={52} tone="accent" label="c = a + b" note="kernel" mono />
      <Box x={292} y={44} width={70} height={40} label="c" note="binding 2" mono />
      <Box x={292} y={138} width={70} height={40} tone="soft" label="toRead" />
      <Box x={128} y={138} width={112} height={40} tone="good" label="JavaScript" />
      <Arrow from={[78, 36]} to={[126, 56]} />
      <Arrow from={[78, 92]} to={[126, 72]} />
      <Arrow from={[242, 64]} to={[290, 64]} />
      <Arrow from={[327, 86]} to={[327, 136]} />
      <Arrow from={[290, 158]} to={[242, 158]} label="map" />
      <text className="pic-note" x={356} y={112}>copy</text>
    </Picture>
  );
}
