//! `Engine`: a device, and everything that starts from one.
//!
//! Promises hold the device itself and not the handle, which JavaScript may free while it waits.

use js_sys::Promise;
use tilework::layers::core::dtype::HAS_WIDE;
use tilework::{Array, Device, Error, ErrorKind, Result, self_check};
#[cfg(feature = "conformance")]
use tilework_conformance::{Options, Part, Progress};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use crate::elements::Elements;
use crate::error::{JsResult, to_js};
use crate::nd_array::NdArray;
use crate::open::Opened;
use crate::{info, inputs, report};

/// An open device: where arrays are made and computed.
#[wasm_bindgen]
pub struct Engine {
    opened: Opened,
    role: Role,
}

/// What becomes of results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// They are computed when they are read.
    Computes,
    /// Only their shape and type matter: they are replaced by placeholders and never computed.
    Infers,
}

#[wasm_bindgen]
impl Engine {
    /// Opens a device: "gpu" (rejects with code "no_device" without WebGPU), "cpu", or "auto", which measures and chooses.
    pub async fn open(
        #[wasm_bindgen(unchecked_param_type = "\"auto\" | \"gpu\" | \"cpu\"")] device: String,
    ) -> JsResult<Engine> {
        Ok(Engine { opened: Opened::new(&device).await?, role: Role::Computes })
    }

    /// An engine that never computes: what its methods return, or throw, says which shapes and types fit. For a page whose
    /// real engine lives in a worker.
    pub fn twin() -> Engine {
        Engine { opened: Opened::cpu(), role: Role::Infers }
    }

    /// The device in words, as JSON: name, backend, vendor, driver, kind, software, runsOn, note, limits, features.
    pub fn info(&self) -> String {
        info::info(&self.opened)
    }

    /// An array from a typed array in row-major order, of elements of the type `dtype`.
    pub fn array(
        &self,
        #[wasm_bindgen(unchecked_param_type = "ArrayBufferView")] data: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "readonly number[]")] shape: &JsValue,
        dtype: &str,
    ) -> JsResult<NdArray> {
        let mut shape = inputs::sizes("array", shape)?;
        let elements = Elements::new(data, dtype)?;
        let is_complex = HAS_WIDE && elements.dtype.is_complex();
        shape.extend(is_complex.then_some(2));
        let array = match self.role {
            Role::Computes => self.opened.device.from_host(elements.to_host(), shape),
            Role::Infers => self.placeholder(&elements, shape)?,
        };
        NdArray::checked(if is_complex { array.as_complex() } else { array })
    }

    /// Any operation by name: creation, scalar and structured operations, views, reductions. `inputs` are arrays and numbers,
    /// `attrs` has the attributes in snake case.
    pub fn call(
        &self,
        name: &str,
        #[wasm_bindgen(unchecked_param_type = "readonly (NdArray | number)[]")] inputs: &js_sys::Array,
        #[wasm_bindgen(unchecked_param_type = "object")] attrs: &JsValue,
    ) -> JsResult<NdArray> {
        let (inputs, attrs) = (inputs::inputs(name, inputs)?, inputs::attrs(name, attrs)?);
        NdArray::checked(self.kept(self.opened.device.call(name, &inputs, &attrs)))
    }

    /// Derivatives of `value`, a single number, by each of `inputs`, which were made by the operation "traced".
    pub fn gradients(
        &self,
        value: &NdArray,
        #[wasm_bindgen(unchecked_param_type = "readonly NdArray[]")] inputs: &js_sys::Array,
    ) -> JsResult<Vec<NdArray>> {
        let inputs = inputs::arrays("grad", inputs)?;
        let gradients = self.opened.device.gradients(value.inner(), &inputs.iter().collect::<Vec<_>>());
        let gradients = gradients.map_err(|error| to_js(&error))?;
        gradients.into_iter().map(|gradient| NdArray::checked(self.kept(gradient))).collect()
    }

    /// Computes arrays together and resolves when the device is done.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn eval(
        &self,
        #[wasm_bindgen(unchecked_param_type = "readonly NdArray[]")] arrays: &js_sys::Array,
    ) -> JsResult<Promise> {
        let arrays = inputs::arrays("eval", arrays)?;
        Ok(self.promise(async move |device| {
            device.eval(&arrays.iter().collect::<Vec<_>>()).await?;
            device.finish().await.map(|()| JsValue::UNDEFINED)
        }))
    }

    /// The time of every pass that computing `array` runs, as JSON.
    #[wasm_bindgen(unchecked_return_type = "Promise<string>")]
    pub fn profile(&self, array: &NdArray) -> Promise {
        let array = array.inner().clone();
        self.promise(async move |device| device.profile(&array).await.map(|timings| report::timings(&timings).into()))
    }

    /// Compares the device with the CPU on a handful of small things and resolves to the differences, as JSON.
    #[wasm_bindgen(js_name = selfCheck, unchecked_return_type = "Promise<string>")]
    pub fn self_check(&self) -> Promise {
        self.promise(async move |device| self_check(&device).await.map(|found| report::self_check(&found).into()))
    }

    /// Uses the kernels of these lines of `op sizes variant`; lines that make no sense are left out.
    #[wasm_bindgen(js_name = setChoices)]
    pub fn set_choices(&self, text: &str) {
        self.opened.device.set_choices_from(text);
    }

    /// Counts of what the device did, as JSON.
    pub fn stats(&self) -> String {
        report::stats(&self.opened.device.stats(), &self.opened.device.counters())
    }

    /// Asks the browser to look for finished work now; see `Gpu::nudge`.
    pub fn nudge(&self) {
        if let Some(gpu) = self.opened.device.open_gpu() {
            gpu.nudge();
        }
    }

    /// Destroys the GPU device, as a driver's crash would.
    #[wasm_bindgen(js_name = simulateLoss)]
    pub fn simulate_loss(&self) -> JsResult<()> {
        let no_gpu = || Error::new(ErrorKind::NoDevice, "simulate_loss", "this device has no GPU to lose");
        self.opened.device.open_gpu().ok_or_else(|| to_js(&no_gpu()))?.destroy();
        Ok(())
    }

    /// Opens the GPU again after it was lost. Arrays whose only copy was on it are gone, those made from JavaScript data are
    /// not.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn reopen(&self) -> Promise {
        self.promise(async move |device| device.reopen().await.map(|()| JsValue::UNDEFINED))
    }
}

impl Engine {
    /// The device behind it.
    #[cfg(feature = "numpy")]
    pub(crate) fn device(&self) -> &Device {
        &self.opened.device
    }

    pub(crate) fn promise<F: Future<Output = Result<JsValue>> + 'static>(
        &self,
        work: impl FnOnce(Device) -> F,
    ) -> Promise {
        let work = work(self.opened.device.clone());
        future_to_promise(async move { work.await.map_err(|error| to_js(&error)) })
    }

    /// The array, or a placeholder of the same shape and type: a twin would otherwise keep every graph it was ever shown.
    pub(crate) fn kept(&self, array: Array) -> Array {
        if self.role == Role::Infers { array.full_like(0.0) } else { array }
    }

    /// Stands for an array of this data, of which only the length is looked at.
    fn placeholder(&self, &Elements { dtype, len, .. }: &Elements<'_>, shape: Vec<usize>) -> JsResult<Array> {
        let array = self.opened.device.full_of(shape, 0.0, dtype.part());
        if array.check().is_ok() && array.size() != len {
            let message = format!("{:?} has {} elements, {len} were given", array.shape(), array.size());
            return Err(to_js(&Error::shape("array", message)));
        }
        Ok(array)
    }
}

#[cfg(feature = "extended")]
#[wasm_bindgen]
impl Engine {
    /// Measures which kernels are fastest, for about `seconds`, uses them from then on and resolves to the times, as JSON.
    /// `progress` is called with what is measured next.
    #[wasm_bindgen(unchecked_return_type = "Promise<string>")]
    pub fn tune(
        &self,
        seconds: f64,
        #[wasm_bindgen(unchecked_param_type = "(next: string) => void")] progress: js_sys::Function,
    ) -> Promise {
        self.promise(async move |device| {
            // A page whose display fails still wants its kernels.
            let mut show = |next: &str| _ = progress.call1(&JsValue::NULL, &next.into());
            device.tune(seconds, &mut show).await.map(|tuned| report::tuned(&tuned).into())
        })
    }
}

#[cfg(feature = "conformance")]
#[wasm_bindgen]
impl Engine {
    /// Runs the conformance cases with `filter` in their name (all if empty) and resolves to a report as JSON. `progress` is
    /// called before each case. With `n_parts`, only those of part `part` of so many.
    pub async fn conformance(
        &self,
        filter: String,
        #[wasm_bindgen(unchecked_param_type = "(done: number, total: number, name: string) => void")]
        progress: js_sys::Function,
        part: Option<usize>,
        n_parts: Option<usize>,
    ) -> String {
        let mut report = |at: Progress<'_>| {
            // A page whose display fails still wants its report.
            _ = progress.call3(&JsValue::NULL, &at.done.into(), &at.total.into(), &at.name.into());
        };
        let part = Part { index: part.unwrap_or(0), of: n_parts.unwrap_or(1) };
        let options = Options { filter, part, ..Options::default() };
        tilework_conformance::run(&self.opened.device, &options, &mut report).await.to_json()
    }
}
