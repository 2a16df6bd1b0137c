//! `--device`: where to run.

use clap::Arg;
use clap::builder::PossibleValue;
use tilework::{AdapterInfo, AdapterKind, Device};

use crate::failure::Outcome;

pub(crate) fn argument() -> Arg {
    Arg::new("device").long("device").value_name("DEVICE").help("Where to run").value_parser([
        PossibleValue::new("cpu").help("the CPU, always there"),
        PossibleValue::new("gpu").help("a GPU, be it a software adapter"),
        PossibleValue::new("auto").help("the GPU or the CPU, whichever is expected to be done first"),
    ])
}

pub(crate) fn json_argument() -> Arg {
    Arg::new("json").long("json").help("Print JSON, for programs").action(clap::ArgAction::SetTrue)
}

/// Opens what `--device` named.
pub(crate) async fn open(choice: &str) -> Outcome<Device> {
    Ok(match choice {
        "cpu" => Device::cpu(),
        "gpu" => Device::gpu().await?,
        _ => Device::auto().await,
    })
}

/// Whether its GPU is a program running on the CPU.
pub(crate) fn is_software(device: &Device) -> bool {
    device.adapter().is_some_and(|adapter| adapter.software)
}

/// What an adapter is made of, in words.
pub(crate) fn kind_name(adapter: &AdapterInfo) -> &'static str {
    match adapter.kind {
        _ if adapter.software => "software",
        AdapterKind::Discrete => "discrete",
        AdapterKind::Integrated => "integrated",
        AdapterKind::Virtual => "virtual",
        _ => "unknown",
    }
}

pub(crate) const SOFTWARE_NOTE: &str = "software adapter: runs on the CPU, slow";

/// What to install where there is no GPU, by platform.
pub(crate) fn driver_advice() -> &'static str {
    if cfg!(target_os = "linux") {
        "install the Vulkan driver of the graphics card: mesa-vulkan-drivers (AMD, Intel; also runs in software) or the \
         vendor's own (NVIDIA)"
    } else if cfg!(target_os = "macos") {
        "Metal is part of macOS: update macOS; inside a virtual machine, allow it to use the graphics card"
    } else if cfg!(windows) {
        "DirectX 12 is part of Windows: install the newest driver from the maker of the graphics card"
    } else {
        "install the Vulkan driver of the graphics card"
    }
}
