/** What a new line starts with, after `before`: the spaces of the last line, and one step more after an opening bracket. */
export function indentAfter(before: string): string {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const spaces = /^[ \t]*/.exec(line)?.[0] ?? "";
  if (!/[{([]\s*$/.test(line)) return spaces;
  // As deep as the text around it: kernels are indented by four, scripts by two.
  const step = /^ {4}\S/m.test(before) && !/^ {2}\S/m.test(before) ? 4 : 2;
  return spaces + " ".repeat(step);
}
