/** Full size of the engine's WASM module in bytes; 0 if unknown. From vite.config.ts. */
declare const __ENGINE_BYTES__: number;
/** Where the host keeps the model of sentence embeddings, relative to the page; empty if nowhere. */
declare const __MODEL_FOLDER__: string;
