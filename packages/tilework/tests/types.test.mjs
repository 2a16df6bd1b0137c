// The types as a TypeScript project sees them, also one whose own library is older than `using`.

import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const compiler = resolve(root, "../../node_modules/typescript/bin/tsc");
let folder;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tilework-types-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules/tilework"), "dir");
  await cp(join(root, "tests/types/use.ts"), join(folder, "use.ts"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ["NodeNext", "NodeNext", "ES2022"],
  ["ESNext", "Bundler", "ES2022"],
  ["ESNext", "Bundler", "ESNext"],
])("module %s, resolution %s, lib %s", async (module, moduleResolution, lib) => {
  const compilerOptions = {
    target: "ES2022",
    module,
    moduleResolution,
    lib: [lib, "DOM"],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  try {
    execFileSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  } catch (error) {
    throw new Error(error.stdout);
  }
});
