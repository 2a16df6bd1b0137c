//! `NdArray`: an array that is computed when its values are asked for.
//!
//! Promises hold the array itself and not the handle, which JavaScript may free while it waits.

use js_sys::Promise;
#[cfg(feature = "extended")]
use js_sys::Uint8Array;
use tilework::Array;
#[cfg(feature = "extended")]
use tilework::layers::core::host::HostBuffer;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use crate::elements::typed_array;
use crate::error::{JsResult, to_js};

/// An array of an engine. Operations on it give new arrays and compute nothing; reading the values does.
#[wasm_bindgen]
pub struct NdArray(Array);

impl NdArray {
    /// The array, or the mistake it carries: JavaScript wants it thrown at once.
    pub(crate) fn checked(array: Array) -> JsResult<NdArray> {
        array.check().map_err(|error| to_js(&error))?;
        Ok(NdArray(array))
    }

    pub(crate) fn inner(&self) -> &Array {
        &self.0
    }

    pub(crate) fn into_inner(self) -> Array {
        self.0
    }
}

#[cfg(feature = "numpy")]
impl From<Array> for NdArray {
    fn from(array: Array) -> NdArray {
        NdArray(array)
    }
}

#[wasm_bindgen]
impl NdArray {
    /// Axis sizes, outermost first.
    pub fn shape(&self) -> Vec<u32> {
        // An axis of 2^32 elements does not fit into the memory of a browser.
        self.0.shape().iter().map(|&size| size as u32).collect()
    }

    /// Element type as NumPy names it.
    pub fn dtype(&self) -> String {
        self.0.dtype().name().to_owned()
    }

    /// Another handle to the same array.
    #[wasm_bindgen(js_name = clone)]
    pub fn clone_handle(&self) -> NdArray {
        NdArray(self.0.clone())
    }

    /// Computes the array and resolves to its elements in their own type; truth values are bytes, 0 or 1.
    #[cfg(not(feature = "extended"))]
    #[wasm_bindgen(
        js_name = toArray,
        unchecked_return_type = "Promise<ArrayBufferView>"
    )]
    pub fn to_array(&self) -> Promise {
        let array = self.0.clone();
        future_to_promise(async move { array.with_host(typed_array).await.map_err(|error| to_js(&error)) })
    }

    /// The same, or, with `into`, writes them there, byte by byte, and resolves to nothing. If there are not as many there (memory may be taken
    /// away while it is waited for), or in modules without this, it is as if there were no `into`.
    #[cfg(feature = "extended")]
    #[wasm_bindgen(
        js_name = toArray,
        unchecked_return_type = "Promise<ArrayBufferView | undefined>"
    )]
    pub fn to_array(&self, into: Option<Uint8Array>) -> Promise {
        let array = self.0.clone();
        let read = move |host: &HostBuffer| match into {
            Some(into) if into.byte_length() as usize == host.bytes().len() => {
                into.copy_from(host.bytes());
                JsValue::UNDEFINED
            }
            _ => typed_array(host),
        };
        future_to_promise(async move { array.with_host(read).await.map_err(|error| to_js(&error)) })
    }

    /// Computes the array and resolves to a text like NumPy's.
    #[wasm_bindgen(unchecked_return_type = "Promise<string>")]
    pub fn show(&self) -> Promise {
        let array = self.0.clone();
        future_to_promise(async move { array.show().await.map(JsValue::from).map_err(|error| to_js(&error)) })
    }

    /// The kernels that computing this array would run on a GPU, as WGSL.
    pub fn kernels(&self) -> JsResult<Vec<String>> {
        self.0.device().kernels(&self.0).map_err(|error| to_js(&error))
    }
}
