// Runs the tests of a crate that was compiled to WASM. Started by cargo, for `cargo xtask test`.
//
// usage: node tests/wasm/run.mjs tests.wasm
//
// There is no output: a test that fails traps, and its name is in the trace.

import { readFile } from "node:fs/promises";

// One trap is reported in full; its frames have the names of functions.
Error.stackTraceLimit = 30;

const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]));
process.exitCode = instance.exports.main(0, 0);
