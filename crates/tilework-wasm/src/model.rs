//! `Model`: a model with its device, asked by method.

use std::rc::Rc;

use js_sys::{Array, Float32Array, Promise, Uint8Array};
use serde_json::Value;
use tilework::{Error, Result};
use tilework_nn::served::{self, Files, Question, Served};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use crate::error::{JsResult, argument, to_js};
use crate::info;
use crate::open::Opened;

/// An open model.
#[wasm_bindgen]
pub struct Model {
    opened: Opened,
    served: Rc<dyn Served>,
}

#[wasm_bindgen]
impl Model {
    /// Opens a device ("auto", "gpu" or "cpu") and on it a model of a kind, from files and options (JSON).
    pub async fn open(
        device: String,
        kind: String,
        names: Vec<String>,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array[]")] contents: Array,
        options: String,
    ) -> JsResult<Model> {
        let opened = Opened::new(&device).await?;
        let mut files = Files::default();
        for (name, bytes) in names.into_iter().zip(contents.iter()) {
            let bytes: Uint8Array =
                bytes.dyn_into().map_err(|_| argument("model", format!("the file `{name}` is no Uint8Array")))?;
            files.0.insert(name, bytes.to_vec());
        }
        let options = parsed(&options).map_err(|error| to_js(&error))?;
        let served = served::open(&opened.device, &kind, &files, &options).await.map_err(|error| to_js(&error))?;
        Ok(Model { opened, served })
    }

    /// The device in words, as JSON; see `Engine.info`.
    pub fn info(&self) -> String {
        info::info(&self.opened)
    }

    /// Asks by method, with options as JSON, numbers and the bytes of a file; resolves to [JSON, numbers, bytes of a file].
    #[wasm_bindgen(unchecked_return_type = "Promise<[string, Float32Array, Uint8Array]>")]
    pub fn ask(&self, method: String, options: String, data: Vec<f32>, file: Vec<u8>) -> Promise {
        // The promise holds the model itself and not the handle, which JavaScript may free while it waits.
        let served = self.served.clone();
        future_to_promise(async move {
            let options = parsed(&options).map_err(|error| to_js(&error))?;
            let answer = served.ask(Question { method, options, data, file }).await.map_err(|error| to_js(&error))?;
            let numbers = Float32Array::from(answer.data.as_slice());
            let file = Uint8Array::from(answer.file.as_slice());
            let parts: [JsValue; 3] = [answer.value.to_string().into(), numbers.into(), file.into()];
            Ok(parts.into_iter().collect::<Array>().into())
        })
    }

    /// Asks the browser to look for finished work now; see `Gpu::nudge`.
    pub fn nudge(&self) {
        if let Some(gpu) = self.opened.device.open_gpu() {
            gpu.nudge();
        }
    }
}

fn parsed(options: &str) -> Result<Value> {
    match options {
        "" => Ok(Value::Null),
        text => serde_json::from_str(text).map_err(|error| Error::argument("model", format!("options: {error}"))),
    }
}
