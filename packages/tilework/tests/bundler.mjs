// A small app that uses the package as it would come from the registry: packed, and unpacked into node_modules.

import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MAIN = `
import { open } from "tilework";
import { runConformance } from "tilework/conformance";
try {
  const results = [];
  for (const worker of [false, true]) {
    const tw = await open({ device: "gpu", worker });
    results.push({ ...tw.info, limits: undefined, features: undefined, values: [...(await tw.array([1, 2, 3]).mul(2).toArray())] });
    tw.dispose();
  }
  const isRight = results.every(({ values }) => values.join() === "2,4,6") && results[1].worker;
  if (!isRight) throw new Error(JSON.stringify(results));
  const report = await runConformance({ device: "cpu", filter: "concat" });
  if (report.failed > 0 || report.passed === 0) throw new Error(JSON.stringify(report));
  window.result = [...results, report];
} catch (error) {
  window.failure = String(error.stack ?? error);
}
`;

// Makes the app's folder from the package in `root`.
export async function makeApp(root) {
  const folder = await mkdtemp(join(tmpdir(), "tilework-app-"));
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [{ filename }] = JSON.parse(packed);
  const installed = join(folder, "node_modules/tilework");
  await mkdir(installed, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", installed, "--strip-components=1"]);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "app", type: "module", private: true }));
  await writeFile(join(folder, "index.html"), `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>`);
  await writeFile(join(folder, "main.js"), MAIN);
  return folder;
}

// Builds the app without any configuration and gives the folder of the result.
export async function buildWithVite(folder) {
  const { build } = await import("vite");
  const outDir = join(folder, "built");
  await build({ root: folder, configFile: false, logLevel: "warn", build: { outDir } });
  return outDir;
}

// Starts the development server.
export async function serveWithVite(folder) {
  const { createServer } = await import("vite");
  const server = await createServer({ root: folder, configFile: false, logLevel: "warn", server: { host: "127.0.0.1", port: 0 } });
  await server.listen();
  return { origin: `http://127.0.0.1:${server.httpServer.address().port}`, close: () => server.close() };
}
