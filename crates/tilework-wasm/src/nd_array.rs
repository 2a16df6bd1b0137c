//! `NdArray`: an array that is computed when its values are asked for.

use js_sys::{Float32Array, Float64Array, Int32Array, Uint8Array, Uint32Array};
use tilework::layers::core::expr::ScalarOp;
use tilework::layers::core::host::HostBuffer;
use tilework::{Array, DType, Error, Operand};
use wasm_bindgen::prelude::*;

use crate::error::{JsResult, argument, to_js};
use crate::inputs;

/// An array of an engine. Methods give new arrays and compute nothing; reading the values does.
#[wasm_bindgen]
#[derive(Debug)]
pub struct NdArray(Array);

impl NdArray {
    /// The array, or the mistake it carries: JavaScript wants it thrown at once.
    pub(crate) fn checked(array: Array) -> JsResult<NdArray> {
        array.check().map_err(|error| to_js(&error))?;
        Ok(NdArray(array))
    }

    pub(crate) fn into_inner(self) -> Array {
        self.0
    }

    async fn read(array: &Array) -> JsResult<HostBuffer> {
        array.to_host().await.map_err(|error| to_js(&error))
    }
}

#[wasm_bindgen]
impl NdArray {
    /// Axis sizes, outermost first.
    pub fn shape(&self) -> Vec<u32> {
        // An axis of 2^32 elements does not fit into the memory of a browser.
        self.0.shape().iter().map(|&size| size as u32).collect()
    }

    /// Element type as NumPy names it: "float32", "int32", "uint32", "bool" or "float64".
    pub fn dtype(&self) -> String {
        self.0.dtype().name().to_owned()
    }

    /// Another handle to the same array.
    #[wasm_bindgen(js_name = clone)]
    pub fn clone_handle(&self) -> NdArray {
        NdArray(self.0.clone())
    }

    /// The scalar operation `name` of every element, with `inputs` (arrays or numbers) as the arguments after this one;
    /// operands broadcast. `condition.apply("select", [a, b])` is `a` where the condition holds, else `b`.
    pub fn apply(
        &self,
        name: &str,
        #[wasm_bindgen(unchecked_param_type = "(NdArray | number)[]")] inputs: &js_sys::Array,
    ) -> JsResult<NdArray> {
        let op = ScalarOp::find(name).ok_or_else(|| argument(name, "there is no scalar operation of this name"))?;
        let operands = inputs::operands(name, inputs)?;
        if operands.len() + 1 != op.arity() {
            let message = format!("takes {} arrays, this one included; {} were given", op.arity(), operands.len() + 1);
            return Err(argument(name, message));
        }
        let operands: Vec<&dyn Operand> = operands.iter().map(Box::as_ref).collect();
        NdArray::checked(self.0.map(op, &operands))
    }

    /// Converted to another element type, named as by `dtype`.
    pub fn cast(&self, dtype: &str) -> JsResult<NdArray> {
        let dtype =
            DType::parse(dtype).ok_or_else(|| to_js(&Error::dtype("cast", format!("there is no type {dtype}"))))?;
        NdArray::checked(self.0.cast(dtype))
    }

    /// Sum over `axes`, which may count from the end; an empty list means all of them.
    pub fn sum(&self, axes: &[i32]) -> JsResult<NdArray> {
        NdArray::checked(self.0.sum(signed(axes)))
    }

    /// Mean over `axes`, as for `sum`.
    pub fn mean(&self, axes: &[i32]) -> JsResult<NdArray> {
        NdArray::checked(self.0.mean(signed(axes)))
    }

    /// Largest element over `axes`, as for `sum`.
    pub fn max(&self, axes: &[i32]) -> JsResult<NdArray> {
        NdArray::checked(self.0.max(signed(axes)))
    }

    /// Smallest element over `axes`, as for `sum`.
    pub fn min(&self, axes: &[i32]) -> JsResult<NdArray> {
        NdArray::checked(self.0.min(signed(axes)))
    }

    /// Matrix product over the last two axes; leading axes broadcast.
    pub fn matmul(&self, other: &NdArray) -> JsResult<NdArray> {
        NdArray::checked(self.0.matmul(&other.0))
    }

    /// Exponentials divided by their sum along `axis`.
    pub fn softmax(&self, axis: i32) -> JsResult<NdArray> {
        NdArray::checked(self.0.softmax(axis as isize))
    }

    /// The same elements under another shape.
    pub fn reshape(&self, shape: &[u32]) -> JsResult<NdArray> {
        NdArray::checked(self.0.reshape(sizes(shape)))
    }

    /// Axes in reverse order.
    pub fn transpose(&self) -> JsResult<NdArray> {
        NdArray::checked(self.0.t())
    }

    /// Computes the array and resolves to its elements, converted to 32-bit floats.
    pub async fn to_f32(&self) -> JsResult<Float32Array> {
        match NdArray::read(&self.0.to_f32()).await? {
            HostBuffer::F32(values) => Ok(Float32Array::from(&values[..])),
            _ => unreachable!("a cast to f32 gives f32"),
        }
    }

    /// Computes the array and resolves to its elements in their own type; truth values are bytes, 0 or 1.
    #[wasm_bindgen(unchecked_return_type = "Float32Array | Int32Array | Uint32Array | Float64Array | Uint8Array")]
    pub async fn to_array(&self) -> JsResult<JsValue> {
        Ok(match NdArray::read(&self.0).await? {
            HostBuffer::F32(values) => Float32Array::from(&values[..]).into(),
            HostBuffer::F64(values) => Float64Array::from(&values[..]).into(),
            HostBuffer::I32(values) => Int32Array::from(&values[..]).into(),
            HostBuffer::U32(values) => Uint32Array::from(&values[..]).into(),
            HostBuffer::Bool(values) => {
                Uint8Array::from(&values.iter().map(|&word| u8::from(word != 0)).collect::<Vec<_>>()[..]).into()
            }
        })
    }

    /// Computes the array and resolves to a text like NumPy's.
    pub async fn show(&self) -> JsResult<String> {
        self.0.show().await.map_err(|error| to_js(&error))
    }

    /// The kernels that computing this array would run on a GPU, as WGSL.
    pub fn kernels(&self) -> JsResult<Vec<String>> {
        self.0.device().kernels(&self.0).map_err(|error| to_js(&error))
    }
}

pub(crate) fn sizes(shape: &[u32]) -> Vec<usize> {
    shape.iter().map(|&size| size as usize).collect()
}

fn signed(axes: &[i32]) -> Vec<isize> {
    axes.iter().map(|&axis| axis as isize).collect()
}
