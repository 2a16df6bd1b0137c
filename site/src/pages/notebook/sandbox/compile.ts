// A cell becomes a function: names it declares outlive it in a common scope, `await` works at its top level, and the value of its last
// statement is its result.
import { scan } from "./scan";

export type CellFunction = (scope: Record<string, unknown>) => Promise<unknown>;

/** Everything before the text of the cell stands on this many lines. */
const HEAD = "with (scope) { return (async () => {";
const RESULT = "__result";

/** How a function is made of a text; `new Function` in the sandbox. */
export type Make = (body: string) => CellFunction;

/** The bodies to try, best first: with the last statement as the result, then without any. */
export function bodies(code: string, name: string): string[] {
  const { starts, names } = scan(code);
  const keep = names.map((known) => `try { scope.${known} = ${known}; } catch {}`).join(" ");
  const foot = (result: string) => `\n;${keep} return ${result}; })(); }\n//# sourceURL=${name}`;
  const last = starts.at(-1);
  const tries: string[] = [];
  if (last !== undefined && !/^(?:const|let|var|function|async\s+function|class|if|for|while|do|switch|try|throw|return|import|export|\{)\b|^\{/.test(code.slice(last))) {
    // Without its semicolon a statement is an expression; a comment behind it may hide one.
    const expression = code.slice(last).replace(/;[\s;]*$/, "");
    tries.push(`${HEAD}${code.slice(0, last)};const ${RESULT} = (${expression}\n);${foot(RESULT)}`);
    tries.push(`${HEAD}${code.slice(0, last)};const ${RESULT} = (${expression.replace(/;(?=\s*\/\/[^\n]*$)/, "")}\n);${foot(RESULT)}`);
  }
  return [...tries, `${HEAD}${code}${foot("undefined")}`];
}

/** The first body that is JavaScript, as a function. Throws the SyntaxError of the cell as it stands. */
export function compile(code: string, name: string, make: Make): CellFunction {
  let error: unknown;
  for (const body of bodies(code, name)) {
    try {
      return make(body);
    } catch (thrown) {
      error = thrown;
    }
  }
  throw error;
}

/** `new Function` puts this many lines before a body. */
const LINES_BEFORE = 2;

/** The line of the cell `name` that an error comes from; null if it tells none. */
export function lineOf(stack: string, name: string): number | null {
  const at = stack.indexOf(`${name}:`);
  const line = at < 0 ? NaN : Number.parseInt(stack.slice(at + name.length + 1), 10);
  return Number.isInteger(line) && line > LINES_BEFORE ? line - LINES_BEFORE : null;
}

/** The line at which `code` stops being JavaScript: the first after which the complaint is the same as that about the whole. */
export function lineOfSyntaxError(code: string, complain: (code: string) => string | null): number | null {
  const whole = complain(code);
  if (whole === null) return null;
  const lines = code.split("\n");
  const isSame = (n: number) => complain(lines.slice(0, n).join("\n")) === whole;
  let first = lines.length;
  while (first > 1 && isSame(first - 1)) first -= 1;
  return first;
}
