// A static server for the tests: site/dist under a sub-path, compressed and cacheable as on any good host.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, resolve, sep } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

const MIME_TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Serves `folder` at http://127.0.0.1:<free port><path>; `sent` lists what went out: { file, bytes } with compressed sizes. */
export async function serve(folder, path = "/studio/") {
  const root = resolve(folder);
  const compressed = new Map();
  const sent = [];
  const server = createServer(async (request, response) => {
    const pathname = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    if (!pathname.startsWith(path)) return response.writeHead(404).end();
    const name = pathname.slice(path.length) || "index.html";
    const file = resolve(root, name);
    if (!file.startsWith(root + sep)) return response.writeHead(404).end();
    if (!compressed.has(file)) compressed.set(file, await readFile(file).then((body) => gzipSync(body, { level: 9 }), () => null));
    const body = compressed.get(file);
    if (body === null) return response.writeHead(404).end(`there is no ${name}`);
    // A browser that wants a part of a file takes it as it is only.
    const isPlain = !/gzip/.test(request.headers["accept-encoding"] ?? "");
    const bytes = isPlain ? gunzipSync(body) : body;
    sent.push({ file: name, bytes: bytes.length });
    response.writeHead(200, {
      "content-type": MIME_TYPES[extname(file)] ?? "application/octet-stream",
      ...(!isPlain && { "content-encoding": "gzip" }),
      "content-length": bytes.length,
      // Names of assets carry their content's hash.
      "cache-control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    });
    response.end(bytes);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}${path}`,
    sent,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
