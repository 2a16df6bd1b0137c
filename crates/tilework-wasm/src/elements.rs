//! Typed arrays of JavaScript as host buffers, and back: the one place that knows which is which.
//!
//! A type that is stored in numbers of another kind, such as halves in their bits, is told apart by its name, which the caller sends.

use js_sys::{Float32Array, Float64Array, Int32Array, Uint8Array, Uint16Array, Uint32Array};
use tilework::layers::core::host::HostBuffer;
use tilework::{DType, Error};
use wasm_bindgen::prelude::*;

use crate::error::{JsResult, argument, to_js};

/// A typed array with the type of its elements, still in JavaScript.
pub(crate) struct Elements<'a> {
    data: &'a JsValue,
    /// Type of an element.
    pub(crate) dtype: DType,
    /// Number of elements.
    pub(crate) len: usize,
}

impl<'a> Elements<'a> {
    /// Fails if `data` is not what elements of the type `dtype` are stored in.
    pub(crate) fn new(data: &'a JsValue, dtype: &str) -> JsResult<Elements<'a>> {
        let unknown = || to_js(&Error::dtype("array", format!("there is no type \"{dtype}\"")));
        let dtype = DType::parse(dtype).ok_or_else(unknown)?;
        let len = len(data, dtype).ok_or_else(|| argument("array", format!("data is no typed array of {dtype}")))?;
        Ok(Elements { data, dtype, len })
    }

    /// A copy.
    pub(crate) fn to_host(&self) -> HostBuffer {
        match self.dtype {
            DType::F16 => HostBuffer::F16(self.data.unchecked_ref::<Uint16Array>().to_vec()),
            DType::F32 => HostBuffer::F32(self.data.unchecked_ref::<Float32Array>().to_vec()),
            DType::I32 => HostBuffer::I32(self.data.unchecked_ref::<Int32Array>().to_vec()),
            DType::U32 => HostBuffer::U32(self.data.unchecked_ref::<Uint32Array>().to_vec()),
            DType::F64 => HostBuffer::F64(self.data.unchecked_ref::<Float64Array>().to_vec()),
            DType::Bool => {
                let bytes = self.data.unchecked_ref::<Uint8Array>().to_vec();
                HostBuffer::Bool(bytes.into_iter().map(|byte| u32::from(byte != 0)).collect())
            }
        }
    }
}

/// Number of elements of the type `dtype` in `data`, if it is what they are stored in.
fn len(data: &JsValue, dtype: DType) -> Option<usize> {
    let n_numbers = match dtype {
        DType::F16 => data.dyn_ref::<Uint16Array>()?.length(),
        DType::F32 => data.dyn_ref::<Float32Array>()?.length(),
        DType::I32 => data.dyn_ref::<Int32Array>()?.length(),
        DType::U32 => data.dyn_ref::<Uint32Array>()?.length(),
        DType::F64 => data.dyn_ref::<Float64Array>()?.length(),
        DType::Bool => data.dyn_ref::<Uint8Array>()?.length(),
    };
    Some(n_numbers as usize)
}

/// Elements as JavaScript reads them.
pub(crate) fn typed_array(values: &HostBuffer) -> JsValue {
    match values {
        HostBuffer::F16(values) => Uint16Array::from(&values[..]).into(),
        HostBuffer::F32(values) => Float32Array::from(&values[..]).into(),
        HostBuffer::F64(values) => Float64Array::from(&values[..]).into(),
        HostBuffer::I32(values) => Int32Array::from(&values[..]).into(),
        HostBuffer::U32(values) => Uint32Array::from(&values[..]).into(),
        HostBuffer::Bool(values) => {
            Uint8Array::from(&values.iter().map(|&word| u8::from(word != 0)).collect::<Vec<_>>()[..]).into()
        }
    }
}
