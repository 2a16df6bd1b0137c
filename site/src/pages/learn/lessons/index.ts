// The lessons in their order: a folder and one line each. All are one file of the build, loaded with the page: a chunk for each would
// move what it shares with the first page out of that page's file, and cost the first visit a handful of requests.
import type { Lesson } from "../lesson";
import add from "./add";
import device from "./device";
import draw from "./draw";
import forward from "./forward";
import matmul from "./matmul";
import relu from "./relu";
import softmax from "./softmax";
import weights from "./weights";

export interface LessonEntry {
  readonly title: string;
  /** What one can do afterwards. */
  readonly summary: string;
  readonly lesson: Lesson;
}

export const LESSONS: readonly LessonEntry[] = [
  { title: "Adapter and device", summary: "Open the GPU, ask what it is, and get one number back from it.", lesson: device },
  { title: "Add two numbers", summary: "Buffers, a kernel, a pipeline, a bind group: everything a computation needs, once.", lesson: add },
  { title: "Matrices and threads", summary: "Which thread computes which cell, and what workgroups are.", lesson: matmul },
  { title: "ReLU", summary: "The smallest useful kernel, and parameters for it.", lesson: relu },
  { title: "Softmax", summary: "Threads that work together: a tree in workgroup memory, and numbers that stay in range.", lesson: softmax },
  { title: "The forward pass", summary: "Five kernels in a row, one submit: 784 → 128 → 10.", lesson: forward },
  { title: "Real weights, real digits", summary: "A trained network from a file reads handwriting from the MNIST test set.", lesson: weights },
  { title: "Draw a digit", summary: "Your own handwriting, prepared the way the network expects it.", lesson: draw },
];
