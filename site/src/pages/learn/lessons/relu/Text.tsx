import { Picture } from "../../pictures/Picture";

export function Text() {
  return (
    <>
      <p>Between two layers of a network stands a function that bends. Without one, two layers in a row would be no more than a single layer: a matrix times a matrix is a matrix. The simplest bend that works is <b>ReLU</b>: what is negative becomes 0, the rest stays.</p>
      <Curve />
      <p>No element needs its neighbor. So it is one thread per element, like adding lists: read, decide, write.</p>
      <p>There is little to compute, and much to carry. Eight bytes move through memory for one comparison, so the speed of this kernel is the speed of the memory. This is why engines <b>fuse</b>: they let the kernel before it apply the bend while the number is still in a register. Lesson 7 does so.</p>
      <p><b>Parameters.</b> The exercise needs a number that is the same for all threads. Such numbers go into a <b>uniform</b> buffer: small, read-only, fast to read by everybody at once.</p>
      <p>A word on <code>select(a, b, condition)</code>: it takes <code>b</code> where the condition holds. GPU threads run in lockstep, many at a time; where they would have to go different ways, both ways are walked one after the other. A <code>select</code> avoids the fork.</p>
    </>
  );
}

function Curve() {
  return (
    <Picture width={400} height={180} label="ReLU is zero left of zero and a rising line right of it; the leaky ReLU falls slowly to the left" caption={<>ReLU, and dashed the leaky ReLU of the exercise.</>}>
      <line className="pic-axis" x1="20" y1="130" x2="385" y2="130" />
      <line className="pic-axis" x1="200" y1="14" x2="200" y2="168" />
      <polyline className="pic-curve" points="20,130 200,130 310,20" />
      <polyline className="pic-curve-other" points="20,157 200,130" />
      <text className="pic-note" x="378" y="145">x</text>
      <text className="pic-note" x="186" y="22">y</text>
      <text className="pic-note" x="330" y="52">y = x</text>
      <text className="pic-note" x="90" y="116">y = 0</text>
      <text className="pic-note" x="126" y="162">y = slope · x</text>
    </Picture>
  );
}
