import { compareNumbers, sampleNumbers, type Case } from "../../check/check";
import { softmaxRows } from "../../digits/network";
import { NumbersField } from "../../inputs/NumbersField";
import { lesson, type InputProps } from "../../lesson";
import softmax from "./code/softmax.wgsl?raw";
import softmaxSolution from "./code/softmax.solution.wgsl?raw";
import host from "./code/host.js?raw";
import { Text } from "./Text";

interface Input {
  readonly x: readonly number[];
  readonly nRows: number;
  readonly nCols: number;
}

function RowInput({ value, onChange }: InputProps<Input>) {
  return (
    <div className="lesson-inputs">
      <NumbersField label="x, one row" value={value.x} max={16} onChange={(x) => onChange({ x, nRows: 1, nCols: x.length })} />
    </div>
  );
}

function caseOf(name: string, x: readonly number[], nCols = x.length): Case {
  const rounded = x.map(Math.fround);
  return { name, input: { x, nRows: x.length / nCols, nCols }, judge: (answer) => compareNumbers(answer, softmaxRows(rounded, nCols), { nCols, tolerance: 2e-5 }) };
}

export default lesson<Input>({
  Text,
  files: [
    { name: "softmax.wgsl", starter: softmax, solution: softmaxSolution },
    { name: "host.js", starter: host, solution: host },
  ],
  input: async () => ({ x: [1, 2, 3, 4, 0, -1], nRows: 1, nCols: 6 }),
  Input: RowInput,
  experiments: [
    <>Type <code>100, 101</code> into the row. <code>exp(100)</code> is infinite in 32 bits, and infinite divided by infinite is NaN. Type <code>-200, -201</code>: now it is 0 / 0.</>,
    <>Remove the barrier inside of the loop. A partner’s sum may not be there yet. On some GPUs the result is wrong, on others right by luck, which is worse.</>,
    <>Move that barrier into the <code>if</code>. The compiler refuses: not all threads would come to it.</>,
    <>Make <code>WIDTH</code> 48. Half of 3 is 1, so the tree loses a sum on its way. Trees like powers of two.</>,
  ],
  exercise: {
    task: <p>Make it <b>stable</b>: find the largest number of the row with a second tree, and subtract it before every <code>exp</code>. The check has rows around 1000 and around −1000, a row of one, and rows longer than a workgroup.</p>,
    hint: (
      <>
        <p>Copy the two loops, with <code>max</code> instead of <code>+</code>, and start from <code>-3.4e38</code>.</p>
        <p>Both trees use <code>part</code>. After reading <code>part[0]</code> of the first one, put a barrier before anybody writes there again.</p>
      </>
    ),
    cases: async () => [
      caseOf("1, 2, 3", [1, 2, 3]),
      caseOf("a row of one", [5]),
      caseOf("rows around 1000 and −1000", [1000, 1001, 1002, -1000, -1001, -1002], 3),
      caseOf("eight times 10000", Array.from({ length: 8 }, () => 10000)),
      caseOf("one far above", [0, 500, 0, -500]),
      caseOf("3 rows of 257", Array.from(sampleNumbers(3 * 257, 6), (value) => value * 30), 257),
    ],
  },
  kernels: [
    { file: "softmax/softmax", words: "rows that fit into registers: read once" },
    { file: "rows/tree", words: "the tree that it shares with other kernels" },
    { file: "rows/subgroup", words: "the same with subgroups: threads that pass numbers on without memory" },
  ],
});
