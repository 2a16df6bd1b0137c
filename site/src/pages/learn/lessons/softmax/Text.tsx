import { Picture } from "../../pictures/Picture";
import { TreePicture } from "./TreePicture";

export function Text() {
  return (
    <>
      <p>Softmax turns scores into probabilities: take <code>exp</code> of each, divide by the sum. Large scores get nearly everything, all are positive, together they are 1.</p>
      <p>The sum is new. So far no thread needed another one; now all of a row have to come together. One thread could add up 64 numbers in 63 steps. A <b>tree</b> needs 6: in each step half of the threads add the number of a partner.</p>
      <TreePicture />
      <p>The partners meet in <b>workgroup memory</b>: <code>{"var<workgroup>"}</code>, a few kilobytes that the threads of one workgroup share. It is much closer than a buffer.</p>
      <p>But nobody knows which thread is ahead. <code>workgroupBarrier()</code> holds each until all have arrived, and until what they wrote can be seen. Without it, a thread may read its partner’s place too early. All threads must reach the barrier, so it never stands inside of an <code>if</code>.</p>
      <h3>Numbers that stay in range</h3>
      <RangePicture />
      <p>A 32-bit float ends at 3.4 · 10³⁸, so <code>exp(89)</code> is already infinite. Infinite divided by infinite is not a number. The cure is algebra: with m the largest of the row,</p>
      <p className="formula">exp(x − m) / Σ exp(x − m) = exp(x) e⁻ᵐ / (Σ exp(x) e⁻ᵐ) = exp(x) / Σ exp(x)</p>
      <p>The result is the same, but now the largest exponent is 0. Nothing overflows, and the sum is at least 1.</p>
    </>
  );
}

function RangePicture() {
  return (
    <Picture width={400} height={120} label="exp of x fits into a 32-bit float for x from about minus 103 to 88; below it is zero, above it is infinite" caption="Where exp(x) is a number in 32 bits.">
      <rect className="pic-range-bad" x="14" y="40" width="92" height="26" rx="4" />
      <rect className="pic-range-good" x="108" y="40" width="184" height="26" rx="4" />
      <rect className="pic-range-bad" x="294" y="40" width="92" height="26" rx="4" />
      <text className="pic-note" x="60" y="54">0</text>
      <text className="pic-note" x="200" y="54">a number</text>
      <text className="pic-note" x="340" y="54">infinite</text>
      <text className="pic-note" x="108" y="82">−103</text>
      <text className="pic-note" x="208" y="82">0</text>
      <text className="pic-note" x="294" y="82">88</text>
      <text className="pic-note" x="340" y="104">→ NaN</text>
      <text className="pic-note" x="60" y="104">0 / 0 → NaN</text>
    </Picture>
  );
}
