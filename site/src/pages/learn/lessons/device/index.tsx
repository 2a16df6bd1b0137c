import { showNumber } from "../../check/check";
import { lesson } from "../../lesson";
import hello from "./code/hello.wgsl?raw";
import helloSolution from "./code/hello.solution.wgsl?raw";
import host from "./code/host.js?raw";
import { Text } from "./Text";

interface Input {
  readonly number: number;
}

// 65536² is 2³², which wraps around to 0; the largest number squared is 1.
const NUMBERS = [12, 0, 1, 65535, 65536, 4294967295];

export default lesson<Input>({
  Text,
  files: [
    { name: "hello.wgsl", starter: hello, solution: helloSolution },
    { name: "host.js", starter: host, solution: host },
  ],
  input: async () => ({ number: 41 }),
  experiments: [
    <>Ask for 2 bytes instead of 4 in the first <code>createBuffer</code>. Our number no longer fits, WebGPU refuses the write, and the message names the line.</>,
    <>Write <code>number[1]</code> in the shader. The buffer has only one number. Nothing crashes: WebGPU keeps every access inside its buffer, so your neighbor’s memory is safe from you.</>,
    <>Leave out <code>await</code> before <code>toRead.mapAsync</code>. JavaScript does not wait, and the memory is not there yet.</>,
  ],
  exercise: {
    task: <p>Let the GPU answer with the <b>square</b> of the number instead. Only one line of <code>hello.wgsl</code> has to change.</p>,
    hint: <p>Numbers here are <code>u32</code>: whole, 32 bits, never negative. When a result needs more bits, the upper ones are dropped, so 65536 · 65536 is 0. That is not an error; the check expects it.</p>,
    cases: async () => NUMBERS.map((number) => ({
      name: String(number),
      input: { number },
      judge: (answer) => {
        const expected = Math.imul(number, number) >>> 0;
        return answer === expected ? null : `expected ${expected}, came ${showNumber(answer)}`;
      },
    })),
  },
  kernels: [{ file: "run/guard", words: "one of the smallest kernels: writes words behind a result, to find out whether anybody touches them" }],
});
