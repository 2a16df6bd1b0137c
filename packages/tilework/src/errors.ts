// The one error type of the package.

/** What kind of thing went wrong; stable across releases. */
export type ErrorCode =
  | "shape"
  | "dtype"
  | "argument"
  | "unsupported"
  | "too_large"
  | "no_device"
  | "device_lost"
  | "out_of_memory"
  | "kernel"
  | "io"
  | "disposed";

const CODES: ReadonlySet<string> = new Set<ErrorCode>([
  "shape",
  "dtype",
  "argument",
  "unsupported",
  "too_large",
  "no_device",
  "device_lost",
  "out_of_memory",
  "kernel",
  "io",
  "disposed",
]);

/** What every method throws, and every promise rejects with, for a mistake or a failing device. */
export class TileworkError extends Error {
  /** What kind of thing went wrong. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TileworkError";
    this.code = code;
  }
}

/** An error as it crosses from a worker. */
export interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Whatever was thrown, as a TileworkError. */
export function toTileworkError(thrown: unknown): TileworkError {
  if (thrown instanceof TileworkError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code: unknown = (thrown as { code?: unknown } | null)?.code;
  if (typeof code === "string" && CODES.has(code)) return new TileworkError(code as ErrorCode, message, { cause: thrown });
  // Anything else is a bug of ours: a trap in the engine, after which nothing it says can be trusted.
  return new TileworkError("kernel", `the engine failed: ${message}`, { cause: thrown });
}

/** The parts of an error that survive the way out of a worker. */
export function toPlainError(thrown: unknown): PlainError {
  const { code, message } = toTileworkError(thrown);
  return { code, message };
}

/** Runs `work`; what it throws is a TileworkError. */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw toTileworkError(thrown);
  }
}
