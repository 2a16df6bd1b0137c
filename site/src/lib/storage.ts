// Small values kept in this browser. A browser may refuse storage (private windows, policies); then nothing is remembered and
// nothing breaks.

const PREFIX = "tilework:";

export function load(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function save(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // Full or refused: see above.
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // See above.
  }
}
