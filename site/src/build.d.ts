/** Full size of the engine's WASM module in bytes; 0 if unknown. From vite.config.ts. */
declare const __ENGINE_BYTES__: number;
