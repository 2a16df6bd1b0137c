//! Which adapters there are and which one to open.
//!
//! A software adapter computes correctly and slowly. It is a fine place for tests and a misleading one for benchmarks,
//! so [`AdapterInfo::software`] says so wherever an adapter is shown, and the automatic choice takes one only as the
//! last resort.

use std::fmt;

use tilework_core::{Error, ErrorKind, Result};

/// What an adapter is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AdapterKind {
    /// A graphics card with its own memory.
    Discrete,
    /// Shares memory with the CPU.
    Integrated,
    /// A graphics card seen from inside a virtual machine.
    Virtual,
    /// A program running on the CPU.
    Software,
    /// The driver or browser does not say.
    Unknown,
}

/// An adapter, as a report would describe it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct AdapterInfo {
    /// The name the driver gives, or "WebGPU adapter" where a browser hides it.
    pub name: String,
    /// "vulkan", "metal", "dx12" or "webgpu".
    pub backend: &'static str,
    /// Maker, by name if known, otherwise its PCI number; empty in browsers.
    pub vendor: String,
    /// Name of the driver; empty in browsers.
    pub driver: String,
    /// Version of the driver, in the driver's own words.
    pub driver_info: String,
    /// What it is made of.
    pub kind: AdapterKind,
    /// It is a program running on the CPU: lavapipe, SwiftShader, WARP.
    pub software: bool,
}

/// Which adapter to open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AdapterChoice {
    /// The fastest by kind: discrete, integrated, virtual, unknown, then software.
    #[default]
    Auto,
    /// The first that runs on the CPU.
    Software,
    /// The first whose name contains this, ignoring case.
    Named(String),
    /// By position in [`Gpu::adapters`](crate::Gpu::adapters).
    Index(usize),
}

impl AdapterInfo {
    pub(crate) fn new(info: &wgpu::AdapterInfo) -> Self {
        let software = info.device_type == wgpu::DeviceType::Cpu || is_software_name(&info.name);
        let kind = match info.device_type {
            _ if software => AdapterKind::Software,
            wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
            wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
            wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
            wgpu::DeviceType::Cpu | wgpu::DeviceType::Other => AdapterKind::Unknown,
        };
        AdapterInfo {
            name: if info.name.is_empty() { "WebGPU adapter".to_owned() } else { info.name.clone() },
            backend: backend_name(info.backend),
            vendor: vendor_name(info.vendor),
            driver: info.driver.clone(),
            driver_info: info.driver_info.clone(),
            kind,
            software,
        }
    }

    fn preference(&self) -> u32 {
        match self.kind {
            AdapterKind::Discrete => 0,
            AdapterKind::Integrated => 1,
            AdapterKind::Virtual => 2,
            AdapterKind::Unknown => 3,
            AdapterKind::Software => 4,
        }
    }
}

/// A fresh instance. There is one for each device opened, because a library should keep no global state.
pub(crate) fn instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::PRIMARY,
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    })
}

impl fmt::Display for AdapterChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdapterChoice::Auto => f.write_str("auto"),
            AdapterChoice::Software => f.write_str("software"),
            AdapterChoice::Named(part) => write!(f, "\"{part}\""),
            AdapterChoice::Index(index) => write!(f, "number {index}"),
        }
    }
}

/// Every adapter, in the order of the drivers. A browser shows one.
pub(crate) async fn adapters(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    if cfg!(target_family = "wasm") {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..wgpu::RequestAdapterOptions::default()
        };
        return instance.request_adapter(&options).await.into_iter().collect();
    }
    instance.enumerate_adapters(wgpu::Backends::PRIMARY).await
}

/// Position in `infos` of the adapter that `choice` means.
pub(crate) fn choose(infos: &[AdapterInfo], choice: &AdapterChoice) -> Result<usize> {
    let found = match choice {
        AdapterChoice::Auto => (0..infos.len()).min_by_key(|&i| infos[i].preference()),
        AdapterChoice::Software => infos.iter().position(|info| info.software),
        AdapterChoice::Named(part) => {
            let part = part.to_ascii_lowercase();
            infos.iter().position(|info| has(&info.name.to_ascii_lowercase(), &part))
        }
        AdapterChoice::Index(index) => Some(*index).filter(|&index| index < infos.len()),
    };
    found.ok_or_else(|| Error::new(ErrorKind::NoDevice, "open", nothing_found(infos, choice)))
}

fn nothing_found(infos: &[AdapterInfo], choice: &AdapterChoice) -> String {
    if !infos.is_empty() {
        let names: Vec<&str> = infos.iter().map(|info| info.name.as_str()).collect();
        return format!("no adapter matches {choice}; there is: {}", names.join(", "));
    }
    if cfg!(target_family = "wasm") {
        return "this browser offers no WebGPU adapter; use a current Chrome, Edge, Firefox or Safari with hardware \
                acceleration on, and a page served over https or from localhost"
            .to_owned();
    }
    "no Vulkan, Metal or DirectX 12 adapter; install the driver of the graphics card, or Mesa's lavapipe (Debian and \
     Ubuntu: mesa-vulkan-drivers) to run in software"
        .to_owned()
}

fn is_software_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["llvmpipe", "lavapipe", "swiftshader", "microsoft basic render"].iter().any(|part| has(&name, part))
}

/// Whether `part` is somewhere in `text`. Names are short: a search made for books is ten times the code.
fn has(text: &str, part: &str) -> bool {
    part.is_empty() || text.as_bytes().windows(part.len()).any(|window| window == part.as_bytes())
}

fn backend_name(backend: wgpu::Backend) -> &'static str {
    match backend {
        wgpu::Backend::Vulkan => "vulkan",
        wgpu::Backend::Metal => "metal",
        wgpu::Backend::Dx12 => "dx12",
        wgpu::Backend::BrowserWebGpu => "webgpu",
        wgpu::Backend::Gl => "gl",
        wgpu::Backend::Noop => "noop",
    }
}

/// Names of makers by PCI id; the ids above 16 bits are Khronos's own, for makers without one.
fn vendor_name(id: u32) -> String {
    let name = match id {
        0 => "",
        0x1002 | 0x1022 => "AMD",
        0x1010 => "Imagination",
        0x106b => "Apple",
        0x10de => "NVIDIA",
        0x13b5 => "Arm",
        0x1414 => "Microsoft",
        0x14e4 => "Broadcom",
        0x1ae0 => "Google",
        0x5143 => "Qualcomm",
        0x8086 => "Intel",
        0x1_0005 => "Mesa",
        _ => return format!("0x{id:04x}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(name: &str, device_type: wgpu::DeviceType) -> AdapterInfo {
        let raw = wgpu::AdapterInfo::new(device_type, wgpu::Backend::Vulkan);
        AdapterInfo::new(&wgpu::AdapterInfo { name: name.to_owned(), ..raw })
    }

    #[test]
    fn hardware_comes_first_and_software_is_told_by_name() {
        let infos = [
            info("SwiftShader Device", wgpu::DeviceType::Other),
            info("Iris", wgpu::DeviceType::IntegratedGpu),
            info("Arc", wgpu::DeviceType::DiscreteGpu),
        ];
        assert!(infos[0].software && infos[0].kind == AdapterKind::Software);
        assert_eq!(choose(&infos, &AdapterChoice::Auto).unwrap(), 2);
        assert_eq!(choose(&infos, &AdapterChoice::Software).unwrap(), 0);
        assert_eq!(choose(&infos, &AdapterChoice::Named("iris".to_owned())).unwrap(), 1);
        assert_eq!(choose(&infos, &AdapterChoice::Index(1)).unwrap(), 1);
    }

    #[test]
    fn a_missing_adapter_says_what_there_is_or_what_to_install() {
        let infos = [info("Arc", wgpu::DeviceType::DiscreteGpu)];
        let error = choose(&infos, &AdapterChoice::Index(3)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoDevice);
        assert!(error.message().contains("Arc"), "{error}");
        assert!(choose(&[], &AdapterChoice::Auto).unwrap_err().message().contains("install"));
    }
}
