// Inputs that can be left out.

import type { Operand } from "./backend.js";
import { TileworkError } from "./errors.js";

/** The inputs that were not left out. Those after one that was left out would be taken for it. */
export function given(name: string, inputs: readonly (Operand | undefined)[]): Operand[] {
  const present = inputs.filter((input): input is Operand => input !== undefined);
  if (inputs.slice(0, present.length).includes(undefined)) {
    throw new TileworkError("argument", `${name}: an input was left out, but not the one after it`);
  }
  return present;
}
