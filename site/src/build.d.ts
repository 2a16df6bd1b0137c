/** Full size of the engine's WASM module in bytes; 0 if unknown. From vite.config.ts. */
declare const __ENGINE_BYTES__: number;
/** Where the host keeps the model of sentence embeddings, relative to the page; empty if nowhere. */
declare const __MODEL_FOLDER__: string;
/** Where the host keeps a language model (its GGUF file, or the first of several), relative to the page; empty if nowhere. */
declare const __CHAT_MODEL__: string;
