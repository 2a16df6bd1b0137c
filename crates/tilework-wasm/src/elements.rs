//! Typed arrays of JavaScript as host buffers, and back: the one place that knows which is which.
//!
//! A type that is stored in numbers of another kind, such as halves in their bits or complex numbers in pairs of floats, is told apart by
//! its name, which the caller sends.

use js_sys::{
    BigInt64Array, BigUint64Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Uint8Array,
    Uint16Array, Uint32Array,
};
use tilework::layers::core::dtype::HAS_WIDE;
use tilework::layers::core::host::HostBuffer;
use tilework::{DType, Error};
use wasm_bindgen::prelude::*;

use crate::error::{JsResult, argument, to_js};

/// A typed array with the type of its elements, still in JavaScript.
pub(crate) struct Elements<'a> {
    data: &'a JsValue,
    /// Type of an element.
    pub(crate) dtype: DType,
    /// Numbers in the typed array: elements, or parts of complex ones.
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
        let data = self.data;
        match self.dtype {
            DType::F16 => HostBuffer::F16(data.unchecked_ref::<Uint16Array>().to_vec()),
            DType::F32 | DType::C64 => HostBuffer::F32(data.unchecked_ref::<Float32Array>().to_vec()),
            DType::I32 => HostBuffer::I32(data.unchecked_ref::<Int32Array>().to_vec()),
            DType::U32 => HostBuffer::U32(data.unchecked_ref::<Uint32Array>().to_vec()),
            DType::F64 | DType::C128 => HostBuffer::F64(data.unchecked_ref::<Float64Array>().to_vec()),
            DType::Bool => {
                let bytes = data.unchecked_ref::<Uint8Array>().to_vec();
                HostBuffer::Bool(bytes.into_iter().map(|byte| u8::from(byte != 0)).collect())
            }
            // Such data has no length without these types.
            _ if !HAS_WIDE => HostBuffer::F32(Vec::new()),
            DType::BF16 => HostBuffer::BF16(data.unchecked_ref::<Uint16Array>().to_vec()),
            DType::I8 => HostBuffer::I8(data.unchecked_ref::<Int8Array>().to_vec()),
            DType::I16 => HostBuffer::I16(data.unchecked_ref::<Int16Array>().to_vec()),
            DType::I64 => HostBuffer::I64(data.unchecked_ref::<BigInt64Array>().to_vec()),
            DType::U8 => HostBuffer::U8(data.unchecked_ref::<Uint8Array>().to_vec()),
            DType::U16 => HostBuffer::U16(data.unchecked_ref::<Uint16Array>().to_vec()),
            DType::U64 => HostBuffer::U64(data.unchecked_ref::<BigUint64Array>().to_vec()),
        }
    }
}

/// How many numbers `data` has, if it is what elements of the type `dtype` are stored in.
fn len(data: &JsValue, dtype: DType) -> Option<usize> {
    let n_numbers = match dtype {
        DType::C64 | DType::C128 if !HAS_WIDE => return None,
        DType::F16 => data.dyn_ref::<Uint16Array>()?.length(),
        DType::F32 | DType::C64 => data.dyn_ref::<Float32Array>()?.length(),
        DType::I32 => data.dyn_ref::<Int32Array>()?.length(),
        DType::U32 => data.dyn_ref::<Uint32Array>()?.length(),
        DType::F64 | DType::C128 => data.dyn_ref::<Float64Array>()?.length(),
        DType::Bool => data.dyn_ref::<Uint8Array>()?.length(),
        _ if !HAS_WIDE => return None,
        DType::BF16 | DType::U16 => data.dyn_ref::<Uint16Array>()?.length(),
        DType::I8 => data.dyn_ref::<Int8Array>()?.length(),
        DType::I16 => data.dyn_ref::<Int16Array>()?.length(),
        DType::I64 => data.dyn_ref::<BigInt64Array>()?.length(),
        DType::U8 => data.dyn_ref::<Uint8Array>()?.length(),
        DType::U64 => data.dyn_ref::<BigUint64Array>()?.length(),
    };
    Some(n_numbers as usize)
}

/// Elements as JavaScript reads them; truth values are bytes, 0 or 1.
pub(crate) fn typed_array(values: &HostBuffer) -> JsValue {
    match values {
        HostBuffer::F16(values) => Uint16Array::from(&values[..]).into(),
        HostBuffer::F32(values) => Float32Array::from(&values[..]).into(),
        HostBuffer::F64(values) => Float64Array::from(&values[..]).into(),
        HostBuffer::I32(values) => Int32Array::from(&values[..]).into(),
        HostBuffer::U32(values) => Uint32Array::from(&values[..]).into(),
        HostBuffer::Bool(values) => Uint8Array::from(&values[..]).into(),
        _ if !HAS_WIDE => JsValue::UNDEFINED,
        HostBuffer::BF16(values) | HostBuffer::U16(values) => Uint16Array::from(&values[..]).into(),
        HostBuffer::I8(values) => Int8Array::from(&values[..]).into(),
        HostBuffer::I16(values) => Int16Array::from(&values[..]).into(),
        HostBuffer::I64(values) => BigInt64Array::from(&values[..]).into(),
        HostBuffer::U8(values) => Uint8Array::from(&values[..]).into(),
        HostBuffer::U64(values) => BigUint64Array::from(&values[..]).into(),
    }
}
