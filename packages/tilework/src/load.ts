// Getting the WebAssembly module: download with progress, compile while it arrives.

import { TileworkError } from "./errors.js";
import { readLocalFile } from "./local_file.js";

/** How far opening is. */
export interface LoadProgress {
  /** What is being done. */
  readonly stage: "download" | "compile" | "device" | "ready";
  /** Bytes that have arrived. */
  readonly loadedBytes: number;
  /** Bytes in all; 0 if unknown. */
  readonly totalBytes: number;
}

/** Where the module comes from: an address, its bytes, or compiled already. */
export type WasmSource = URL | string | BufferSource | WebAssembly.Module;

/** Called now and then while something is loaded. */
export type OnProgress = (progress: LoadProgress) => void;

/** Compiles the module at `source` and gives it to `instantiate`. Rejects with code "io" if either fails. */
export async function load(
  source: WasmSource,
  instantiate: (module: WebAssembly.Module) => Promise<unknown>,
  onProgress: OnProgress = () => {},
): Promise<WebAssembly.Module> {
  try {
    const module = await compile(source, onProgress);
    await instantiate(module);
    return module;
  } catch (thrown) {
    if (thrown instanceof TileworkError) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new TileworkError("io", `open: the WebAssembly module could not be loaded: ${message}`, { cause: thrown });
  }
}

async function compile(source: WasmSource, onProgress: OnProgress): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    onProgress({ stage: "compile", loadedBytes: source.byteLength, totalBytes: source.byteLength });
    return WebAssembly.compile(source);
  }
  const url = new URL(source, globalThis.location?.href);
  return url.protocol === "file:" ? compileFile(url) : compileStream(url, onProgress);
}

/** Node.js. */
async function compileFile(url: URL): Promise<WebAssembly.Module> {
  const bytes = await readLocalFile(url);
  if (bytes === undefined) {
    throw new TileworkError("io", "open: files can be read in Node.js 20.16 and later; otherwise pass the bytes as `wasm`");
  }
  return WebAssembly.compile(bytes);
}

async function compileStream(url: URL, onProgress: OnProgress): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new TileworkError("io", `open: ${url} answers ${response.status} ${response.statusText}`.trim());
  const counted = withProgress(response, onProgress);
  // Streaming needs the right type, which not every server sends; without it the module is compiled once it has arrived.
  const isStreamable = response.headers.get("content-type")?.split(";")[0]?.trim() === "application/wasm";
  return isStreamable ? WebAssembly.compileStreaming(counted) : WebAssembly.compile(await counted.arrayBuffer());
}

/** The same response, telling what passes through it. */
function withProgress(response: Response, onProgress: OnProgress): Response {
  if (response.body === null) return response;
  // The length is that of the compressed bytes if there is an encoding, and what arrives here is not compressed.
  const isEncoded = response.headers.has("content-encoding");
  const totalBytes = isEncoded ? 0 : Number(response.headers.get("content-length") ?? 0);
  let loadedBytes = 0;
  onProgress({ stage: "download", loadedBytes, totalBytes });
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      loadedBytes += chunk.byteLength;
      onProgress({ stage: "download", loadedBytes, totalBytes });
      controller.enqueue(chunk);
    },
    flush() {
      onProgress({ stage: "compile", loadedBytes, totalBytes: loadedBytes });
    },
  });
  return new Response(response.body.pipeThrough(counter), { headers: response.headers });
}
