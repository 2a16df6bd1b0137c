// For tests only: a file of public/learn as bytes. Not TypeScript, since the studio's sources know nothing of Node.
import { readFileSync } from "node:fs";

export function publicFile(name) {
  return new Uint8Array(readFileSync(new URL(`../../../../public/learn/${name}`, import.meta.url))).buffer;
}
