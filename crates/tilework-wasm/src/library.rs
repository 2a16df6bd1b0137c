//! What only the modules with NumPy's functions have of `Engine`: functions with several results, questions about types, and warnings.

use js_sys::Promise;
use std::cell::RefCell;
use tilework::layers::core::dtype::DTypeKind;
use tilework::{Array, DType, Error};
use wasm_bindgen::prelude::*;

use crate::engine::Engine;
use crate::error::{JsResult, to_js};
use crate::inputs;
use crate::nd_array::NdArray;

thread_local! {
    /// Who is told of the warnings of which device. A device wants functions that can go to other threads, and these cannot; numbers can.
    static LISTENERS: RefCell<Vec<js_sys::Function>> = const { RefCell::new(Vec::new()) };
}

#[wasm_bindgen]
impl Engine {
    /// Like `call`, for functions with several results.
    #[wasm_bindgen(js_name = callMany)]
    pub fn call_many(
        &self,
        name: &str,
        #[wasm_bindgen(unchecked_param_type = "readonly (NdArray | number)[]")] inputs: &js_sys::Array,
        #[wasm_bindgen(unchecked_param_type = "object")] attrs: &JsValue,
    ) -> JsResult<Vec<NdArray>> {
        let (inputs, attrs) = (inputs::inputs(name, inputs)?, inputs::attrs(name, attrs)?);
        let results = self.device().call_many(name, &inputs, &attrs).map_err(|error| to_js(&error))?;
        results.into_iter().map(|result| NdArray::checked(self.kept(result))).collect()
    }

    /// Like `callMany`, for functions whose results have a size that depends on the data. A twin has no data to look at.
    #[wasm_bindgen(js_name = callLater, unchecked_return_type = "Promise<NdArray[]>")]
    pub fn call_later(
        &self,
        name: String,
        #[wasm_bindgen(unchecked_param_type = "readonly (NdArray | number)[]")] inputs: &js_sys::Array,
        #[wasm_bindgen(unchecked_param_type = "object")] attrs: &JsValue,
    ) -> JsResult<Promise> {
        let (inputs, attrs) = (inputs::inputs(&name, inputs)?, inputs::attrs(&name, attrs)?);
        Ok(self.promise(async move |device| {
            let results = device.call_later(&name, &inputs, &attrs).await?;
            results.iter().try_for_each(Array::check)?;
            Ok(results.into_iter().map(NdArray::from).map(JsValue::from).collect::<js_sys::Array>().into())
        }))
    }

    /// The type that all of these types become when they meet.
    #[wasm_bindgen(js_name = resultType)]
    pub fn result_type(&self, names: Vec<String>) -> JsResult<String> {
        let dtypes = names.iter().map(|name| dtype("result_type", name)).collect::<JsResult<Vec<_>>>()?;
        let none = || to_js(&Error::argument("result_type", "needs at least one type"));
        Ok(DType::result_type(dtypes).ok_or_else(none)?.name().to_owned())
    }

    /// Whether every value of the type `from` is one of `to`.
    #[wasm_bindgen(js_name = canCast)]
    pub fn can_cast(&self, from: &str, to: &str) -> JsResult<bool> {
        Ok(dtype("can_cast", from)?.can_cast(dtype("can_cast", to)?))
    }

    /// What kind of numbers a type holds, as the array API calls it.
    #[wasm_bindgen(js_name = kindOf)]
    pub fn kind_of(&self, name: &str) -> JsResult<String> {
        let kind = match dtype("isdtype", name)?.kind() {
            DTypeKind::Bool => "bool",
            DTypeKind::Signed => "signed integer",
            DTypeKind::Unsigned => "unsigned integer",
            DTypeKind::Float => "real floating",
            DTypeKind::Complex => "complex floating",
        };
        Ok(kind.to_owned())
    }

    /// What a type of floats can hold: bits, eps, max, the smallest normal number and the resolution.
    pub fn finfo(&self, name: &str) -> JsResult<Vec<f64>> {
        let wrong = || to_js(&Error::dtype("finfo", format!("{name} is no type of floats")));
        let info = dtype("finfo", name)?.float_info().ok_or_else(wrong)?;
        Ok(vec![info.bits as f64, info.eps, info.max, info.smallest_normal, info.resolution])
    }

    /// The lowest and the highest integer of a type, in digits.
    pub fn iinfo(&self, name: &str) -> JsResult<Vec<String>> {
        let wrong = || to_js(&Error::dtype("iinfo", format!("{name} is no type of integers")));
        let (low, high) = dtype("iinfo", name)?.integer_range().ok_or_else(wrong)?;
        Ok(vec![low.to_string(), high.to_string()])
    }

    /// Tells `listener` of what is no error but worth a word, such as work that no GPU can do and the CPU did.
    #[wasm_bindgen(js_name = onWarning)]
    pub fn on_warning(
        &self,
        #[wasm_bindgen(unchecked_param_type = "(message: string) => void")] listener: js_sys::Function,
    ) {
        let number = LISTENERS.with_borrow_mut(|listeners| {
            listeners.push(listener);
            listeners.len() - 1
        });
        self.device().on_warning(move |message| {
            let listener = LISTENERS.with_borrow(|listeners| listeners.get(number).cloned());
            // What a listener throws is no concern of the work that goes on.
            _ = listener.map(|listener| listener.call1(&JsValue::NULL, &message.into()));
        });
    }
}

fn dtype(op: &str, name: &str) -> JsResult<DType> {
    DType::parse(name).ok_or_else(|| to_js(&Error::dtype(op, format!("there is no type \"{name}\""))))
}
