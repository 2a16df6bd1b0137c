//! Opening a device by name, as `Engine` and `Model` do.

use tilework::{Device, Error, ErrorKind};

use crate::adapter::{self, Described};
use crate::error::{JsResult, argument, to_js};

/// An open device with what the browser says about it.
pub(crate) struct Opened {
    pub(crate) device: Device,
    pub(crate) described: Described,
    /// Why there is no GPU, if a caller might have expected one.
    pub(crate) note: &'static str,
}

impl Opened {
    /// "gpu" (an error with code "no_device" without WebGPU), "cpu", or "auto", which measures and chooses.
    pub(crate) async fn new(device: &str) -> JsResult<Opened> {
        match device {
            "cpu" => Ok(Opened::cpu()),
            "auto" => Ok(Opened::auto().await),
            "gpu" => {
                // wgpu takes a world without WebGPU for a bug, so that is found out here.
                let no_gpu = |reason| to_js(&Error::new(ErrorKind::NoDevice, "open", reason));
                let question = adapter::ask().map_err(no_gpu)?;
                let device = Device::gpu().await.map_err(|error| to_js(&error))?;
                Ok(Opened { device, described: question.answer().await.unwrap_or_default(), note: "" })
            }
            _ => Err(argument("open", format!("there is no device \"{device}\"; it is auto, gpu or cpu"))),
        }
    }

    /// The same for work that stays where it begins: "auto" is the GPU if there is a real one, and the CPU otherwise.
    #[cfg(feature = "llm")]
    pub(crate) async fn whole(device: &str) -> JsResult<Opened> {
        if device != "auto" {
            return Opened::new(device).await;
        }
        let opened = Opened::auto().await;
        if opened.device.adapter().is_none() {
            return Ok(opened);
        }
        Opened::new("gpu").await
    }

    pub(crate) fn cpu() -> Opened {
        Opened { device: Device::cpu(), described: Described::default(), note: "" }
    }

    /// The automatic choice. wgpu does not say whether a browser's adapter is software, so that is asked first: such an
    /// adapter is slower than the CPU it runs on, and not worth measuring.
    async fn auto() -> Opened {
        let answer = match adapter::ask() {
            Ok(question) => question.answer().await,
            Err(reason) => Err(reason),
        };
        let described = match answer {
            Ok(described) => described,
            Err(note) => return Opened { note, ..Opened::cpu() },
        };
        if described.is_software {
            let note = "the only WebGPU adapter here is a program running on the CPU, so the CPU is used directly";
            return Opened { described, note, ..Opened::cpu() };
        }
        let device = Device::auto().await;
        let note = if device.adapter().is_some() { "" } else { "the WebGPU adapter refused to open a device" };
        Opened { device, described, note }
    }
}
