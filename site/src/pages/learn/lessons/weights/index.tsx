import { compareNumbers, fieldOf, type Case } from "../../check/check";
import { forwardOnCpu } from "../../digits/cpu";
import { loadImages, loadWeights, networkOf, type DigitImages } from "../../digits/files";
import { forward, N_DIGITS, N_PIXELS } from "../../digits/network";
import { lesson } from "../../lesson";
import { probabilityItems } from "../../output/items";
import answer from "./code/answer.wgsl?raw";
import dense from "./code/dense.wgsl?raw";
import host from "./code/host.js?raw";
import tally from "./code/tally.wgsl?raw";
import tallySolution from "./code/tally.solution.wgsl?raw";
import { Text } from "./Text";

interface Input {
  readonly weights: ArrayBuffer;
  readonly pixels: Uint8Array;
  readonly labels: Uint8Array;
  readonly n: number;
}

const unit = (pixels: Uint8Array) => Float32Array.from(pixels, (value) => value / 255);

function caseOf(name: string, weights: ArrayBuffer, images: DigitImages, rows: readonly number[], relabel: (label: number) => number = (label) => label): Case {
  const pixels = new Uint8Array(rows.length * N_PIXELS);
  rows.forEach((row, i) => pixels.set(images.pixels.subarray(row * N_PIXELS, (row + 1) * N_PIXELS), i * N_PIXELS));
  const labels = Uint8Array.from(rows, (row) => relabel(images.labels[row] ?? 0));
  const input: Input = { weights, pixels, labels, n: rows.length };
  const { digits } = forward(networkOf(weights), unit(pixels), rows.length);
  const counts = new Array<number>(N_DIGITS).fill(0);
  digits.forEach((digit, i) => {
    if (digit === labels[i]) counts[digit] = (counts[digit] ?? 0) + 1;
  });
  return {
    name,
    input,
    judge: (value) => compareNumbers(fieldOf(value, "digits"), digits, { what: "digits" }) ?? compareNumbers(fieldOf(value, "tally"), counts, { what: "tally" }),
  };
}

const same = (name: string, text: string) => ({ name, starter: text, solution: text });
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

export default lesson<Input>({
  Text,
  files: [{ name: "tally.wgsl", starter: tally, solution: tallySolution }, same("host.js", host), same("dense.wgsl", dense), same("answer.wgsl", answer)],
  input: async () => {
    const [weights, images] = await Promise.all([loadWeights(), loadImages()]);
    return { weights, pixels: images.pixels, labels: images.labels, n: images.n };
  },
  experiments: [
    <>In <code>dense.wgsl</code> read <code>weight[i * size.n_out + out]</code>, the layout that PyTorch does not have. About one in ten is right: chance.</>,
    <>Do not divide by 255. This network still finds most digits, but is far too sure of itself; others break.</>,
    <>Multiply <code>fc1.weight</code> by 0 before the upload. Now only the biases speak, and every image is the same digit.</>,
  ],
  exercise: {
    task: <p>The predictions are right, but the GPU’s own count is too small: its counts do not add up. Repair the <b>race</b> in <code>tally.wgsl</code>.</p>,
    hint: <p>Declare <code>{"tally: array<atomic<u32>>"}</code> and use <code>atomicAdd(&amp;tally[…], 1u)</code>. Host code stays as it is: for a buffer, an atomic number is a number.</p>,
    cases: async () => {
      const [weights, images] = await Promise.all([loadWeights(), loadImages()]);
      const first = images.labels.indexOf(7);
      return [
        caseOf("one image", weights, images, [0]),
        caseOf("all 200 images", weights, images, upTo(images.n)),
        caseOf("the same image 100 times", weights, images, upTo(100).map(() => first)),
        caseOf("65 images, all labels wrong", weights, images, upTo(65), (label) => (label + 1) % N_DIGITS),
      ];
    },
  },
  kernels: [
    { file: "bincount/bincount", words: "counts with atomics in workgroup memory first, which is much closer" },
    { file: "wgsl/matmul_direct", words: "the product for many images at once" },
  ],
  onCpu: async ({ weights, pixels, labels, n }) => {
    const { probabilities, digits, ms } = await forwardOnCpu(networkOf(weights), unit(pixels), n);
    const nRight = digits.filter((digit, i) => digit === labels[i]).length;
    return probabilityItems(probabilities, `${nRight} of ${n} right (${((100 * nRight) / n).toFixed(1)} %). The bars are for the first image, a ${labels[0]}.`, ms);
  },
});
