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
pub(crate) struct Question(Option<Promise>);

/// Asks the browser for the adapter that the engine will get.
pub(crate) fn ask() -> Question {
    Question(request_adapter())
}

impl Question {
    /// The answer.
    pub(crate) async fn answer(self) -> Described {
        self.answer_or_reason().await.unwrap_or_default()
    }

    /// The answer, or why there is no adapter, in a sentence for the user.
    pub(crate) async fn answer_or_reason(self) -> Result<Described, &'static str> {
        let Some(promise) = self.0 else {
            return Err(
                "this browser has no WebGPU here; current Chrome, Edge, Firefox and Safari have it on pages served \
                        over https or from localhost",
            );
        };
        let adapter = JsFuture::from(promise).await.ok().filter(|adapter| adapter.is_object());
        let Some(adapter) = adapter else {
            return Err("this browser has WebGPU but offers no adapter; hardware acceleration may be switched off");
        };
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
