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

/** False if it could not be kept: full, or refused. */
export function save(key: string, value: string): boolean {
  try {
    localStorage.setItem(PREFIX + key, value);
    return true;
  } catch {
    return false;
  }
}

/** The keys that start with some words. */
export function keys(start: string): string[] {
  try {
    const all = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? "");
    return all.filter((key) => key.startsWith(PREFIX + start)).map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // See above.
  }
}
