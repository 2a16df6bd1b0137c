//! What the browser says about its adapter.
//!
//! Browsers leave the adapter's description empty, and wgpu passes on nothing else; but maker and architecture are there. The
//! question is asked while the device opens, so nobody waits for the answer. Where anything is missing, the answer is empty.

use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Words that describe an adapter; empty where the browser does not say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Described {
    pub(crate) name: String,
    pub(crate) vendor: String,
    pub(crate) is_software: bool,
}

/// A question on its way.
pub(crate) struct Question(Promise);

/// Asks the browser for the adapter that the engine will get. Where there is no WebGPU, the error says so to the user.
pub(crate) fn ask() -> Result<Question, &'static str> {
    let no_gpu = "there is no WebGPU here; Chrome and Edge from 113, Safari from 26 and Firefox from 141 on have it, on pages \
                  served over https or from localhost (on Linux it may need chrome://flags/#enable-unsafe-webgpu, or \
                  dom.webgpu.enabled in Firefox)";
    request_adapter().map(Question).ok_or(no_gpu)
}

impl Question {
    /// The answer, or why there is no adapter, in a sentence for the user.
    pub(crate) async fn answer(self) -> Result<Described, &'static str> {
        let adapter = JsFuture::from(self.0).await.ok().filter(|adapter| adapter.is_object());
        let no_adapter = "this browser has WebGPU but offers no adapter; hardware acceleration may be switched off";
        let adapter = adapter.ok_or(no_adapter)?;
        Ok(property(&adapter, "info").map(|info| describe(&info)).unwrap_or_default())
    }
}

fn request_adapter() -> Option<Promise> {
    let gpu = property(&property(&js_sys::global(), "navigator")?, "gpu")?;
    let options = Object::new();
    Reflect::set(&options, &"powerPreference".into(), &"high-performance".into()).ok()?;
    let request: Function = property(&gpu, "requestAdapter")?.dyn_into().ok()?;
    request.call1(&gpu, &options).ok()?.dyn_into().ok()
}

fn describe(info: &JsValue) -> Described {
    let text = |key| property(info, key).and_then(|value| value.as_string()).unwrap_or_default();
    let architecture = text("architecture");
    let name = [text("description"), text("device"), architecture.clone()].into_iter().find(|text| !text.is_empty());
    let is_fallback = property(info, "isFallbackAdapter").is_some_and(|value| value.is_truthy());
    Described {
        name: name.unwrap_or_default(),
        vendor: text("vendor"),
        is_software: is_fallback || architecture == "swiftshader",
    }
}

/// A property that is neither missing nor null.
fn property(object: &JsValue, key: &str) -> Option<JsValue> {
    Reflect::get(object, &key.into()).ok().filter(|value| !value.is_undefined() && !value.is_null())
}
