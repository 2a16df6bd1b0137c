//! A Plan with everything resolved that does not depend on the inputs.
//!
//! All checks of a Plan happen here, once: a run then trusts its indices. What is left for a run is to find buffers,
//! write the scalars that changed and encode.

use std::fmt;
use std::sync::{Arc, Mutex};

use tilework_core::pictures::HAS_PICTURES;
use tilework_core::plan::{Access, Binding, Pass, Plan, SlotRole};
use tilework_core::{Error, ErrorKind, Result};

use crate::buffer_pool::{Buffer, whole_words};
use crate::device::Gpu;
use crate::pipeline_cache::Kernel;
use crate::uniform::UniformLayout;

/// A Plan ready to run on one device. Made by [`Gpu::prepare`]; run it as often as you like, from any thread.
pub struct Prepared {
    pub(crate) plan: Arc<Plan>,
    /// The kernel of each pass.
    pub(crate) kernels: Vec<Arc<Kernel>>,
    /// The slot of each output.
    pub(crate) output_slots: Vec<usize>,
    pub(crate) uniforms: UniformLayout,
    /// Holds the parameter blocks; `None` for a Plan without passes.
    pub(crate) arena: Option<Buffer>,
    pub(crate) state: Mutex<RunState>,
}

/// What one run leaves for the next.
pub(crate) struct RunState {
    /// The words that the arena holds, once it was written.
    pub words: Vec<u32>,
    pub is_written: bool,
    /// Bind groups of the last runs of every pass, most recent first.
    pub groups: Vec<Vec<CachedGroup>>,
}

/// The bind group of a pass for one choice of buffers.
pub(crate) struct CachedGroup {
    /// The buffer of each binding.
    pub buffer_ids: Vec<u64>,
    pub group: wgpu::BindGroup,
}

impl Prepared {
    /// The Plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prepared({} slots, {} passes)", self.plan.slots.len(), self.plan.passes.len())
    }
}

impl Gpu {
    /// Checks `plan` against this device and compiles the kernels that are new.
    ///
    /// Fails with `Argument` for a Plan that contradicts itself, `TooLarge` where it exceeds the device, and `Kernel`
    /// if a kernel does not compile. In browsers the last may be known only at the next [`read`](Gpu::read) or
    /// [`finish`](Gpu::finish).
    pub fn prepare(&self, plan: Arc<Plan>) -> Result<Prepared> {
        let inner = self.inner();
        inner.health.check("prepare")?;
        let output_slots = check_slots(&plan)?;
        let limits = inner.device.limits();
        for pass in &plan.passes {
            check_pass(&plan, pass)?;
            check_limits(&plan, pass, &limits)?;
        }
        let kernel = |pass: &Pass| {
            let accesses = pass.bindings.iter().map(|binding| binding.access).collect();
            inner.pipelines.get(&pass.kernel, accesses)
        };
        let kernels = plan.passes.iter().map(kernel).collect::<Result<Vec<_>>>()?;
        let uniforms = UniformLayout::new(&plan.passes, limits.min_uniform_buffer_offset_alignment);
        let arena = match uniforms.template.len() as u64 * 4 {
            0 => None,
            size_bytes => Some(inner.uniform_pool.lease("prepare", size_bytes)?),
        };
        let state = RunState { words: uniforms.template.clone(), is_written: false, groups: Vec::new() };
        Ok(Prepared { kernels, output_slots, uniforms, arena, state: Mutex::new(state), plan })
    }
}

/// Checks the roles and sizes of all slots. Returns the slot of each output.
fn check_slots(plan: &Plan) -> Result<Vec<usize>> {
    let mut output_slots = vec![None; plan.n_outputs];
    for (slot_idx, slot) in plan.slots.iter().enumerate() {
        if slot.size_bytes == 0 {
            return Err(Error::argument("prepare", format!("slot {slot_idx} has no bytes")));
        }
        match slot.role {
            SlotRole::Input(input) | SlotRole::Update { input, .. } if input >= plan.n_inputs => {
                let message = format!("slot {slot_idx} is input {input} of {}", plan.n_inputs);
                return Err(Error::argument("prepare", message));
            }
            SlotRole::Output(output) | SlotRole::Update { output, .. } => match output_slots.get_mut(output) {
                Some(entry @ None) => *entry = Some(slot_idx),
                Some(Some(other)) => {
                    let message = format!("slots {other} and {slot_idx} are both output {output}");
                    return Err(Error::argument("prepare", message));
                }
                None => {
                    let message = format!("slot {slot_idx} is output {output} of {}", plan.n_outputs);
                    return Err(Error::argument("prepare", message));
                }
            },
            SlotRole::Input(_) | SlotRole::Temp => {}
        }
    }
    let found = |(output, slot): (usize, Option<usize>)| {
        slot.ok_or_else(|| Error::argument("prepare", format!("no slot is output {output}")))
    };
    output_slots.into_iter().enumerate().map(found).collect()
}

/// Checks the indices of a pass.
fn check_pass(plan: &Plan, pass: &Pass) -> Result<()> {
    let label = &pass.kernel.label;
    if let Some(binding) = pass.bindings.iter().find(|binding| binding.slot >= plan.slots.len()) {
        let message = format!("binds slot {} of {}", binding.slot, plan.slots.len());
        return Err(Error::argument(label, message));
    }
    for patch in &pass.patches {
        if patch.word >= pass.params.len() || patch.scalar >= plan.n_scalars {
            let message = format!(
                "patches word {} of {} with scalar {} of {}",
                patch.word,
                pass.params.len(),
                patch.scalar,
                plan.n_scalars
            );
            return Err(Error::argument(label, message));
        }
    }
    if pass.workgroups.contains(&0) {
        return Err(Error::argument(label, "dispatches no workgroups along an axis"));
    }
    Ok(())
}

/// Checks the sizes of a pass against the device.
fn check_limits(plan: &Plan, pass: &Pass, limits: &wgpu::Limits) -> Result<()> {
    let at_most = |what: &str, asked: u64, allowed: u64| {
        if asked <= allowed {
            return Ok(());
        }
        let message = format!("{what}: {asked}; this device allows {allowed}");
        Err(Error::new(ErrorKind::TooLarge, &pass.kernel.label, message))
    };
    let max_bytes = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let is_buffer = |binding: &&Binding| !HAS_PICTURES || binding.access != Access::Texels;
    for binding in pass.bindings.iter().filter(is_buffer) {
        at_most("bytes of a storage buffer", whole_words(plan.slots[binding.slot].size_bytes), max_bytes)?;
    }
    let n_bindings = pass.bindings.iter().filter(is_buffer).count() as u64;
    let n_textures = pass.bindings.len() as u64 - n_bindings;
    if HAS_PICTURES {
        at_most("textures of a pass", n_textures, limits.max_sampled_textures_per_shader_stage.into())?;
    }
    at_most("storage buffers of a pass", n_bindings, limits.max_storage_buffers_per_shader_stage.into())?;
    let params_bytes = pass.params.len() as u64 * 4;
    at_most("bytes of a parameter block", params_bytes, limits.max_uniform_buffer_binding_size)?;
    let max_workgroups = pass.workgroups.iter().copied().max().unwrap_or(0);
    at_most("workgroups along a dimension", max_workgroups.into(), limits.max_compute_workgroups_per_dimension.into())
}
