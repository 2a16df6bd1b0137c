// Right or wrong: what an exercise expects, and the words when something else came.

/** What is known of a call beside its answer. */
export interface CallFacts {
  readonly nSubmits: number;
}

/** One call of the host code. */
export interface Case {
  readonly name: string;
  readonly input: unknown;
  /** Null if the answer is right; else what was expected and what came. */
  readonly judge: (answer: unknown, facts: CallFacts) => string | null;
}

export interface CaseResult {
  readonly name: string;
  readonly passed: boolean;
  readonly message: string;
}

/** A number as a message shows it: short, and telling NaN and infinities. */
export function showNumber(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value !== "number") return String(value).slice(0, 40);
  if (Object.is(value, -0)) return "-0";
  return Number.isInteger(value) || !Number.isFinite(value) ? String(value) : String(Number(value.toPrecision(5)));
}

/** Lists and typed arrays as a list of numbers; null for anything else. */
export function asNumbers(value: unknown): number[] | null {
  if (ArrayBuffer.isView(value) && "length" in value) return Array.from(value as Float32Array);
  return Array.isArray(value) && value.every((one) => typeof one === "number") ? value : null;
}

export interface Closeness {
  /** Allowed difference, relative to the larger of 1 and the expected size; 1e-5 unless told. */
  readonly tolerance?: number;
  /** Columns, for a place like [2, 3] instead of [17]. */
  readonly nCols?: number;
  /** What the numbers are, in the message. */
  readonly what?: string;
}

/** Null if `answer` is `expected`, element by element; else the first difference in words. */
export function compareNumbers(answer: unknown, expected: ArrayLike<number>, { tolerance = 1e-5, nCols, what = "" }: Closeness = {}): string | null {
  const numbers = asNumbers(answer);
  const subject = what === "" ? "" : `${what}: `;
  if (numbers === null) return `${subject}expected a list of ${expected.length} numbers, came ${kindOf(answer)}`;
  if (numbers.length !== expected.length) return `${subject}expected ${expected.length} numbers, came ${numbers.length}`;
  const wrong = numbers.flatMap((number, i) => (isClose(number, expected[i] ?? Number.NaN, tolerance) ? [] : [i]));
  const first = wrong[0];
  if (first === undefined) return null;
  const place = nCols === undefined ? `[${first}]` : `[${Math.floor(first / nCols)}, ${first % nCols}]`;
  const others = wrong.length === 1 ? "" : ` (${wrong.length} of ${expected.length} are wrong)`;
  return `${subject}at ${place} expected ${showNumber(expected[first])}, came ${showNumber(numbers[first])}${others}`;
}

function isClose(actual: number, expected: number, tolerance: number): boolean {
  if (Object.is(actual, expected) || actual === expected) return true;
  return Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected));
}

export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing (does run return its result?)";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list with other things than numbers";
  if (typeof value === "object") return "an object";
  return `${typeof value} ${showNumber(value)}`;
}

/** A field of an answer that should be an object. */
export function fieldOf(answer: unknown, name: string): unknown {
  return typeof answer === "object" && answer !== null ? (answer as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Judges answers by their index; a case without an answer has failed. */
export function judgeAll(cases: readonly Case[], answers: ReadonlyMap<number, { readonly value: unknown; readonly nSubmits: number }>): CaseResult[] {
  return cases.map(({ name, judge }, i) => {
    const answer = answers.get(i);
    if (answer === undefined) return { name, passed: false, message: "no answer came" };
    const message = judge(answer.value, { nSubmits: answer.nSubmits });
    return { name, passed: message === null, message: message ?? "right" };
  });
}

/** The same numbers every time, between -1 and 1, all different: a case must be repeatable. */
export function sampleNumbers(n: number, seed = 1): Float32Array {
  let state = seed * 2654435761;
  return Float32Array.from({ length: n }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state >>> 8) / 0x1000000) * 2 - 1;
  });
}
