//! Opening a device, and the handle to it.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use tilework_core::plan::Caps;
use tilework_core::{Error, ErrorKind, Result};

use crate::adapter::{self, AdapterChoice, AdapterInfo};
use crate::buffer_pool::{Buffer, BufferPool, PoolKind};
use crate::counters::{CounterCell, Counters};
use crate::disk_cache::DiskCache;
use crate::limits;
use crate::lost::{self, Health};
use crate::pipeline_cache::PipelineCache;
use crate::probe::DoubleFloat;
use crate::scopes::ErrorScopes;

/// Unused storage memory that is kept for the next run.
const MAX_RETAINED_BYTES: u64 = 512 << 20;
const MAX_RETAINED_STAGING_BYTES: u64 = 64 << 20;
const MAX_RETAINED_UNIFORM_BYTES: u64 = 4 << 20;

/// Uploads wait in host memory for the next submit. Loading a model would hold it twice, so a submit is forced at this
/// size.
const MAX_WAITING_UPLOAD_BYTES: u64 = 64 << 20;

/// Whether kernels are compiled with run-time checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Checks {
    /// As written, without added checks. Only for kernels known to stay in bounds, to end, and not to divide integers
    /// by zero; the opener of the device vouches for that. Browsers check all the same.
    #[default]
    Trusted,
    /// With bounds checks, loop bounds and division guards: for tests, and for WGSL of unknown origin.
    Checked,
}

/// How to open a device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GpuOptions {
    /// Which adapter.
    pub adapter: AdapterChoice,
    /// Whether kernels are compiled with run-time checks.
    pub checked: Checks,
    /// Folder for compiled pipelines, where the driver can hand them out (Vulkan); none by default. It is created if
    /// missing. Point it only at a folder that nobody else writes to: drivers trust what they find there.
    pub disk_cache: Option<PathBuf>,
    /// Name of the device in debuggers.
    pub label: Option<String>,
}

/// An open device. Cloning is cheap and gives the same device; safe to use from any thread.
#[derive(Clone)]
pub struct Gpu(Arc<Inner>);

pub(crate) struct Inner {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub health: Arc<Health>,
    pub scopes: Arc<ErrorScopes>,
    pub counters: Arc<CounterCell>,
    pub storage_pool: Arc<BufferPool>,
    pub staging_pool: Arc<BufferPool>,
    pub uniform_pool: Arc<BufferPool>,
    pub pipelines: PipelineCache,
    /// What [`crate::probe_double_float`] found.
    pub double_float: OnceLock<DoubleFloat>,
    info: AdapterInfo,
    caps: Caps,
    waiting_upload_bytes: AtomicU64,
}

/// What everything made on a device needs of it.
#[derive(Clone)]
pub(crate) struct DeviceParts {
    pub device: wgpu::Device,
    pub scopes: Arc<ErrorScopes>,
    pub counters: Arc<CounterCell>,
}

impl Gpu {
    /// Opens a device.
    ///
    /// Fails with `NoDevice` if there is no such adapter, saying what to install or enable, or if the adapter refuses.
    pub async fn open(options: GpuOptions) -> Result<Gpu> {
        let adapters = adapter::adapters(&adapter::instance()).await;
        let infos: Vec<AdapterInfo> = adapters.iter().map(|a| AdapterInfo::new(&a.get_info())).collect();
        let chosen = &adapters[adapter::choose(&infos, &options.adapter)?];
        let (device, queue) = request_device(chosen, options.label.as_deref()).await?;
        Ok(Gpu(Arc::new(Inner::new(device, queue, &chosen.get_info(), &options))))
    }

    /// All adapters, in the order that [`AdapterChoice::Index`] counts. A browser shows one.
    pub async fn adapters() -> Vec<AdapterInfo> {
        let adapters = adapter::adapters(&adapter::instance()).await;
        adapters.iter().map(|adapter| AdapterInfo::new(&adapter.get_info())).collect()
    }

    /// The adapter behind this device.
    pub fn info(&self) -> &AdapterInfo {
        &self.0.info
    }

    /// What kernels may rely on.
    pub fn caps(&self) -> &Caps {
        &self.0.caps
    }

    /// The limits that matter for computing, by their WebGPU names.
    pub fn limits_report(&self) -> Vec<(&'static str, u64)> {
        limits::report(&self.0.device.limits())
    }

    /// Names of the optional features that are on.
    pub fn features_report(&self) -> Vec<String> {
        limits::feature_names(self.0.device.features())
    }

    /// What has happened since the device was opened.
    pub fn counters(&self) -> Counters {
        self.0.counters.get()
    }

    /// Whether two handles are the same open device.
    pub fn is_same(&self, other: &Gpu) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether the device is lost. Then every call fails with `DeviceLost`; open a new device and go on.
    pub fn is_lost(&self) -> bool {
        self.0.health.is_lost()
    }

    /// Gives the device and its memory back at once, whoever still holds handles. From then on it is lost.
    pub fn destroy(&self) {
        self.0.health.mark_lost("destroyed");
        for pool in [&self.0.storage_pool, &self.0.staging_pool, &self.0.uniform_pool] {
            pool.close();
        }
        self.0.device.destroy();
        // Resources are let go when a poll finds the queue empty.
        let _ = lost::poll(&self.0.device, wgpu::PollType::Poll);
    }

    /// Writes compiled pipelines to [`GpuOptions::disk_cache`] now; otherwise that happens when the last handle goes.
    /// Does nothing where there is no such cache. Fails with `Io`.
    pub fn save_pipeline_cache(&self) -> Result<()> {
        self.0.pipelines.save()
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }
}

impl Gpu {
    /// A buffer of `size_bytes` bytes with whatever content it had before. An empty one keeps a word.
    ///
    /// Fails with `TooLarge` beyond what the device can bind, and with `OutOfMemory`.
    pub fn alloc(&self, size_bytes: u64) -> Result<Buffer> {
        self.0.health.check("alloc")?;
        self.0.storage_pool.lease("alloc", size_bytes)
    }

    /// A buffer with the content `bytes`, padded with zeros to whole words. Fails as [`alloc`](Self::alloc).
    pub fn upload(&self, bytes: &[u8]) -> Result<Buffer> {
        let inner = self.inner();
        inner.health.check("upload")?;
        let buffer = inner.storage_pool.lease("upload", bytes.len() as u64)?;
        let (words, rest) = bytes.split_at(bytes.len() & !3);
        inner.scopes.run_now("upload", || {
            let raw = &buffer.pooled().raw;
            if !words.is_empty() {
                inner.queue.write_buffer(raw, 0, words);
            }
            if !rest.is_empty() || words.is_empty() {
                let mut last = [0; 4];
                last[..rest.len()].copy_from_slice(rest);
                inner.queue.write_buffer(raw, words.len() as u64, &last);
            }
        })?;
        inner.uploaded(bytes.len() as u64);
        Ok(buffer)
    }
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gpu({}, {})", self.0.info.name, self.0.info.backend)
    }
}

impl Inner {
    fn new(device: wgpu::Device, queue: wgpu::Queue, info: &wgpu::AdapterInfo, options: &GpuOptions) -> Self {
        let health = Health::watch(&device);
        let scopes = Arc::new(ErrorScopes::new(device.clone(), health.clone()));
        let counters = Arc::new(CounterCell::default());
        let parts = DeviceParts { device: device.clone(), scopes: scopes.clone(), counters: counters.clone() };
        let pool =
            |label, usage, max_retained_bytes| BufferPool::new(&parts, PoolKind { label, usage, max_retained_bytes });
        use wgpu::BufferUsages as Usage;
        let storage = Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST;
        let disk = options.disk_cache.as_deref().and_then(|folder| DiskCache::open(&device, info, folder));
        let described = AdapterInfo::new(info);
        Inner {
            storage_pool: pool("tilework storage", storage, MAX_RETAINED_BYTES),
            staging_pool: pool("tilework staging", Usage::MAP_READ | Usage::COPY_DST, MAX_RETAINED_STAGING_BYTES),
            uniform_pool: pool("tilework uniform", Usage::UNIFORM | Usage::COPY_DST, MAX_RETAINED_UNIFORM_BYTES),
            pipelines: PipelineCache::new(&parts, options.checked, disk),
            double_float: OnceLock::new(),
            caps: limits::caps(&device, info, described.software),
            info: described,
            waiting_upload_bytes: AtomicU64::new(0),
            device,
            queue,
            health,
            scopes,
            counters,
        }
    }

    /// Counts what was written to the device, and submits it if much of it waits.
    pub(crate) fn uploaded(&self, n_bytes: u64) {
        self.counters.add(|c| c.bytes_up += n_bytes);
        if self.waiting_upload_bytes.fetch_add(n_bytes, Ordering::Relaxed) + n_bytes > MAX_WAITING_UPLOAD_BYTES {
            self.submit([]);
        }
    }

    /// Submits, with everything that was uploaded before.
    pub(crate) fn submit<const N: usize>(&self, commands: [wgpu::CommandBuffer; N]) -> wgpu::SubmissionIndex {
        self.waiting_upload_bytes.store(0, Ordering::Relaxed);
        self.counters.add(|c| c.submits += 1);
        self.queue.submit(commands)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if !self.health.is_lost() && self.counters.get().pipelines_built > 0 {
            // Best effort: the next start merely compiles again.
            let _ = self.pipelines.save();
        }
    }
}

/// Handles cross threads, in browsers too.
const _: fn() = || {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<(Gpu, Buffer, crate::Prepared)>();
};

/// A device with all that helps to compute, or with WebGPU's defaults if the adapter does not keep what it promised.
async fn request_device(adapter: &wgpu::Adapter, label: Option<&str>) -> Result<(wgpu::Device, wgpu::Queue)> {
    let wanted = wgpu::DeviceDescriptor {
        label: label.or(Some("tilework")),
        required_features: limits::wanted_features(adapter.features()),
        required_limits: limits::wanted_limits(&adapter.limits()),
        ..Default::default()
    };
    let modest = wgpu::DeviceDescriptor {
        required_features: wgpu::Features::empty(),
        required_limits: wgpu::Limits::defaults(),
        ..wanted.clone()
    };
    if let Ok(opened) = adapter.request_device(&wanted).await {
        return Ok(opened);
    }
    adapter.request_device(&modest).await.map_err(|error| {
        let name = AdapterInfo::new(&adapter.get_info()).name;
        Error::new(ErrorKind::NoDevice, "open", format!("{name} refused to open a device: {error}"))
    })
}
