import { compareNumbers, fieldOf, sampleNumbers, type Case } from "../../check/check";
import { forwardOnCpu } from "../../digits/cpu";
import { forward, N_DIGITS, N_HIDDEN, N_PIXELS, type Network } from "../../digits/network";
import { lesson } from "../../lesson";
import { probabilityItems } from "../../output/items";
import argmax from "./code/argmax.wgsl?raw";
import dense from "./code/dense.wgsl?raw";
import host from "./code/host.js?raw";
import hostSolution from "./code/host.solution.js?raw";
import relu from "./code/relu.wgsl?raw";
import softmax from "./code/softmax.wgsl?raw";
import { Text } from "./Text";

interface Input extends Network {
  readonly x: Float32Array;
  readonly n: number;
}

/** Random weights, scaled so that numbers keep their size from layer to layer. */
function randomNetwork(): Network {
  const scaled = (n: number, seed: number, scale: number) => sampleNumbers(n, seed).map((value) => value * scale);
  return {
    w1: scaled(N_HIDDEN * N_PIXELS, 11, Math.sqrt(6 / N_PIXELS)),
    b1: scaled(N_HIDDEN, 12, 0.1),
    w2: scaled(N_DIGITS * N_HIDDEN, 13, Math.sqrt(6 / N_HIDDEN)),
    b2: scaled(N_DIGITS, 14, 0.1),
  };
}

/** Images of noise, or of nothing. */
function inputOf(n: number, kind: "noise" | "empty"): Input {
  const x = kind === "noise" ? sampleNumbers(n * N_PIXELS, 20 + n).map(Math.abs) : new Float32Array(n * N_PIXELS);
  return { x, n, ...randomNetwork() };
}

function caseOf(name: string, input: Input): Case {
  return {
    name,
    input,
    judge: (answer, { nSubmits }) => {
      const expected = forward(input, input.x, input.n);
      const wrong = compareNumbers(fieldOf(answer, "probabilities"), expected.probabilities, { nCols: N_DIGITS, tolerance: 1e-4, what: "probabilities" }) ?? compareNumbers(fieldOf(answer, "digits"), expected.digits, { what: "digits" });
      return wrong ?? (nSubmits === 1 ? null : `the numbers are right, but expected 1 submit, came ${nSubmits}`);
    },
  };
}

const same = (name: string, text: string) => ({ name, starter: text, solution: text });

export default lesson<Input>({
  Text,
  files: [{ name: "host.js", starter: host, solution: hostSolution }, same("dense.wgsl", dense), same("relu.wgsl", relu), same("softmax.wgsl", softmax), same("argmax.wgsl", argmax)],
  input: async () => inputOf(3, "noise"),
  experiments: [
    <>Leave ReLU out. The probabilities change, and nobody complains: a wrong network is still a valid program. This is why there is a check.</>,
    <>In <code>dense.wgsl</code> read <code>weight[i * size.n_out + out]</code>. That is the other layout of a matrix. Same number of reads, all of them wrong.</>,
    <>Forget <code>pass.end()</code>. The encoder will not finish while a pass is open.</>,
    <>Submit the same command buffer twice. WebGPU takes each only once.</>,
  ],
  exercise: {
    task: <p>Do all of it in <b>one submit</b>: dense, ReLU, dense, softmax, argmax and the copies of both results, in one encoder. ReLU runs on the GPU (<code>relu.wgsl</code> is there already). The check counts submits, and tries one image, several, and an empty one.</p>,
    hint: (
      <>
        <p>Make <code>encoder</code> and <code>pass</code> at the top of <code>run</code>, and let <code>compute</code> only set pipeline, bind group and dispatch. Give it the buffers instead of reading them back: <code>hidden</code> is written by the first kernel, changed by ReLU and read by the second layer.</p>
        <p>After <code>pass.end()</code>, copy probabilities and digits into two readable buffers, submit, and only then wait.</p>
      </>
    ),
    cases: async () => [caseOf("one image", inputOf(1, "noise")), caseOf("an empty image", inputOf(1, "empty")), caseOf("3 images", inputOf(3, "noise")), caseOf("17 images", inputOf(17, "noise"))],
  },
  kernels: [
    { file: "wgsl/matvec", words: "products of up to four rows with a matrix: what a single image needs" },
    { file: "softmax/softmax", words: "softmax along any axis" },
    { file: "arg_reduce/arg_reduce", words: "argmax by a tree" },
  ],
  onCpu: async (input) => {
    const { probabilities, digits, ms } = await forwardOnCpu(input, input.x, input.n);
    return probabilityItems(probabilities, `Most likely: ${digits.join(", ")}.`, ms);
  },
});
