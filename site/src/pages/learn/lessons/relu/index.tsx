import { compareNumbers, sampleNumbers, type Case } from "../../check/check";
import { NumbersField } from "../../inputs/NumbersField";
import { lesson, type InputProps } from "../../lesson";
import relu from "./code/relu.wgsl?raw";
import reluSolution from "./code/relu.solution.wgsl?raw";
import host from "./code/host.js?raw";
import hostSolution from "./code/host.solution.js?raw";
import { Text } from "./Text";

interface Input {
  readonly x: readonly number[];
  readonly slope: number;
}

function NumbersInput({ value, onChange }: InputProps<Input>) {
  return (
    <div className="lesson-inputs">
      <NumbersField label="x" value={value.x} max={16} onChange={(x) => onChange({ ...value, x })} />
      <NumbersField label="slope" value={[value.slope]} max={1} onChange={([slope = 0]) => onChange({ ...value, slope })} />
    </div>
  );
}

function caseOf(name: string, x: readonly number[], slope: number): Case {
  // The GPU has the slope in single precision.
  const rounded = Math.fround(slope);
  return { name, input: { x, slope }, judge: (answer) => compareNumbers(answer, x.map((value) => (value > 0 ? value : rounded * value)), { tolerance: 1e-6 }) };
}

export default lesson<Input>({
  Text,
  files: [
    { name: "relu.wgsl", starter: relu, solution: reluSolution },
    { name: "host.js", starter: host, solution: hostSolution },
  ],
  input: async () => ({ x: [-2, -1, -0.5, 0, 0.5, 1, 2], slope: 0.1 }),
  Input: NumbersInput,
  experiments: [
    <>Take the <code>if</code> with <code>arrayLength</code> out. The result stays right: WebGPU keeps the threads behind the end from doing harm. In lesson 3 the same omission gave wrong numbers, because there the extra threads hit cells that exist.</>,
    <>Write <code>0</code> instead of <code>0.0</code>. Still fine: WGSL turns the constant into a float. Write <code>0u</code>: refused, since types never mix by themselves.</>,
    <>Bind the same buffer as x and as y. WebGPU refuses: a buffer that is written in a dispatch must not be bound a second time in it.</>,
  ],
  exercise: {
    task: <p>Make it a <b>leaky</b> ReLU: <code>y = x</code> where x is positive, else <code>slope · x</code>. The slope comes with the input and has to reach the kernel in a uniform buffer.</p>,
    hint: (
      <>
        <p>In the kernel: <code>{"@group(0) @binding(2) var<uniform> slope: f32;"}</code> and <code>select(slope * x[i], x[i], x[i] &gt; 0.0)</code>.</p>
        <p>In host.js: <code>upload(device, new Float32Array([slope]), UNIFORM)</code>, and a third buffer in the bind group.</p>
      </>
    ),
    cases: async () => [
      caseOf("slope 0.1", [-2, -1, 0, 1, 2], 0.1),
      caseOf("slope 0, the plain ReLU", [-3, 3, -0.25], 0),
      caseOf("slope 1 changes nothing", [-3, 0, 3], 1),
      caseOf("one number", [-8], 0.25),
      caseOf("large and small numbers", [-1e30, -1e-30, 1e-30, 1e30], 0.5),
      caseOf("1000 numbers", Array.from(sampleNumbers(1000, 5)), 0.01),
    ],
  },
  kernels: [
    { file: "emit/map", words: "fused: relu is a part of an expression, and the whole expression is one kernel" },
    { file: "number_f32/basics", words: "the scalar functions that such expressions are made of" },
  ],
});
