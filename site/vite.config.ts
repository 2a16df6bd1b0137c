// The studio is static files. Addresses are relative by default, so the build works in any folder of any host; TILEWORK_BASE
// sets a fixed one.
import { statSync } from "node:fs";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// A compressed download tells nothing of its full length, so the loading bar gets it from here.
function engineBytes(): number {
  return statSync(new URL("../packages/tilework/dist/wasm/tilework_bg.wasm", import.meta.url), { throwIfNoEntry: false })?.size ?? 0;
}

/** The engine's module is fetched by a script; naming it in the page lets it arrive together with that script. */
function preloadEngine(): Plugin {
  return {
    name: "preload-engine",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const modules = Object.values(bundle ?? {}).filter((file) => file.type === "asset" && file.fileName.endsWith(".wasm"));
        const engine = modules.find((file) => file.type === "asset" && file.originalFileNames.some((name) => !name.includes("conformance")));
        if (engine === undefined) return html;
        const href = `${process.env["TILEWORK_BASE"] ?? "./"}${engine.fileName}`;
        const attrs = { rel: "preload", as: "fetch", type: "application/wasm", crossorigin: true, href };
        return { html, tags: [{ tag: "link", attrs, injectTo: "head" }] };
      },
    },
  };
}

export default defineConfig({
  define: { __ENGINE_BYTES__: engineBytes() },
  base: process.env["TILEWORK_BASE"] ?? "./",
  plugins: [react(), preloadEngine()],
  build: { target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0, chunkSizeWarningLimit: 400 },
  worker: { format: "es" },
  // The package finds its worker and its WASM module by import.meta.url, which pre-bundling would move.
  optimizeDeps: { exclude: ["tilework"] },
  server: { fs: { allow: [".."] } },
  // A test reads the design system as text.
  test: { include: ["src/**/*.test.ts"], css: true },
});
