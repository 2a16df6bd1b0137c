// Which links of a text that nobody vouches for may be followed.

/** The address if it is a whole one of the web; null for scripts, data, files, relative addresses and anything unreadable. */
export function outsideAddress(target: string): string | null {
  if (!/^https?:\/\//i.test(target)) return null;
  try {
    const url = new URL(target);
    // A name in front of the host is there to be mistaken for it.
    return (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === "" ? url.href : null;
  } catch {
    return null;
  }
}
