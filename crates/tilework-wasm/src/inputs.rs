//! Arrays and numbers from a JavaScript list, which keeps them.
//!
//! wasm-bindgen moves an exported class out of a list, leaving the caller with dead handles. Asking each element to clone
//! itself, as any JavaScript code could, leaves the caller's handle alone; a clone is a new handle, not a copy of the data.

use tilework::{Array, Operand};
use wasm_bindgen::prelude::*;

use crate::error::{JsResult, argument};
use crate::nd_array::NdArray;

#[wasm_bindgen]
extern "C" {
    /// An `NdArray`, seen from outside.
    type Handle;
    #[wasm_bindgen(method, catch, js_name = clone)]
    fn clone_array(this: &Handle) -> Result<NdArray, JsValue>;
}

/// The operands that `list` holds.
pub(crate) fn operands(op: &str, list: &js_sys::Array) -> JsResult<Vec<Box<dyn Operand>>> {
    list.iter()
        .map(|value| match value.as_f64() {
            Some(number) => Ok(Box::new(number) as Box<dyn Operand>),
            None => array(op, value).map(|array| Box::new(array) as Box<dyn Operand>),
        })
        .collect()
}

fn array(op: &str, value: JsValue) -> JsResult<Array> {
    if !value.is_object() {
        return Err(argument(op, "an input is neither an NdArray nor a number"));
    }
    // Anything else with such a method fails in the generated code, which wants an NdArray as the answer.
    let clone = value.unchecked_into::<Handle>().clone_array();
    clone.map(NdArray::into_inner).map_err(|_| argument(op, "an input is neither an NdArray nor a number"))
}
