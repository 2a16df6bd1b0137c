// One axis or several.

import { TileworkError } from "./errors.js";

/** The axes that options name, under either name. */
export function axesOf(
  name: string,
  { axis, axes }: { readonly axis?: number | readonly number[] | undefined; readonly axes?: readonly number[] | undefined },
): readonly number[] | undefined {
  if (axis !== undefined && axes !== undefined) throw new TileworkError("argument", `${name}: takes "axis" or "axes", not both`);
  return typeof axis === "number" ? [axis] : (axis ?? axes);
}
