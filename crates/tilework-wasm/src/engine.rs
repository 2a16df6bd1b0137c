//! `Engine`: a device, and everything that starts from one.

#[cfg(feature = "conformance")]
use js_sys::Function;
use js_sys::{Float32Array, Float64Array, Int32Array, Uint32Array};
use tilework::{AdapterKind, Device};
#[cfg(feature = "conformance")]
use tilework_conformance::{Options, Progress};
use wasm_bindgen::prelude::*;

use crate::adapter::{self, Described};
use crate::error::{JsResult, argument, to_js};
use crate::nd_array::{NdArray, sizes};

/// An open device: where arrays are made and computed.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Engine {
    device: Device,
    described: Described,
}

#[wasm_bindgen]
impl Engine {
    /// Opens a device: "gpu" (rejects with code "no_device" without WebGPU), "cpu", or "auto", which measures and chooses.
    pub async fn open(
        #[wasm_bindgen(unchecked_param_type = "\"auto\" | \"gpu\" | \"cpu\"")] device: String,
    ) -> JsResult<Engine> {
        if device == "cpu" {
            return Ok(Engine { device: Device::cpu(), described: Described::default() });
        }
        let question = adapter::ask();
        let device = match device.as_str() {
            "auto" => Device::auto().await,
            "gpu" => Device::gpu().await.map_err(|error| to_js(&error))?,
            _ => return Err(argument("open", format!("there is no device \"{device}\"; it is auto, gpu or cpu"))),
        };
        Ok(Engine { device, described: question.answer().await })
    }

    /// The device in words, as JSON: name, backend, vendor, driver, kind, software, device.
    pub fn info(&self) -> String {
        let Some(info) = self.device.adapter() else {
            return json(["cpu", "cpu", "", "", "cpu"], false, &self.device.name());
        };
        let described = &self.described;
        let name = if described.name.is_empty() { &info.name } else { &described.name };
        let vendor = if described.vendor.is_empty() { &info.vendor } else { &described.vendor };
        let is_software = info.software || described.is_software;
        let kind = match info.kind {
            _ if is_software => "software",
            AdapterKind::Discrete => "discrete",
            AdapterKind::Integrated => "integrated",
            AdapterKind::Virtual => "virtual",
            _ => "unknown",
        };
        json(
            [name, info.backend, vendor, &info.driver, kind],
            is_software,
            &self.device.name().replace(&info.name, name),
        )
    }

    /// An array from a typed array in row-major order.
    pub fn array(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Float32Array | Int32Array | Uint32Array | Float64Array")] data: &JsValue,
        shape: &[u32],
    ) -> JsResult<NdArray> {
        let shape = sizes(shape);
        if let Some(data) = data.dyn_ref::<Float32Array>() {
            NdArray::checked(self.device.array(data.to_vec(), shape))
        } else if let Some(data) = data.dyn_ref::<Int32Array>() {
            NdArray::checked(self.device.array(data.to_vec(), shape))
        } else if let Some(data) = data.dyn_ref::<Uint32Array>() {
            NdArray::checked(self.device.array(data.to_vec(), shape))
        } else if let Some(data) = data.dyn_ref::<Float64Array>() {
            NdArray::checked(self.device.array(data.to_vec(), shape))
        } else {
            Err(argument("array", "data must be a Float32Array, Int32Array, Uint32Array or Float64Array"))
        }
    }

    /// `value` everywhere, as 32-bit floats.
    pub fn full(&self, shape: &[u32], value: f64) -> JsResult<NdArray> {
        NdArray::checked(self.device.full(sizes(shape), value))
    }

    /// 0, 1, 2 … n − 1, as 32-bit integers.
    pub fn arange(&self, n: u32) -> JsResult<NdArray> {
        NdArray::checked(self.device.arange(n as usize))
    }

    /// `n` floats evenly spread from `start` to `stop`, both included.
    pub fn linspace(&self, start: f64, stop: f64, n: u32) -> JsResult<NdArray> {
        NdArray::checked(self.device.linspace(start, stop, n as usize))
    }

    /// Opens the GPU again after it was lost. Arrays whose only copy was on it are gone, those made from JavaScript data are
    /// not.
    pub async fn reopen(&self) -> JsResult<()> {
        self.device.reopen().await.map_err(|error| to_js(&error))
    }
}

#[cfg(feature = "conformance")]
#[wasm_bindgen]
impl Engine {
    /// Runs the conformance cases with `filter` in their name (all if empty) and resolves to a report as JSON. `progress` is
    /// called before each case.
    pub async fn conformance(
        &self,
        filter: String,
        #[wasm_bindgen(unchecked_param_type = "(done: number, total: number, name: string) => void")]
        progress: Function,
    ) -> String {
        let mut report = |at: Progress<'_>| {
            // A page whose display fails still wants its report.
            _ = progress.call3(&JsValue::NULL, &at.done.into(), &at.total.into(), &at.name.into());
        };
        let options = Options { filter, ..Options::default() };
        tilework_conformance::run(&self.device, &options, &mut report).await.to_json()
    }
}

/// One JSON object; the texts are name, backend, vendor, driver and kind.
fn json(texts: [&str; 5], is_software: bool, device: &str) -> String {
    let [name, backend, vendor, driver, kind] = texts.map(quoted);
    let device = quoted(device);
    format!(
        "{{\"name\":{name},\"backend\":{backend},\"vendor\":{vendor},\"driver\":{driver},\"kind\":{kind},\
         \"software\":{is_software},\"device\":{device}}}"
    )
}

/// A JSON string, as the surrounding JavaScript writes it.
fn quoted(text: &str) -> String {
    js_sys::JSON::stringify(&text.into()).ok().and_then(|json| json.as_string()).unwrap_or_else(|| "\"\"".to_owned())
}
