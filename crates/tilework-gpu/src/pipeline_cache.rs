//! Compiled kernels by their text.
//!
//! Two equal [`KernelSource`]s are the same pipeline, whatever Plan they came from: that is the whole key, apart from
//! how the bindings are used, which the bind group layout needs. Layouts are built from the Plan instead of being
//! derived by the driver, so that a kernel that does not use one of its bindings still fits.

use std::sync::{Arc, Mutex};

use tilework_core::Result;
use tilework_core::pictures::HAS_PICTURES;
use tilework_core::plan::{Access, KernelSource};
use tilework_core::words::WordMap;

use crate::device::{Checks, DeviceParts};
use crate::disk_cache::DiskCache;
use crate::scopes::{Outcome, Subject, failure};
use crate::sync::lock;
use crate::trusted::shader_module;

/// A picture, whose texels are words.
const TEXELS: wgpu::BindingType = wgpu::BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Uint,
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};

/// A compiled kernel.
pub(crate) struct Kernel {
    pub pipeline: wgpu::ComputePipeline,
    pub group_layout: wgpu::BindGroupLayout,
    /// The compiler's verdict; in browsers known only some time after building.
    outcome: Outcome,
}

impl Kernel {
    /// The compiler's error, as far as it is known.
    pub(crate) fn check(&self) -> Result<()> {
        failure(&self.outcome)
    }
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    source: Arc<KernelSource>,
    accesses: Vec<Access>,
}

/// All kernels of a device.
pub(crate) struct PipelineCache {
    parts: DeviceParts,
    checks: Checks,
    disk: Option<DiskCache>,
    kernels: Mutex<WordMap<Key, Arc<Kernel>>>,
}

impl PipelineCache {
    /// An empty cache, backed by `disk` if there is one.
    pub(crate) fn new(parts: &DeviceParts, checks: Checks, disk: Option<DiskCache>) -> Self {
        PipelineCache { parts: parts.clone(), checks, disk, kernels: Mutex::default() }
    }

    /// The kernel of `source`, compiled now if it is new. `accesses` is how it uses its bindings.
    pub(crate) fn get(&self, source: &Arc<KernelSource>, accesses: Vec<Access>) -> Result<Arc<Kernel>> {
        let key = Key { source: source.clone(), accesses };
        let known = lock(&self.kernels).get(&key).cloned();
        if let Some(kernel) = known {
            kernel.check()?;
            self.parts.counters.add(|c| c.pipelines_reused += 1);
            return Ok(kernel);
        }
        // Compiled without the lock: two threads may compile the same kernel once, but none waits for another's.
        let kernel = Arc::new(self.build(&key));
        self.parts.scopes.check(&source.label, &kernel.outcome)?;
        self.parts.counters.add(|c| c.pipelines_built += 1);
        Ok(lock(&self.kernels).entry(key).or_insert(kernel).clone())
    }

    /// Writes the compiled pipelines to disk, if that was asked for and the driver can.
    pub(crate) fn save(&self) -> Result<()> {
        self.disk.as_ref().map_or(Ok(()), DiskCache::save)
    }

    fn build(&self, key: &Key) -> Kernel {
        let source = &key.source;
        let subject = Subject { op: source.label.clone(), attempt: String::new() };
        let ((pipeline, group_layout), outcome) = self.parts.scopes.run(subject, || {
            let label = Some(source.label.as_str());
            let module = shader_module(&self.parts.device, &source.label, source.text(), self.checks);
            let group_layout = self.group_layout(label, &key.accesses);
            let layout = self.parts.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label,
                bind_group_layouts: &[Some(&group_layout)],
                immediate_size: 0,
            });
            let constants: Vec<(&str, f64)> =
                source.overrides.iter().map(|&(name, value)| (name, f64::from(value))).collect();
            let pipeline = self.parts.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label,
                layout: Some(&layout),
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() },
                cache: self.disk.as_ref().map(DiskCache::cache),
            });
            (pipeline, group_layout)
        });
        Kernel { pipeline, group_layout, outcome }
    }

    /// Storage buffers and textures in order, then the uniform parameter block.
    fn group_layout(&self, label: Option<&str>, accesses: &[Access]) -> wgpu::BindGroupLayout {
        let buffer = |ty| wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
        let input = |&access: &Access| match access {
            Access::Texels if HAS_PICTURES => TEXELS,
            _ => buffer(wgpu::BufferBindingType::Storage { read_only: access == Access::Read }),
        };
        let entries: Vec<wgpu::BindGroupLayoutEntry> = accesses
            .iter()
            .map(input)
            .chain([buffer(wgpu::BufferBindingType::Uniform)])
            .zip(0..)
            .map(|(ty, binding)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty,
                count: None,
            })
            .collect();
        self.parts.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries })
    }
}
