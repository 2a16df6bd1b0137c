// The lessons in their order. One line adds one; its text and code are loaded when it is opened.
import type { Lesson } from "../lesson";

export interface LessonEntry {
  readonly title: string;
  /** What one can do afterwards. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly default: Lesson }>;
}

export const LESSONS: readonly LessonEntry[] = [
  { title: "Adapter and device", summary: "Open the GPU, ask what it is, and get one number back from it.", load: () => import("./device") },
  { title: "Add two numbers", summary: "Buffers, a kernel, a pipeline, a bind group: everything a computation needs, once.", load: () => import("./add") },
  { title: "Matrices and threads", summary: "Which thread computes which cell, and what workgroups are.", load: () => import("./matmul") },
  { title: "ReLU", summary: "The smallest useful kernel, and parameters for it.", load: () => import("./relu") },
  { title: "Softmax", summary: "Threads that work together: a tree in workgroup memory, and numbers that stay in range.", load: () => import("./softmax") },
  { title: "The forward pass", summary: "Five kernels in a row, one submit: 784 → 128 → 10.", load: () => import("./forward") },
  { title: "Real weights, real digits", summary: "A trained network from a file reads handwriting from the MNIST test set.", load: () => import("./weights") },
  { title: "Draw a digit", summary: "Your own handwriting, prepared the way the network expects it.", load: () => import("./draw") },
];
