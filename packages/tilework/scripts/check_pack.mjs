// Looks at what `npm pack` would publish: only files that belong there, nothing missing, not too large. Run `npm run build` first.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
// Seven modules, of which a page loads one or two.
const MAX_PACKED_BYTES = 4_100_000;
const MAX_UNPACKED_BYTES = 11_000_000;

const ALLOWED = [
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE-(APACHE|MIT)$/,
  /^dist\/((files|models|llm|solve)\/)?[a-z_]+\.(js|d\.ts)$/,
  /^dist\/generated\/((graph_)?ops|library)\.(js|d\.ts)$/,
  /^dist\/wasm\/((core|numpy|models|llm|solve|conformance)\/)?tilework(\.js|\.d\.ts|_bg\.wasm)$/,
];
const REQUIRED = [
  "README.md",
  "LICENSE-APACHE",
  "LICENSE-MIT",
  "dist/index.js",
  "dist/index.d.ts",
  "dist/conformance.js",
  "dist/conformance.d.ts",
  "dist/embedded.js",
  "dist/embedded.d.ts",
  "dist/files.js",
  "dist/files.d.ts",
  "dist/models.js",
  "dist/models.d.ts",
  "dist/llm.js",
  "dist/llm.d.ts",
  "dist/solve.js",
  "dist/solve.d.ts",
  "dist/worker.js",
  "dist/models/worker.js",
  "dist/llm/worker.js",
  "dist/solve/worker.js",
  "dist/conformance_worker.js",
  "dist/wasm/tilework_bg.wasm",
  "dist/wasm/core/tilework_bg.wasm",
  "dist/wasm/numpy/tilework_bg.wasm",
  "dist/wasm/models/tilework_bg.wasm",
  "dist/wasm/llm/tilework_bg.wasm",
  "dist/wasm/solve/tilework_bg.wasm",
  "dist/wasm/conformance/tilework_bg.wasm",
];

const output = execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const [{ files, size, unpackedSize }] = JSON.parse(output);
const paths = files.map(({ path }) => path);

const problems = [
  ...paths.filter((path) => !ALLOWED.some((pattern) => pattern.test(path))).map((path) => `${path} does not belong into the package`),
  ...REQUIRED.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
  ...["LICENSE-APACHE", "LICENSE-MIT"]
    .filter((name) => readFileSync(join(root, name), "utf8") !== readFileSync(join(root, "../..", name), "utf8"))
    .map((name) => `${name} is not that of the project`),
];
if (size > MAX_PACKED_BYTES) problems.push(`${size} bytes packed are more than ${MAX_PACKED_BYTES}`);
if (unpackedSize > MAX_UNPACKED_BYTES) problems.push(`${unpackedSize} bytes unpacked are more than ${MAX_UNPACKED_BYTES}`);

console.log(`${paths.length} files, ${size} bytes packed, ${unpackedSize} bytes unpacked`);
for (const problem of problems) console.error(`PROBLEM ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
