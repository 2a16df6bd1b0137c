//! Running a Plan: one encoder, one compute pass, one submit.
//!
//! WebGPU orders the dispatches of a pass and makes the writes of one visible to the next, so a whole Plan fits into a
//! single pass and the driver sees the longest possible piece of work. [`Run`] is also what the profiler encodes, with
//! a pass for each dispatch instead.

use tilework_core::pictures::HAS_PICTURES;
use tilework_core::plan::{Access, Binding, Plan, SlotRole};
use tilework_core::{Error, Result};

use crate::buffer_pool::{Buffer, whole_words};
use crate::device::{Gpu, Inner};
use crate::memory::Memory;
use crate::prepared::{CachedGroup, Prepared, RunState};
use crate::sync::lock;

/// Two sets of outputs that take turns, as in a loop that feeds its result back, need two; the rest is slack.
const MAX_CACHED_GROUPS: usize = 4;

/// The buffers of one run, by slot.
struct RunBuffers {
    slots: Vec<Memory>,
    outputs: Vec<Buffer>,
    /// What has to be copied first, because somebody else holds what is to be changed.
    copies: Vec<(Buffer, Buffer)>,
}

/// One run, ready to encode.
pub(crate) struct Run<'a> {
    prepared: &'a Prepared,
    groups: Vec<wgpu::BindGroup>,
}

impl Gpu {
    /// Runs a Plan and returns its outputs. Returns as soon as the work is submitted; [`read`](Gpu::read) waits for it.
    ///
    /// Fails with `Argument` if the number or size of the inputs, or the number of scalars, is not what the Plan wants.
    pub fn execute(&self, prepared: &Prepared, inputs: &[Buffer], scalars: &[u32]) -> Result<Vec<Buffer>> {
        self.execute_owned(prepared, inputs.iter().cloned().map(Memory::Buffer).collect(), scalars)
    }

    /// The same on inputs of any kind that are given up: one that the Plan changes is changed in place if this was the only handle
    /// to it.
    pub fn execute_owned(&self, prepared: &Prepared, inputs: Vec<Memory>, scalars: &[u32]) -> Result<Vec<Buffer>> {
        self.run(prepared, inputs, scalars, |encoder, run| {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            (0..run.n_passes()).for_each(|index| run.dispatch(&mut pass, index));
            self.inner().counters.add(|c| c.passes += 1);
        })
        .map(|(outputs, ())| outputs)
    }

    /// Finds buffers, lets `encode` fill an encoder, and submits it. A Plan without passes only gets its buffers: there
    /// is nothing to encode or submit.
    pub(crate) fn run<T: Default>(
        &self,
        prepared: &Prepared,
        inputs: Vec<Memory>,
        scalars: &[u32],
        encode: impl FnOnce(&mut wgpu::CommandEncoder, &Run<'_>) -> T,
    ) -> Result<(Vec<Buffer>, T)> {
        let inner = self.inner();
        inner.health.check("execute")?;
        check_arguments(inner, prepared, &inputs, scalars)?;
        let mut buffers = take_buffers(inner, prepared, inputs)?;
        let outputs = std::mem::take(&mut buffers.outputs);
        let value = match &prepared.arena {
            None => T::default(),
            Some(_) => inner.scopes.run_now("execute", || {
                // Held until the submit, so that no other run of this Plan writes its scalars in between.
                let mut state = lock(&prepared.state);
                write_uniforms(inner, prepared, &mut state, scalars);
                let run = Run { prepared, groups: bind_groups(inner, prepared, &mut state, &buffers.slots) };
                let mut encoder = inner.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                for (from, to) in &buffers.copies {
                    let (from, n_bytes) = (&from.pooled().raw, to.usable_bytes());
                    encoder.copy_buffer_to_buffer(from, 0, &to.pooled().raw, 0, n_bytes);
                    inner.counters.add(|c| c.buffer_copies += 1);
                }
                let value = encode(&mut encoder, &run);
                inner.submit([encoder.finish()]);
                inner.counters.add(|c| c.dispatches += run.n_passes() as u64);
                value
            })?,
        };
        // Released last to first, so that the next run takes the same buffers for the same slots.
        while buffers.slots.pop().is_some() {}
        Ok((outputs, value))
    }
}

impl Run<'_> {
    /// Dispatches of the Plan.
    pub(crate) fn n_passes(&self) -> usize {
        self.prepared.plan.passes.len()
    }

    /// Encodes dispatch number `index`.
    pub(crate) fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, index: usize) {
        let [x, y, z] = self.prepared.plan.passes[index].workgroups;
        pass.set_pipeline(&self.prepared.kernels[index].pipeline);
        pass.set_bind_group(0, &self.groups[index], &[]);
        pass.dispatch_workgroups(x, y, z);
    }
}

fn check_arguments(inner: &Inner, prepared: &Prepared, inputs: &[Memory], scalars: &[u32]) -> Result<()> {
    let plan: &Plan = &prepared.plan;
    if inputs.len() != plan.n_inputs || scalars.len() != plan.n_scalars {
        let message = format!(
            "the plan takes {} inputs and {} scalars, given {} and {}",
            plan.n_inputs,
            plan.n_scalars,
            inputs.len(),
            scalars.len()
        );
        return Err(Error::argument("execute", message));
    }
    if let Some(arena) = &prepared.arena {
        arena.check_owner("execute", &inner.uniform_pool)?;
    }
    for input in inputs {
        input.check_owner("execute", &inner.storage_pool)?;
    }
    for slot in &plan.slots {
        if let SlotRole::Input(input) | SlotRole::Update { input, .. } = slot.role
            && inputs[input].usable_bytes() < slot.size_bytes
        {
            let message =
                format!("input {input} has {} bytes, the plan reads {}", inputs[input].usable_bytes(), slot.size_bytes);
            return Err(Error::argument("execute", message));
        }
    }
    if HAS_PICTURES {
        check_forms(plan, inputs)?;
    }
    prepared.kernels.iter().try_for_each(|kernel| kernel.check())
}

/// Every input must be what the passes read it as: a texture or a buffer.
fn check_forms(plan: &Plan, inputs: &[Memory]) -> Result<()> {
    for binding in plan.passes.iter().flat_map(|pass| &pass.bindings) {
        let is_texture = match plan.slots[binding.slot].role {
            SlotRole::Input(input) | SlotRole::Update { input, .. } => inputs[input].buffer().is_none(),
            SlotRole::Output(_) | SlotRole::Temp => false,
        };
        if is_texture != (binding.access == Access::Texels) {
            let (wanted, given) = if is_texture { ("buffer", "texture") } else { ("texture", "buffer") };
            let message = format!("slot {} is read as a {wanted} and was given a {given}", binding.slot);
            return Err(Error::argument("execute", message));
        }
    }
    Ok(())
}

/// A buffer for every slot. Outputs are taken last to first and before the temporaries: a caller drops a `Vec` of
/// outputs first to last, so the stacks of the pool then hand out the same buffers for the same slots.
fn take_buffers(inner: &Inner, prepared: &Prepared, inputs: Vec<Memory>) -> Result<RunBuffers> {
    let plan = &prepared.plan;
    let take = |slot: usize| inner.storage_pool.lease("execute", plan.slots[slot].size_bytes);
    let mut copies = Vec::new();
    let mut output = |&slot: &usize| {
        let SlotRole::Update { input, .. } = plan.slots[slot].role else { return take(slot) };
        // Only a buffer can be changed, see `check_forms`.
        let Some(buffer) = inputs[input].buffer() else { return take(slot) };
        if buffer.is_only_handle() {
            return Ok(buffer.clone());
        }
        let copy = take(slot)?;
        copies.push((buffer.clone(), copy.clone()));
        Ok(copy)
    };
    let mut outputs = prepared.output_slots.iter().rev().map(&mut output).collect::<Result<Vec<_>>>()?;
    outputs.reverse();
    let of_slot = |(index, role)| match role {
        SlotRole::Input(input) => Ok(inputs[input].clone()),
        SlotRole::Output(output) | SlotRole::Update { output, .. } => Ok(Memory::Buffer(outputs[output].clone())),
        SlotRole::Temp => take(index).map(Memory::Buffer),
    };
    let slots = plan.slots.iter().map(|slot| slot.role).enumerate().map(of_slot).collect::<Result<Vec<_>>>()?;
    Ok(RunBuffers { slots, outputs, copies })
}

/// Brings the arena up to date with at most one write.
fn write_uniforms(inner: &Inner, prepared: &Prepared, state: &mut RunState, scalars: &[u32]) {
    let changed = prepared.uniforms.patch(&mut state.words, scalars);
    let range = if state.is_written { changed } else { Some(0..state.words.len()) };
    let (Some(range), Some(arena)) = (range, &prepared.arena) else { return };
    let offset_bytes = range.start as u64 * 4;
    inner.queue.write_buffer(&arena.pooled().raw, offset_bytes, bytemuck::cast_slice(&state.words[range]));
    state.is_written = true;
    inner.counters.add(|c| c.uniform_writes += 1);
}

/// The bind groups for these buffers: pass by pass, those of a recent run if it had the same. A run with one new buffer then makes
/// groups only for the passes that use it.
fn bind_groups(inner: &Inner, prepared: &Prepared, state: &mut RunState, slots: &[Memory]) -> Vec<wgpu::BindGroup> {
    state.groups.resize_with(prepared.plan.passes.len(), Vec::new);
    let passes = prepared.plan.passes.iter().zip(&mut state.groups).enumerate();
    passes
        .map(|(index, (pass, known))| {
            let buffer_ids: Vec<u64> = pass.bindings.iter().map(|b| slots[b.slot].id()).collect();
            let entry = match known.iter().position(|cached| cached.buffer_ids == buffer_ids) {
                Some(position) => known.remove(position),
                None => CachedGroup { buffer_ids, group: bind_group(inner, prepared, slots, index) },
            };
            let group = entry.group.clone();
            known.truncate(MAX_CACHED_GROUPS - 1);
            known.insert(0, entry);
            group
        })
        .collect()
}

/// Binds exactly the bytes of each slot, not the whole pooled buffer, so that `arrayLength()` means the array.
fn bind_group(inner: &Inner, prepared: &Prepared, slots: &[Memory], index: usize) -> wgpu::BindGroup {
    let plan = &prepared.plan;
    let pass = &plan.passes[index];
    let block = prepared.uniforms.blocks[index];
    let input = |binding: &Binding| match &slots[binding.slot] {
        Memory::Buffer(buffer) => range(buffer, 0, whole_words(plan.slots[binding.slot].size_bytes)),
        Memory::Texture(texture) => wgpu::BindingResource::TextureView(texture.view()),
    };
    let params = prepared.arena.as_ref().map(|arena| range(arena, block.offset_bytes, block.size_bytes));
    let entries: Vec<wgpu::BindGroupEntry<'_>> = pass
        .bindings
        .iter()
        .map(input)
        .chain(params)
        .zip(0..)
        .map(|(resource, binding)| wgpu::BindGroupEntry { binding, resource })
        .collect();
    inner.counters.add(|c| c.bind_groups_built += 1);
    inner.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(&pass.kernel.label),
        layout: &prepared.kernels[index].group_layout,
        entries: &entries,
    })
}

fn range(buffer: &Buffer, offset: u64, size_bytes: u64) -> wgpu::BindingResource<'_> {
    let size = wgpu::BufferSize::new(size_bytes);
    wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer: &buffer.pooled().raw, offset, size })
}
