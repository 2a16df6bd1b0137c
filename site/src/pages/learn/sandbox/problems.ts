// From all that WebGPU complains about to what a learner needs to read.
import type { Problem } from "./messages";

/**
 * One mistake makes everything built on it invalid, and WebGPU says so each time: the first cause stays, its echoes go. The same
 * words at the same place are said once.
 */
export function withoutEchoes(problems: readonly Problem[]): Problem[] {
  const kept: Problem[] = [];
  for (const problem of problems) {
    const isEcho = kept.some((earlier) => earlier.severity === "error") && isAboutInvalidObject(problem);
    const isAgain = kept.some((earlier) => earlier.message === problem.message && earlier.file === problem.file && earlier.line === problem.line);
    if (!isEcho && !isAgain) kept.push(problem);
  }
  return kept;
}

/** "[Invalid ShaderModule] is invalid" in Chromium, "... is invalid" with a kind of object in others. */
function isAboutInvalidObject({ source, message }: Problem): boolean {
  return source === "gpu" && /\[Invalid [A-Za-z]+|\binvalid (?:shader ?module|compute ?pipeline|bind ?group|command ?buffer|buffer)\b|is invalid\b/i.test(message);
}

/** "Error: x\n - While calling [Device].CreateBindGroup(...)." → the first sentence, without what the place already says. */
export function shorten(message: string): string {
  return message.split("\n").filter((line) => !/^\s*- While /.test(line)).join("\n").trim();
}

/** The problems of one file, by line. */
export function byLine(problems: readonly Problem[], file: string): Map<number, Problem[]> {
  const lines = new Map<number, Problem[]>();
  for (const problem of problems) {
    if (problem.file !== file || problem.line === null) continue;
    lines.set(problem.line, [...(lines.get(problem.line) ?? []), problem]);
  }
  return lines;
}
