// Asks in a worker: while the GPU's process is busy, asking blocks the thread that asks.
import { askAdapter } from "./adapter";

void askAdapter().then((adapter) => postMessage(adapter));
