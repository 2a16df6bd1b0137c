import { compareNumbers, sampleNumbers, type Case } from "../../check/check";
import { lesson } from "../../lesson";
import matmul from "./code/matmul.wgsl?raw";
import matmulSolution from "./code/matmul.solution.wgsl?raw";
import host from "./code/host.js?raw";
import { Text } from "./Text";

interface Input {
  readonly a: Float32Array;
  readonly b: Float32Array;
  readonly nRows: number;
  readonly nInner: number;
  readonly nCols: number;
}

/** Small whole numbers, so that a wrong cell is seen at a glance; none is the -0 that rounding also gives. */
function matrix(nRows: number, nCols: number, seed: number): Float32Array {
  return sampleNumbers(nRows * nCols, seed).map((value) => Math.round(value * 5) || 0);
}

function inputOf(nRows: number, nInner: number, nCols: number): Input {
  return { a: matrix(nRows, nInner, 3), b: matrix(nInner, nCols, 4), nRows, nInner, nCols };
}

function caseOf(nRows: number, nInner: number, nCols: number): Case {
  const input = inputOf(nRows, nInner, nCols);
  const expected = Array.from({ length: nRows * nCols }, (_, i) => {
    const [row, col] = [Math.floor(i / nCols), i % nCols];
    let sum = 0;
    for (let k = 0; k < nInner; k++) sum += (input.a[row * nInner + k] ?? 0) * (input.b[k * nCols + col] ?? 0);
    return sum;
  });
  return { name: `[${nRows}, ${nInner}] · [${nInner}, ${nCols}]`, input, judge: (answer) => compareNumbers(answer, expected, { nCols }) };
}

export default lesson<Input>({
  Text,
  files: [
    { name: "matmul.wgsl", starter: matmul, solution: matmulSolution },
    { name: "host.js", starter: host, solution: host },
  ],
  input: async () => inputOf(4, 4, 4),
  experiments: [
    <>Swap <code>id.x</code> and <code>id.y</code> in the kernel. For square matrices the result stays right, since every cell still has exactly one thread. Only the speed changes.</>,
    <>Dispatch one workgroup too few: <code>Math.floor</code> instead of <code>Math.ceil</code>. Here nothing happens; with 5 rows, the last one stays zero.</>,
    <>Dispatch 1,000 workgroups along x instead of 1. Column 4 of row 0 is cell 4, and that is column 0 of row 1: the extra threads write over cells of others. Writes behind the end of c do no harm to your machine, but WebGPU leaves open whether they are dropped or land somewhere inside.</>,
    <>Make the workgroup 32 × 32. That is 1,024 threads, more than the 256 that every device promises.</>,
  ],
  exercise: {
    task: <p>The kernel takes one number, <code>n</code>, for the length of every row. That is right only for square matrices whose side is a multiple of 4. Make it right for <b>any</b> shape.</p>,
    hint: (
      <>
        <p>A row of <code>a</code> has <code>size.n_inner</code> numbers, a row of <code>b</code> and of <code>c</code> has <code>size.n_cols</code>. The sum goes over <code>size.n_inner</code>.</p>
        <p>Threads outside of <code>c</code> have to leave before they write: <code>{"if row >= size.n_rows || col >= size.n_cols { return; }"}</code></p>
      </>
    ),
    cases: async () => [caseOf(4, 4, 4), caseOf(8, 8, 8), caseOf(1, 1, 1), caseOf(3, 5, 2), caseOf(2, 3, 7), caseOf(17, 9, 33), caseOf(1, 64, 5)],
  },
  kernels: [
    { file: "wgsl/matmul_simple", words: "the readable version, one thread per cell as here" },
    { file: "wgsl/matmul_shared", words: "blocks of 4 × 4 cells per thread, read through workgroup memory" },
  ],
});
