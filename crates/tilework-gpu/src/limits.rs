//! What to ask of an adapter, and what a device turned out to have.
//!
//! WebGPU hands out only what is asked for. Sizes and counts are asked for at the adapter's own values, because a
//! larger binding or workgroup is never a disadvantage; everything that has to do with drawing stays at the default.

use tilework_core::plan::Caps;

/// The features worth having, of those in `available`.
pub(crate) fn wanted_features(available: wgpu::Features) -> wgpu::Features {
    available
        & (wgpu::Features::TIMESTAMP_QUERY
            | wgpu::Features::SUBGROUP
            | wgpu::Features::SUBGROUP_BARRIER
            | wgpu::Features::SHADER_F16
            | wgpu::Features::SHADER_F64
            | wgpu::Features::PIPELINE_CACHE)
}

/// WebGPU's default limits, raised to `available` where that helps to compute.
pub(crate) fn wanted_limits(available: &wgpu::Limits) -> wgpu::Limits {
    wgpu::Limits {
        max_storage_buffer_binding_size: available.max_storage_buffer_binding_size,
        max_uniform_buffer_binding_size: available.max_uniform_buffer_binding_size,
        max_buffer_size: available.max_buffer_size,
        max_storage_buffers_per_shader_stage: available.max_storage_buffers_per_shader_stage,
        max_compute_workgroup_storage_size: available.max_compute_workgroup_storage_size,
        max_compute_invocations_per_workgroup: available.max_compute_invocations_per_workgroup,
        max_compute_workgroup_size_x: available.max_compute_workgroup_size_x,
        max_compute_workgroup_size_y: available.max_compute_workgroup_size_y,
        max_compute_workgroup_size_z: available.max_compute_workgroup_size_z,
        max_compute_workgroups_per_dimension: available.max_compute_workgroups_per_dimension,
        min_uniform_buffer_offset_alignment: available.min_uniform_buffer_offset_alignment,
        min_storage_buffer_offset_alignment: available.min_storage_buffer_offset_alignment,
        ..wgpu::Limits::defaults()
    }
}

/// What kernels may rely on.
pub(crate) fn caps(device: &wgpu::Device, info: &wgpu::AdapterInfo, software: bool) -> Caps {
    let limits = device.limits();
    let features = device.features();
    Caps {
        choices: Vec::new(),
        max_storage_buffers: limits.max_storage_buffers_per_shader_stage,
        max_binding_bytes: limits.max_storage_buffer_binding_size.min(limits.max_buffer_size),
        max_workgroup_memory_bytes: limits.max_compute_workgroup_storage_size,
        max_invocations: limits.max_compute_invocations_per_workgroup,
        max_workgroups: limits.max_compute_workgroups_per_dimension,
        subgroup_sizes: features
            .contains(wgpu::Features::SUBGROUP)
            .then_some((info.subgroup_min_size, info.subgroup_max_size)),
        shader_f16: features.contains(wgpu::Features::SHADER_F16),
        shader_f64: features.contains(wgpu::Features::SHADER_F64),
        software,
    }
}

/// The limits that matter here, by their WebGPU names.
pub(crate) fn report(limits: &wgpu::Limits) -> Vec<(&'static str, u64)> {
    vec![
        ("maxBufferSize", limits.max_buffer_size),
        ("maxStorageBufferBindingSize", limits.max_storage_buffer_binding_size),
        ("maxUniformBufferBindingSize", limits.max_uniform_buffer_binding_size),
        ("maxStorageBuffersPerShaderStage", limits.max_storage_buffers_per_shader_stage.into()),
        ("maxComputeWorkgroupStorageSize", limits.max_compute_workgroup_storage_size.into()),
        ("maxComputeInvocationsPerWorkgroup", limits.max_compute_invocations_per_workgroup.into()),
        ("maxComputeWorkgroupSizeX", limits.max_compute_workgroup_size_x.into()),
        ("maxComputeWorkgroupSizeY", limits.max_compute_workgroup_size_y.into()),
        ("maxComputeWorkgroupSizeZ", limits.max_compute_workgroup_size_z.into()),
        ("maxComputeWorkgroupsPerDimension", limits.max_compute_workgroups_per_dimension.into()),
        ("minUniformBufferOffsetAlignment", limits.min_uniform_buffer_offset_alignment.into()),
    ]
}

/// Names of the features that are on.
pub(crate) fn feature_names(features: wgpu::Features) -> Vec<String> {
    // All their names are a kilobyte of every browser's download, and most are of graphics.
    #[cfg(target_arch = "wasm32")]
    let names = [
        ("timestamp_query", wgpu::Features::TIMESTAMP_QUERY),
        ("subgroup", wgpu::Features::SUBGROUP),
        ("shader_f16", wgpu::Features::SHADER_F16),
    ]
    .into_iter()
    .filter(|(_, feature)| features.contains(*feature))
    .map(|(name, _)| name.to_owned());
    #[cfg(not(target_arch = "wasm32"))]
    let names = features.iter_names().map(|(name, _)| name.to_ascii_lowercase());
    names.collect()
}
