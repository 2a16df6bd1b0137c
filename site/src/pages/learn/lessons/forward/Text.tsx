import { Arrow, Box, Picture } from "../../pictures/Picture";

export function Text() {
  return (
    <>
      <p>Now the parts become a network. An image of 28 × 28 pixels is 784 numbers. The first layer makes 128 of them, ReLU bends, the second layer makes 10: a score for each digit. Softmax turns scores into probabilities, argmax picks the best.</p>
      <ChainPicture />
      <p>A layer is <code>y = W x + b</code>: a matrix product and a bias. The kernel <code>dense.wgsl</code> does both. It works on <code>n</code> images at once; each is a row.</p>
      <p>The code of this lesson is right, and it is how one would write it first: each step goes up to the GPU and comes back. ReLU even runs in JavaScript. For a network this small, nearly all the time goes into waiting. Each <code>mapAsync</code> waits until the GPU has finished everything, and then the GPU waits for us.</p>
      <p>The better way: write <b>all</b> steps into one command encoder and submit once. The result of one kernel is the input of the next, and stays where it is.</p>
      <TripsPicture />
      <p>Is that safe? Yes. Inside a pass, WebGPU runs dispatches in order, and each sees what those before it wrote. Barriers are needed only between threads <i>of one</i> dispatch.</p>
      <p className="small">The weights of this lesson are random, so the digits mean nothing yet. The next lesson brings trained ones.</p>
    </>
  );
}

function ChainPicture() {
  const parts = [
    { label: "784", note: "pixels" },
    { label: "128", note: "dense" },
    { label: "128", note: "ReLU" },
    { label: "10", note: "dense" },
    { label: "10", note: "softmax" },
    { label: "1", note: "argmax" },
  ];
  return (
    <Picture width={400} height={150} label="784 pixels become 128 numbers, after ReLU 10 scores, then 10 probabilities, then one digit" caption="How many numbers there are after each kernel.">
      {parts.map(({ label, note }, i) => {
        const height = [118, 78, 78, 50, 50, 38][i] ?? 40;
        const x = 6 + i * 67;
        return (
          <g key={i}>
            <Box x={x} y={75 - height / 2} width={50} height={height} tone={i === 0 ? "plain" : i === 5 ? "good" : "accent"} label={label} note={note} mono />
            {i < 5 && <Arrow from={[x + 51, 75]} to={[x + 66, 75]} />}
          </g>
        );
      })}
    </Picture>
  );
}

function TripsPicture() {
  return (
    <Picture width={400} height={190} label="Above: four trips between JavaScript and the GPU with waiting in between. Below: one submit with five kernels in a row" caption="Time runs to the right. Gaps are waiting.">
      <text className="pic-note pic-start" x="6" y="14">each step by itself</text>
      <text className="pic-note pic-start" x="6" y="36">JS</text>
      <text className="pic-note pic-start" x="6" y="66">GPU</text>
      {[0, 1, 2, 3].map((i) => (
        <g key={i}>
          <Box x={44 + i * 88} y={26} width={26} height={20} tone="soft" />
          <Box x={82 + i * 88} y={56} width={22} height={20} tone="accent" />
          <Arrow from={[70 + i * 88, 40]} to={[84 + i * 88, 55]} />
          <Arrow from={[104 + i * 88, 56]} to={[130 + i * 88, 42]} />
        </g>
      ))}
      <text className="pic-note pic-start" x="6" y="112">one submit</text>
      <text className="pic-note pic-start" x="6" y="134">JS</text>
      <text className="pic-note pic-start" x="6" y="164">GPU</text>
      <Box x={44} y={124} width={40} height={20} tone="soft" />
      <Arrow from={[84, 138]} to={[96, 153]} />
      {[0, 1, 2, 3, 4].map((i) => <Box key={i} x={96 + i * 24} y={154} width={22} height={20} tone="accent" />)}
      <Arrow from={[216, 154]} to={[234, 140]} />
    </Picture>
  );
}
