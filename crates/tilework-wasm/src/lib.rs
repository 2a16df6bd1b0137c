//! Tilework for JavaScript: one WebAssembly module with two classes, `Engine` and `NdArray`.
//!
//! ```js
//! import init, { Engine } from "./tilework.js";
//! await init();
//! const engine = await Engine.open("auto");
//! const x = engine.call("linspace", [], { start: 0, stop: 1, n: 5 });
//! console.log(await engine.call("sin", [engine.call("mul", [x, 2], {})], {}).show());
//! ```
//!
//! There is no logic here: `call` converts its arguments, calls the operation of that name and converts the result. The npm
//! package `tilework` puts methods and types on top. What JavaScript expects and Rust does not is added in this layer: mistakes
//! are thrown where they are made, as an `Error` with a `code` (`error`), typed arrays have a name of their type with them (`elements`), arrays in a list stay the caller's (`inputs`), the
//! browser says which adapter it has (`adapter`), and structures are read as JSON (`json`, `info`, `report`). A build with the feature
//! `models` instead of `arrays` has one class, `Model`, which any model of `tilework-nn` is asked through; one with `llm` has
//! `LanguageModel`, and one with `solve` has `Session`, a problem of least squares.

mod adapter;
#[cfg(feature = "arrays")]
mod elements;
#[cfg(feature = "arrays")]
mod engine;
mod error;
mod info;
#[cfg(feature = "arrays")]
mod inputs;
mod json;
#[cfg(feature = "numpy")]
mod library;
#[cfg(feature = "llm")]
mod llm;
#[cfg(feature = "models")]
mod model;
#[cfg(feature = "arrays")]
mod nd_array;
mod open;
#[cfg(feature = "arrays")]
mod report;
#[cfg(feature = "solve")]
mod solve;

#[cfg(feature = "arrays")]
pub use engine::Engine;
#[cfg(feature = "llm")]
pub use llm::{Answer, LanguageModel, inspect};
#[cfg(feature = "models")]
pub use model::Model;
#[cfg(feature = "arrays")]
pub use nd_array::NdArray;
#[cfg(feature = "solve")]
pub use solve::Session;

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    // Global objects of pages and of workers alike.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
    #[cfg(feature = "panics")]
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(text: &str);
}

/// Runs once, when the module is instantiated: the clock for measurements and, in modules for developers, words for our own bugs.
#[wasm_bindgen(start)]
fn start() {
    #[cfg(target_arch = "wasm32")]
    tilework::clock::set_clock(performance_now);
    #[cfg(feature = "panics")]
    std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
}

/// Where there is no JavaScript, the clock is the operating system's; this keeps the import in use for native lints.
#[cfg(not(target_arch = "wasm32"))]
const _: fn() -> f64 = performance_now;
