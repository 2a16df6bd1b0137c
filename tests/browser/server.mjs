// A static server for the browser tests: this project on 127.0.0.1, on a free port.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, resolve, sep } from "node:path";

const MIME_TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wgsl": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

// Starts the server. `folders` maps the first part of an address to a folder, as in { target: "/build/target" }.
export async function serve(folders) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    if (path === "/favicon.ico") return response.writeHead(204).end();
    const file = locate(folders, path);
    const body = file && (await readFile(file).catch(() => undefined));
    if (body === undefined) return response.writeHead(404).end(`there is no ${path}`);
    // Cacheable like on any static host; each run has a browser profile of its own, so nothing stale is ever seen.
    const type = MIME_TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-length": body.length, "cache-control": "max-age=3600" });
    response.end(body);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

// The file behind an address, or undefined outside of the served folders.
function locate(folders, path) {
  const [, first, ...rest] = path.split("/");
  if (!Object.hasOwn(folders, first)) return undefined;
  const folder = resolve(folders[first]);
  const file = resolve(folder, rest.join("/"));
  return file.startsWith(folder + sep) ? file : undefined;
}
