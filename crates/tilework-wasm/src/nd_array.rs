//! `NdArray`: an array that is computed when its values are asked for.
//!
//! Promises hold the array itself and not the handle, which JavaScript may free while it waits.

use js_sys::{Promise, Uint8Array};
use tilework::layers::core::host::HostBuffer;
use tilework::{Array, Error};
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
    #[wasm_bindgen(
        js_name = toArray,
        unchecked_return_type = "Promise<ArrayBufferView>"
    )]
    pub fn to_array(&self) -> Promise {
        let array = self.0.clone();
        future_to_promise(async move { array.with_host(typed_array).await.map_err(|error| to_js(&error)) })
    }

    /// Computes the array and writes its bytes into memory of the caller, of as many.
    #[wasm_bindgen(
        js_name = readInto,
        unchecked_return_type = "Promise<undefined>"
    )]
    pub fn read_into(&self, bytes: Uint8Array) -> Promise {
        let array = self.0.clone();
        future_to_promise(async move {
            // Memory may have been taken away from it in the meantime, so that there is less of it now.
            let copy = |host: &HostBuffer| {
                let is_whole = bytes.byte_length() as usize == host.bytes().len();
                if is_whole {
                    bytes.copy_from(host.bytes())
                };
                is_whole
            };
            match array.with_host(copy).await {
                Ok(true) => Ok(JsValue::UNDEFINED),
                Ok(false) => Err(to_js(&Error::shape("toArray", "the array to write into has another size"))),
                Err(error) => Err(to_js(&error)),
            }
        })
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
