import { compareNumbers, sampleNumbers } from "../../check/check";
import { NumbersField } from "../../inputs/NumbersField";
import { lesson, type InputProps } from "../../lesson";
import add from "./code/add.wgsl?raw";
import addSolution from "./code/add.solution.wgsl?raw";
import host from "./code/host.js?raw";
import hostSolution from "./code/host.solution.js?raw";
import { Text } from "./Text";

interface Input {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

const MAX_NUMBERS = 16;

function NumbersInput({ value, onChange }: InputProps<Input>) {
  return (
    <div className="lesson-inputs">
      <NumbersField label="a" value={value.a} max={MAX_NUMBERS} onChange={(a) => onChange({ ...value, a })} />
      <NumbersField label="b, as many" value={value.b} max={MAX_NUMBERS} onChange={(b) => onChange({ ...value, b })} />
    </div>
  );
}

export default lesson<Input>({
  Text,
  files: [
    { name: "add.wgsl", starter: add, solution: addSolution },
    { name: "host.js", starter: host, solution: hostSolution },
  ],
  input: async () => ({ a: [2], b: [3] }),
  Input: NumbersInput,
  experiments: [
    <>Give a and b several numbers below the editor, and run. Only the first sum is there; the rest of c is 0, because new buffers are zeroed.</>,
    <>Leave the third entry out of the bind group. The message counts the bindings and names the line.</>,
    <>Remove <code>GPUBufferUsage.COPY_SRC</code> from c. Now nobody may copy from it, and the copy is refused.</>,
    <>Misspell <code>f32</code> in the shader. The compiler’s message stands at its line.</>,
  ],
  exercise: {
    task: <p>Add two <b>lists</b> of any length: <code>c[i] = a[i] + b[i]</code>, one thread per element. Both files need a change. A list of 65 numbers needs two workgroups of 64, and the second one has 63 threads too many.</p>,
    hint: (
      <>
        <p>In the kernel: <code>@workgroup_size(64)</code>, a parameter <code>{"@builtin(global_invocation_id) id: vec3<u32>"}</code>, and an <code>if</code> with <code>arrayLength(&amp;c)</code> around the addition.</p>
        <p>In host.js: <code>Math.ceil(a.length / 64)</code> workgroups.</p>
      </>
    ),
    cases: async () => [1, 2, 64, 65, 1000].map((n) => {
      const a = Array.from(sampleNumbers(n, 1), (value) => Math.round(value * 100));
      const b = Array.from(sampleNumbers(n, 2), (value) => Math.round(value * 100));
      return { name: n === 1 ? "1 number" : `${n} numbers`, input: { a, b }, judge: (answer) => compareNumbers(answer, a.map((value, i) => value + (b[i] ?? 0))) };
    }),
  },
  kernels: [{ file: "emit/map", words: "the frame around every element-by-element computation; the engine writes the inside from your expression" }],
});
