// What went wrong, in a form a screen can show.
import { TileworkError } from "tilework";

export interface Problem {
  readonly code: string;
  readonly message: string;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof TileworkError) return { code: error.code, message: error.message };
  if (error instanceof Error) return { code: "unexpected", message: error.message || error.name };
  return { code: "unexpected", message: String(error) };
}

/** The code of a TileworkError, also of one that came from a worker as plain data. */
export function isLost(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "device_lost";
}
