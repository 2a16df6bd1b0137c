//! Compiled pipelines on disk, where the driver can hand them out (Vulkan).
//!
//! Saves the driver's compile time at the next start. It is only a cache: a missing, stale or damaged file costs
//! nothing but that time, and failing to write one is reported only to a caller who asked for the write.

use std::fs;
use std::path::{Path, PathBuf};

use tilework_core::{Error, ErrorKind, Result};

/// The cache object of a device and the file it came from.
pub(crate) struct DiskCache {
    cache: wgpu::PipelineCache,
    path: PathBuf,
}

impl DiskCache {
    /// Loads the cache for this adapter from `folder`; `None` if the device has no such thing.
    pub(crate) fn open(device: &wgpu::Device, info: &wgpu::AdapterInfo, folder: &Path) -> Option<DiskCache> {
        if !device.features().contains(wgpu::Features::PIPELINE_CACHE) {
            return None;
        }
        let path = folder.join(wgpu::util::pipeline_cache_key(info)?);
        let data = fs::read(&path).ok();
        let descriptor =
            wgpu::PipelineCacheDescriptor { label: Some("tilework"), data: data.as_deref(), fallback: true };
        // SAFETY: the file is written only by `save` below, from `get_data`, into the folder that the opener of the
        // device set aside for it. wgpu checks its header (adapter, driver, size) and with `fallback` starts empty if
        // that differs.
        let cache = unsafe { device.create_pipeline_cache(&descriptor) };
        Some(DiskCache { cache, path })
    }

    /// For the pipeline descriptor.
    pub(crate) fn cache(&self) -> &wgpu::PipelineCache {
        &self.cache
    }

    /// Writes the cache. A rename at the end keeps a concurrent reader from seeing half a file.
    pub(crate) fn save(&self) -> Result<()> {
        let Some(data) = self.cache.get_data() else { return Ok(()) };
        let temporary = self.path.with_extension(format!("{}.part", std::process::id()));
        let write = || {
            self.path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&temporary, &data)?;
            fs::rename(&temporary, &self.path)
        };
        write().map_err(|error| {
            let message = format!("could not write {}: {error}", self.path.display());
            Error::new(ErrorKind::Io, "save_pipeline_cache", message)
        })
    }
}
