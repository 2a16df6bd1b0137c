// A static server on 127.0.0.1 for the browser tests. `pages` maps addresses to texts, `folders` the start of others to folders.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, resolve, sep } from "node:path";

const MIME_TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
};

export async function serve({ pages = {}, folders = {} }) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    if (path === "/favicon.ico") return response.writeHead(204).end();
    const file = locate(folders, path);
    const body = pages[path] ?? (file && (await readFile(file).catch(() => undefined)));
    if (body === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": MIME_TYPES[extname(file ?? "page.html")] ?? "application/octet-stream" });
    response.end(body);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}

function locate(folders, path) {
  const start = Object.keys(folders).find((start) => path.startsWith(start));
  if (start === undefined) return undefined;
  const folder = resolve(folders[start]);
  const file = resolve(folder, path.slice(start.length) || "index.html");
  return file.startsWith(folder + sep) ? file : undefined;
}
