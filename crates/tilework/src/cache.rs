//! What is worth keeping between runs, by adapter: files in the user's cache folder. Browsers have none.

use std::path::PathBuf;
use tilework_gpu::Gpu;

/// Where measurements and compiled pipelines are kept.
pub(crate) fn folder() -> Option<PathBuf> {
    if cfg!(target_arch = "wasm32") {
        return None;
    }
    let from = |variable: &str, below: &str| std::env::var_os(variable).map(|folder| PathBuf::from(folder).join(below));
    let folder = from("XDG_CACHE_HOME", "").or_else(|| from("LOCALAPPDATA", "")).or_else(|| from("HOME", ".cache"))?;
    Some(folder.join("tilework"))
}

/// What was kept about an adapter under this extension.
pub(crate) fn read(gpu: &Gpu, extension: &str) -> Option<String> {
    #[cfg(not(target_arch = "wasm32"))]
    {
        std::fs::read_to_string(file(gpu, extension)?).ok()
    }
    #[cfg(target_arch = "wasm32")]
    {
        _ = (gpu, extension);
        None
    }
}

/// Keeps a text, which is made only where it can be; failing to is harmless.
pub(crate) fn write(gpu: &Gpu, extension: &str, text: impl FnOnce() -> String) {
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(file) = file(gpu, extension)
        && let Some(folder) = file.parent()
    {
        _ = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, text()));
    }
    #[cfg(target_arch = "wasm32")]
    {
        _ = (gpu, extension, text);
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn file(gpu: &Gpu, extension: &str) -> Option<PathBuf> {
    let info = gpu.info();
    let text = format!("{}-{}-{}-{}", env!("CARGO_PKG_VERSION"), info.backend, info.name, info.driver_info);
    let name: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' }).take(120).collect();
    Some(folder()?.join(format!("{name}.{extension}")))
}
