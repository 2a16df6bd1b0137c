// For tests only: files of the lessons as bytes. Not TypeScript, since the studio's sources know nothing of Node.
import { readFileSync } from "node:fs";

const read = (path) => new Uint8Array(readFileSync(new URL(path, import.meta.url))).buffer;

export function publicFile(name) {
  return read(`../../../../public/learn/${name}`);
}

export function weightsFile() {
  return read("../../../../../models/digits_mlp.safetensors");
}
