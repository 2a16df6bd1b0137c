//! Elements between JavaScript's typed arrays and the engine's memory: one place for all types.

use js_sys::{
    BigInt64Array, BigUint64Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Uint8Array, Uint16Array,
    Uint32Array,
};
use tilework::DType;
use tilework::layers::core::dtype::HAS_WIDE;
use tilework::layers::core::host::HostBuffer;
use wasm_bindgen::prelude::*;

use crate::error::{JsResult, argument};

/// The type that elements of a typed array have unless told. A `Uint16Array` is the bits of 16-bit floats.
fn usual_type(data: &JsValue) -> Option<DType> {
    Some(match data {
        data if data.has_type::<Float32Array>() => DType::F32,
        data if data.has_type::<Int32Array>() => DType::I32,
        data if data.has_type::<Uint32Array>() => DType::U32,
        data if data.has_type::<Float64Array>() => DType::F64,
        data if data.has_type::<Uint16Array>() => DType::F16,
        _ if !HAS_WIDE => return None,
        data if data.has_type::<Int8Array>() => DType::I8,
        data if data.has_type::<Uint8Array>() => DType::U8,
        data if data.has_type::<Int16Array>() => DType::I16,
        data if data.has_type::<BigInt64Array>() => DType::I64,
        data if data.has_type::<BigUint64Array>() => DType::U64,
        _ => return None,
    })
}

/// Whether a typed array of the elements that `usual` names can hold `dtype`.
fn holds(usual: DType, dtype: DType) -> bool {
    match dtype {
        DType::BF16 | DType::U16 => usual == DType::F16,
        DType::Bool => usual == DType::U8,
        other => usual == other.part(),
    }
}

/// The type of the elements, as it was asked for or as is usual.
pub(crate) fn type_of(data: &JsValue, wanted: Option<&str>) -> JsResult<DType> {
    let Some(usual) = usual_type(data) else {
        return Err(argument("array", "data must be a typed array: a Float32Array, Int32Array, Uint32Array, Float64Array ..."));
    };
    let Some(name) = wanted else { return Ok(usual) };
    match DType::parse(name) {
        Some(dtype) if holds(usual, dtype) => Ok(dtype),
        Some(dtype) => Err(argument("array", format!("this typed array holds no {dtype}"))),
        None => Err(argument("array", format!("there is no type \"{name}\""))),
    }
}

/// The number of a typed array's elements.
pub(crate) fn len(data: &JsValue) -> usize {
    js_sys::Reflect::get(data, &"length".into()).ok().and_then(|len| len.as_f64()).unwrap_or(0.0) as usize
}

/// A copy of a typed array as elements of `dtype`, which [`type_of`] has found to fit.
pub(crate) fn host_buffer(data: &JsValue, dtype: DType) -> HostBuffer {
    match dtype {
        DType::F32 | DType::C64 => HostBuffer::F32(data.unchecked_ref::<Float32Array>().to_vec()),
        DType::I32 => HostBuffer::I32(data.unchecked_ref::<Int32Array>().to_vec()),
        DType::U32 => HostBuffer::U32(data.unchecked_ref::<Uint32Array>().to_vec()),
        DType::F16 => HostBuffer::F16(data.unchecked_ref::<Uint16Array>().to_vec()),
        DType::F64 | DType::C128 => HostBuffer::F64(data.unchecked_ref::<Float64Array>().to_vec()),
        _ if !HAS_WIDE => HostBuffer::F32(Vec::new()),
        DType::Bool => {
            let bytes = data.unchecked_ref::<Uint8Array>().to_vec();
            HostBuffer::Bool(bytes.into_iter().map(|byte| u32::from(byte != 0)).collect())
        }
        DType::BF16 => HostBuffer::BF16(data.unchecked_ref::<Uint16Array>().to_vec()),
        DType::I8 => HostBuffer::I8(data.unchecked_ref::<Int8Array>().to_vec()),
        DType::I16 => HostBuffer::I16(data.unchecked_ref::<Int16Array>().to_vec()),
        DType::I64 => HostBuffer::I64(data.unchecked_ref::<BigInt64Array>().to_vec()),
        DType::U8 => HostBuffer::U8(data.unchecked_ref::<Uint8Array>().to_vec()),
        DType::U16 => HostBuffer::U16(data.unchecked_ref::<Uint16Array>().to_vec()),
        DType::U64 => HostBuffer::U64(data.unchecked_ref::<BigUint64Array>().to_vec()),
    }
}

/// Elements as a typed array; truth values are bytes, 0 or 1.
pub(crate) fn typed_array(values: &HostBuffer) -> JsValue {
    match values {
        HostBuffer::F32(values) => Float32Array::from(&values[..]).into(),
        HostBuffer::F64(values) => Float64Array::from(&values[..]).into(),
        HostBuffer::I32(values) => Int32Array::from(&values[..]).into(),
        HostBuffer::U32(values) => Uint32Array::from(&values[..]).into(),
        HostBuffer::Bool(values) => {
            Uint8Array::from(&values.iter().map(|&word| u8::from(word != 0)).collect::<Vec<_>>()[..]).into()
        }
        HostBuffer::F16(values) => Uint16Array::from(&values[..]).into(),
        _ if !HAS_WIDE => JsValue::UNDEFINED,
        HostBuffer::BF16(values) | HostBuffer::U16(values) => Uint16Array::from(&values[..]).into(),
        HostBuffer::I8(values) => Int8Array::from(&values[..]).into(),
        HostBuffer::I16(values) => Int16Array::from(&values[..]).into(),
        HostBuffer::I64(values) => BigInt64Array::from(&values[..]).into(),
        HostBuffer::U8(values) => Uint8Array::from(&values[..]).into(),
        HostBuffer::U64(values) => BigUint64Array::from(&values[..]).into(),
    }
}
