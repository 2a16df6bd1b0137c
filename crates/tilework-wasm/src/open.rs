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
    #[cfg(any(feature = "arrays", feature = "models"))]
    pub(crate) async fn new(device: &str) -> JsResult<Opened> {
        if device == "auto" { Ok(Opened::auto().await) } else { Opened::named(device).await }
    }

    async fn named(device: &str) -> JsResult<Opened> {
        match device {
            "cpu" => Ok(Opened::cpu()),
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
    #[cfg(any(feature = "llm", feature = "solve"))]
    pub(crate) async fn whole(device: &str) -> JsResult<Opened> {
        if device != "auto" {
            return Opened::named(device).await;
        }
        match Opened::describe().await {
            Ok(described) => Opened::gpu(described).await.or_else(|_| Ok(Opened::refused())),
            Err(opened) => Ok(opened),
        }
    }

    pub(crate) fn cpu() -> Opened {
        Opened { device: Device::cpu(), described: Described::default(), note: "" }
    }

    #[cfg(any(feature = "llm", feature = "solve"))]
    async fn gpu(described: Described) -> JsResult<Opened> {
        let device = Device::gpu().await.map_err(|error| to_js(&error))?;
        Ok(Opened { device, described, note: "" })
    }

    fn refused() -> Opened {
        Opened { note: "the WebGPU adapter refused to open a device", ..Opened::cpu() }
    }

    /// What the browser says about an adapter that is worth measuring; the CPU if there is none. wgpu does not say whether a
    /// browser's adapter is software, so that is asked first: such an adapter is slower than the CPU it runs on.
    async fn describe() -> Result<Described, Opened> {
        let answer = match adapter::ask() {
            Ok(question) => question.answer().await,
            Err(reason) => Err(reason),
        };
        let described = answer.map_err(|note| Opened { note, ..Opened::cpu() })?;
        if described.is_software {
            let note = "the only WebGPU adapter here is a program running on the CPU, so the CPU is used directly";
            return Err(Opened { described, note, ..Opened::cpu() });
        }
        Ok(described)
    }

    /// The automatic choice.
    #[cfg(any(feature = "arrays", feature = "models"))]
    async fn auto() -> Opened {
        let described = match Opened::describe().await {
            Ok(described) => described,
            Err(opened) => return opened,
        };
        let device = Device::auto().await;
        if device.adapter().is_none() {
            return Opened::refused();
        }
        Opened { device, described, note: "" }
    }
}
