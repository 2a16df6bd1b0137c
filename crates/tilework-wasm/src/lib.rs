//! Tilework for JavaScript: one WebAssembly module with two classes, `Engine` and `NdArray`.
//!
//! ```js
//! import init, { Engine } from "./tilework.js";
//! await init();
//! const engine = await Engine.open("auto");
//! const x = engine.linspace(0, 1, 5);
//! console.log(await x.apply("mul", [2]).apply("sin", []).show());
//! ```
//!
//! There is no logic here: a method converts its arguments, calls the array method of the same name and converts the result.
//! What JavaScript expects and Rust does not is added in this layer: mistakes are thrown where they are made, as an `Error`
//! with a `code` (`error`), arrays in a list stay the caller's (`inputs`), and the browser says which adapter it has
//! (`adapter`).

mod adapter;
mod engine;
mod error;
mod inputs;
mod nd_array;

pub use engine::Engine;
pub use nd_array::NdArray;

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    // Global objects of pages and of workers alike.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(text: &str);
}

/// Runs once, when the module is instantiated: the clock for measurements, and words for what is our own bug.
#[wasm_bindgen(start)]
fn start() {
    #[cfg(target_arch = "wasm32")]
    tilework::clock::set_clock(performance_now);
    std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
}

/// Where there is no JavaScript, the clock is the operating system's; this keeps the import in use for native lints.
#[cfg(not(target_arch = "wasm32"))]
const _: fn() -> f64 = performance_now;
