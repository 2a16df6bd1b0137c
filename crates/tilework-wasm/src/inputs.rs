//! Arguments from JavaScript: arrays and numbers in a list, attributes in an object.
//!
//! wasm-bindgen moves an exported class out of a list, leaving the caller with dead handles. Asking each element to clone
//! itself, as any JavaScript code could, leaves the caller's handle alone; a clone is a new handle, not a copy of the data.

use tilework::layers::ops::attrs::Given;
use tilework::layers::ops::{Attr, Attrs};
use tilework::{Array, Input};
use wasm_bindgen::prelude::*;

use crate::error::{JsResult, argument, to_js};
use crate::nd_array::NdArray;

#[wasm_bindgen]
extern "C" {
    /// An `NdArray`, seen from outside.
    type Handle;
    #[wasm_bindgen(method, catch, js_name = clone)]
    fn clone_array(this: &Handle) -> Result<NdArray, JsValue>;
}

/// The arrays and numbers that `list` holds.
pub(crate) fn inputs(op: &str, list: &js_sys::Array) -> JsResult<Vec<Input>> {
    list.iter()
        .map(|value| match value.as_f64() {
            Some(number) => Ok(Input::Number(number)),
            None => array(op, value).map(Input::Array),
        })
        .collect()
}

/// The arrays that `list` holds.
pub(crate) fn arrays(op: &str, list: &js_sys::Array) -> JsResult<Vec<Array>> {
    list.iter().map(|value| array(op, value)).collect()
}

fn array(op: &str, value: JsValue) -> JsResult<Array> {
    if !value.is_object() {
        return Err(argument(op, "an input is neither an NdArray nor a number"));
    }
    // Anything else with such a method fails in the generated code, which wants an NdArray as the answer.
    let clone = value.unchecked_into::<Handle>().clone_array();
    clone.map(NdArray::into_inner).map_err(|_| argument(op, "an input is neither an NdArray nor a number"))
}

/// The attributes that `object` holds. What is undefined was left out.
pub(crate) fn attrs(op: &str, object: &JsValue) -> JsResult<Attrs> {
    let Some(object) = object.dyn_ref::<js_sys::Object>() else {
        return Err(argument(op, "the attributes must be an object"));
    };
    js_sys::Object::entries(object).iter().try_fold(Attrs::default(), |attrs, entry| {
        let entry: js_sys::Array = entry.unchecked_into();
        let (name, value) = (entry.get(0).as_string().unwrap_or_default(), entry.get(1));
        Ok(if value.is_undefined() { attrs } else { attrs.with(&*name, attr(op, &name, &value)?) })
    })
}

/// The axis sizes that `list` holds.
pub(crate) fn sizes(op: &str, list: &JsValue) -> JsResult<Vec<usize>> {
    let attrs = Attrs::default().with("shape", attr(op, "shape", list)?);
    Given::new(op, &["shape"], &attrs, &[]).and_then(|given| given.sizes("shape")).map_err(|error| to_js(&error))
}

fn attr(op: &str, name: &str, value: &JsValue) -> JsResult<Attr> {
    if let Some(number) = value.as_f64() {
        return Ok(integer(number).map_or(Attr::Number(number), Attr::Integer));
    }
    if let Some(text) = value.as_string() {
        return Ok(Attr::Text(text));
    }
    if let Some(truth) = value.as_bool() {
        return Ok(Attr::Truth(truth));
    }
    let numbers = value.dyn_ref::<js_sys::Array>().map(|list| list.iter());
    let integers = numbers.and_then(|numbers| numbers.map(|number| number.as_f64().and_then(integer)).collect());
    let what = "must be a number, a list of whole numbers, a name, true or false";
    integers.map(Attr::Integers).ok_or_else(|| argument(op, format!("attribute \"{name}\" {what}")))
}

fn integer(number: f64) -> Option<i64> {
    (number.fract() == 0.0).then_some(number as i64)
}
