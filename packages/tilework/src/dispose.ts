/// <reference lib="esnext.disposable" preserve="true" />
// The key of `using` declarations, also where the browser does not have it yet (bundlers fall back to the same symbol).

export const dispose: typeof Symbol.dispose =
  (Symbol as { dispose?: typeof Symbol.dispose }).dispose ?? (Symbol.for("Symbol.dispose") as typeof Symbol.dispose);
