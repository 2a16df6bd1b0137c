//! Errors as JavaScript expects them: thrown, readable, and told apart by a stable code.

use js_sys::Reflect;
use tilework::Error;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What every method throws, and every promise rejects with, for a mistake or a failing device. */
export interface TileworkError extends Error {
  name: "TileworkError";
  code: "shape" | "dtype" | "argument" | "unsupported" | "too_large" | "no_device" | "device_lost" | "out_of_memory" | "kernel" | "io";
}
"#;

/// Result of everything that JavaScript calls.
pub(crate) type JsResult<T> = Result<T, JsValue>;

/// A JavaScript `Error` with the message and the code of `error`.
pub(crate) fn to_js(error: &Error) -> JsValue {
    let thrown = js_sys::Error::new(&error.to_string());
    thrown.set_name("TileworkError");
    // Setting a property of a fresh object does not fail.
    _ = Reflect::set(&thrown, &"code".into(), &error.kind().code().into());
    thrown.into()
}

/// An argument that only JavaScript could get wrong.
pub(crate) fn argument(op: &str, message: impl Into<String>) -> JsValue {
    to_js(&Error::argument(op, message))
}
