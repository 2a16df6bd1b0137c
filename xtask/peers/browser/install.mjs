// Installs the peers next to this file, from package-lock.json, unless they are there already.

import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";

const folder = import.meta.dirname;
const changedMs = (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs;

/** npm leaves a hidden lock file when it is done, so a broken-off installation does not count. */
function isInstalled() {
  const installed = changedMs("node_modules/.package-lock.json");
  return installed !== undefined && installed >= changedMs("package-lock.json");
}

/** Throws with advice if npm is missing or fails. */
export function installPeers() {
  if (isInstalled()) return;
  console.error("    installing the peers from npm (once, about 230 MB)");
  const isWindows = process.platform === "win32";
  // Standard output is for the table alone.
  const { error, status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: ["ignore", process.stderr, process.stderr],
    shell: isWindows,
  });
  if (error?.code === "ENOENT") throw new Error("there is no npm on PATH; install Node.js 20 or newer with npm");
  if (error || status !== 0) {
    const why = error?.message ?? `exit code ${status}`;
    throw new Error(`npm could not install the peers (${why}); is there a network connection?`);
  }
}
