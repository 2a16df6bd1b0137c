// What a lesson is. Each is a folder in lessons/ whose index gives one of these, and one line in lessons/index.ts.
import type { ComponentType, ReactNode } from "react";
import type { Case } from "./check/check";
import type { ShowItem } from "./sandbox/messages";

/** One tab of the editor; host.js is the script, the others are kernels. */
export interface CodeFile {
  readonly name: string;
  readonly starter: string;
  /** The same as `starter` where the exercise leaves the file alone. */
  readonly solution: string;
}

export interface Exercise {
  readonly task: ReactNode;
  readonly hint: ReactNode;
  /** What `run` is asked, and how its answers are judged. */
  readonly cases: () => Promise<readonly Case[]>;
}

/** The engine's own kernel for the same job. */
export interface KernelLink {
  /** As in the address of the kernels page: "softmax/softmax". */
  readonly file: string;
  readonly words: string;
}

export interface InputProps<T> {
  readonly value: T;
  readonly onChange: (value: T) => void;
  /** Runs the code with this input at once: a drawing is finished, a button was clicked. */
  readonly onRun: (value: T) => void;
}

export interface LessonSpec<T> {
  readonly Text: ComponentType;
  readonly files: readonly CodeFile[];
  /** What Run hands to the host code. */
  readonly input: () => Promise<T>;
  readonly Input?: ComponentType<InputProps<T>>;
  /** Ways to break it, and what then happens. */
  readonly experiments: readonly ReactNode[];
  readonly exercise: Exercise;
  readonly kernels: readonly KernelLink[];
  /** The same computation by the engine on the CPU. */
  readonly onCpu?: (input: T) => Promise<readonly ShowItem[]>;
}

export type Lesson = LessonSpec<unknown>;

/** Forgets the type of the input, which only the lesson itself knows: what `input` gives is what its other parts get. */
export function lesson<T>(spec: LessonSpec<T>): Lesson {
  return spec as unknown as Lesson;
}
