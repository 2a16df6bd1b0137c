// Builds dist/: the WebAssembly modules that `cargo xtask wasm` made, with their generated JavaScript, and the compiled TypeScript.
//
// usage: node scripts/build.mjs [--types-only]
//
// TILEWORK_TARGET   cargo's target folder; target/ of the workspace unless told

import { execFileSync } from "node:child_process";
import { cp, mkdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const web = resolve(root, process.env.TILEWORK_TARGET ?? "../../target", "web");
const FILES = ["tilework.js", "tilework.d.ts", "tilework_bg.wasm"];

// The sources import the generated files by ./wasm/, so they are put there first; tsc does not copy them to dist.
async function copyModules(to) {
  await rm(to, { recursive: true, force: true });
  for (const folder of ["", "core", "numpy", "models", "llm", "solve", "conformance"]) {
    await mkdir(join(to, folder), { recursive: true });
    for (const file of FILES) await cp(join(web, folder, file), join(to, folder, file));
  }
}

if (!(await stat(join(web, "tilework_bg.wasm")).catch(() => undefined))) {
  console.error(`there is no module in ${web}; build it with \`cargo xtask wasm\``);
  process.exit(1);
}
await copyModules(join(root, "src/wasm"));
const typesOnly = process.argv.includes("--types-only");
if (!typesOnly) {
  await rm(join(root, "dist"), { recursive: true, force: true });
  await copyModules(join(root, "dist/wasm"));
}
const compiler = resolve(root, "../../node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [compiler, "-p", root, ...(typesOnly ? ["--noEmit"] : [])], { stdio: "inherit" });
