//! The one place where WGSL becomes a shader module.
//!
//! naga adds bounds checks, loop counters and division guards to every kernel. Ours are written to stay in bounds and
//! are tested with checks on and with guard words, so natively they run without. Browsers always add their own and
//! ignore the choice.

use crate::device::Checks;

/// Compiles `source`. Errors go to the surrounding error scope.
pub(crate) fn shader_module(device: &wgpu::Device, label: &str, source: String, checks: Checks) -> wgpu::ShaderModule {
    // Browsers want subgroups enabled by name. naga has them whenever the device does, and refuses the directive.
    let source = if cfg!(target_arch = "wasm32") { source } else { source.replace("enable subgroups;\n", "") };
    let descriptor =
        wgpu::ShaderModuleDescriptor { label: Some(label), source: wgpu::ShaderSource::Wgsl(source.into()) };
    match checks {
        Checks::Checked => device.create_shader_module(descriptor),
        // SAFETY: with `Checks::Trusted` the opener of the device vouches for the kernels of its Plans: they index
        // inside `arrayLength()` or inside sizes given by the Plan, their loops end, and they divide integers by
        // non-zero values. `Checks` documents that a caller who runs WGSL of unknown origin must choose `Checked`.
        Checks::Trusted => unsafe {
            device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked())
        },
    }
}
