import { asNumbers, fieldOf, kindOf, type Case } from "../../check/check";
import { forwardOnCpu } from "../../digits/cpu";
import { loadWeights, networkOf } from "../../digits/files";
import { inkBox, massMiddle, MIDDLE, prepare, SIDE } from "../../digits/prepare";
import { DIGIT_STROKES, drawStrokes, type Point } from "../../digits/strokes";
import { DrawPad } from "../../inputs/DrawPad";
import { PAD_SIZE, type Ink } from "../../inputs/ink";
import { lesson, type InputProps } from "../../lesson";
import { probabilityItems } from "../../output/items";
import answer from "../weights/code/answer.wgsl?raw";
import dense from "../weights/code/dense.wgsl?raw";
import host from "./code/host.js?raw";
import hostSolution from "./code/host.solution.js?raw";
import { Text } from "./Text";

interface Input {
  readonly ink: Ink;
  readonly size: number;
  readonly weights: ArrayBuffer;
}

type Strokes = readonly (readonly Point[])[];

const SAMPLES = Object.entries(DIGIT_STROKES).map(([name, strokes]) => ({ name, ink: () => drawStrokes(strokes, PAD_SIZE) }));

function PadInput({ value, onChange, onRun }: InputProps<Input>) {
  return <DrawPad start={value.ink} samples={SAMPLES} onDrawn={(ink) => onRun({ ...value, ink })} onClear={(ink) => onChange({ ...value, ink })} />;
}

// Whole pixels can miss by half of one; a little more for other ways to round.
const TOLERANCE = 0.75;

/** Null if the image is a proper one: the middle of its mass in the middle, its longer side about 20. */
export function judgeImage(value: unknown, ink: Ink): string | null {
  const image = asNumbers(value);
  if (image === null || image.length !== SIDE * SIDE) return `image: expected ${SIDE * SIDE} numbers, came ${image === null ? kindOf(value) : image.length}`;
  if (!image.every(Number.isFinite)) return "image: expected numbers, came NaN";
  const middle = massMiddle(image, SIDE);
  if (inkBox(ink, PAD_SIZE) === null) return middle === null ? null : "expected an empty image, came one with ink";
  if (middle === null) return "expected an image with ink, came an empty one";
  const box = inkBox(image, SIDE);
  const side = Math.max(box?.width ?? 0, box?.height ?? 0);
  if (side < 18 || side > 21) return `the longer side: expected 20 pixels, came ${side}`;
  const isNear = (place: number) => Math.abs(place - MIDDLE) <= TOLERANCE;
  const words = `(${middle.x.toFixed(1)}, ${middle.y.toFixed(1)})`;
  return isNear(middle.x) && isNear(middle.y) ? null : `the middle of the mass: expected (${MIDDLE}, ${MIDDLE}), came ${words}`;
}

const moved = (strokes: Strokes, scale: number, dx: number, dy: number): Strokes => strokes.map((stroke) => stroke.map(([x, y]) => [x * scale + dx, y * scale + dy] as const));

function caseOf(name: string, strokes: Strokes, weights: ArrayBuffer): Case {
  const ink = drawStrokes(strokes, PAD_SIZE);
  return { name, input: { ink, size: PAD_SIZE, weights }, judge: (value) => judgeImage(fieldOf(value, "image"), ink) };
}

const same = (name: string, text: string) => ({ name, starter: text, solution: text });

export default lesson<Input>({
  Text,
  files: [{ name: "host.js", starter: host, solution: hostSolution }, same("dense.wgsl", dense), same("answer.wgsl", answer)],
  input: async () => ({ ink: new Float32Array(PAD_SIZE * PAD_SIZE), size: PAD_SIZE, weights: await loadWeights() }),
  Input: PadInput,
  experiments: [
    <>Scale to 28 instead of 20, so that the digit fills the image. The network was never shown such a thing, and its answers get worse.</>,
    <>Turn the ink around: <code>1 - small[y * width + x]</code>. Black on white is another world for it.</>,
    <>Draw a letter, or a face. The network has no word for “none of these”: softmax always adds up to 1.</>,
  ],
  exercise: {
    task: <p>The code puts the <b>box</b> of the ink into the middle. MNIST puts the middle of the <b>mass</b> there: the mean position of the ink, at pixel (14, 14). Do the same. An empty pad must stay an empty image.</p>,
    hint: (
      <>
        <p>For <code>small</code>, add up <code>value</code>, <code>value * x</code> and <code>value * y</code> over all its pixels. The mean x is the second sum divided by the first.</p>
        <p>Then <code>left = Math.round(14 - meanX)</code>, kept between 0 and <code>28 - width</code>, and the same for <code>top</code>.</p>
      </>
    ),
    cases: async () => {
      const weights = await loadWeights();
      const [one = [], four = [], seven = []] = [DIGIT_STROKES[1], DIGIT_STROKES[4], DIGIT_STROKES[7]];
      return [
        caseOf("a seven", seven, weights),
        caseOf("a small seven in a corner", moved(seven, 0.4, 0.02, 0.02), weights),
        caseOf("a four", four, weights),
        caseOf("a one", one, weights),
        caseOf("a heavy foot", [[[0.3, 0.1], [0.3, 0.9], [0.7, 0.9], [0.7, 0.8], [0.3, 0.8]]], weights),
        caseOf("one dot", [[[0.8, 0.2]]], weights),
        caseOf("an empty pad", [], weights),
      ];
    },
  },
  kernels: [
    { file: "wgsl/matvec", words: "the product for a single image" },
    { file: "softmax/softmax", words: "softmax along any axis" },
  ],
  onCpu: async ({ ink, size, weights }) => {
    const image = prepare(ink, size);
    const { probabilities, digits, ms } = await forwardOnCpu(networkOf(weights), image, 1);
    const isEmpty = image.every((value) => value === 0);
    return [
      { type: "images", title: "What the network sees", width: SIDE, height: SIDE, images: [{ pixels: [...image], caption: "28 × 28", wrong: false }] },
      ...probabilityItems(probabilities, isEmpty ? "There is no ink." : `This is a ${digits[0]}.`, ms),
    ];
  },
});
