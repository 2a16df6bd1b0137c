//! A Plan that is being written: buffers by role, passes in order.

use std::sync::Arc;
use tilework_core::Result;
use tilework_core::emit::{Element, KernelBuilder};
use tilework_core::plan::{Caps, Pass, Plan, Slot, SlotRole, fold_workgroups};
use tilework_gpu::{Buffer, Gpu, Memory, Prepared};

/// A list of words.
pub(crate) const WORD: Element = Element::plain("u32");
/// A list of pairs of words.
pub(crate) const PAIR: Element = Element::plain("vec2<u32>");
/// A list of four words each.
pub(crate) const QUAD: Element = Element::plain("vec4<u32>");
/// A list of single floats.
pub(crate) const SINGLE: Element = Element::plain("f32");

/// Kernels want at least one element of every buffer, and none of ours is larger.
const MIN_BYTES: usize = 16;

/// Uploads a list, with zeros after one that is too short to be bound.
pub(crate) fn upload(gpu: &Gpu, bytes: &[u8]) -> Result<Buffer> {
    if bytes.len() >= MIN_BYTES {
        return gpu.upload(bytes);
    }
    let mut padded = [0; MIN_BYTES];
    padded[..bytes.len()].copy_from_slice(bytes);
    gpu.upload(&padded)
}

/// Passes and the buffers they need. What is given with [`Passes::constant`] is bound in every run; other inputs come with the run.
#[derive(Debug)]
pub(crate) struct Passes<'a> {
    plan: Plan,
    /// With the input and the slot of each.
    constants: Vec<(usize, usize, &'a Buffer)>,
    output_bytes: Vec<usize>,
    max_workgroups: u32,
}

/// A Plan ready to run, with the buffers that never change.
#[derive(Debug)]
pub(crate) struct Ready {
    prepared: Prepared,
    constants: Vec<(usize, Buffer)>,
    /// Bytes of each output that mean something.
    pub(crate) output_bytes: Vec<usize>,
}

impl<'a> Passes<'a> {
    pub(crate) fn new(caps: &Caps) -> Passes<'a> {
        Passes {
            plan: Plan::default(),
            constants: Vec::new(),
            output_bytes: Vec::new(),
            max_workgroups: caps.max_workgroups,
        }
    }

    /// A buffer that comes with the run; inputs are counted in the order they are asked for.
    pub(crate) fn input(&mut self, size_bytes: usize) -> usize {
        self.plan.n_inputs += 1;
        self.slot(size_bytes, SlotRole::Input(self.plan.n_inputs - 1))
    }

    /// A buffer that the run gives back.
    pub(crate) fn output(&mut self, size_bytes: usize) -> usize {
        self.plan.n_outputs += 1;
        self.output_bytes.push(size_bytes);
        self.slot(size_bytes, SlotRole::Output(self.plan.n_outputs - 1))
    }

    /// A buffer of the run's own.
    pub(crate) fn temp(&mut self, size_bytes: usize) -> usize {
        self.slot(size_bytes, SlotRole::Temp)
    }

    /// A buffer that is the same in all runs.
    pub(crate) fn constant(&mut self, buffer: &'a Buffer) -> usize {
        if let Some((_, slot, _)) = self.constants.iter().find(|(_, _, known)| std::ptr::eq(*known, buffer)) {
            return *slot;
        }
        let slot = self.input(buffer.size_bytes() as usize);
        self.constants.push((self.plan.n_inputs - 1, slot, buffer));
        slot
    }

    fn slot(&mut self, size_bytes: usize, role: SlotRole) -> usize {
        self.plan.slots.push(Slot { size_bytes: size_bytes.max(MIN_BYTES) as u64, role });
        self.plan.slots.len() - 1
    }

    /// Adds a pass of `n_workgroups`, folded where they are too many.
    pub(crate) fn push(&mut self, builder: KernelBuilder, n_workgroups: usize) {
        self.plan.passes.push(builder.build(fold_workgroups(n_workgroups, self.max_workgroups)));
    }

    /// The passes written so far.
    pub(crate) fn list(&self) -> &[Pass] {
        &self.plan.passes
    }

    /// Compiles what was written.
    pub(crate) fn prepare(self, gpu: &Gpu) -> Result<Ready> {
        let constants = self.constants.iter().map(|&(input, _, buffer)| (input, buffer.clone())).collect();
        Ok(Ready { prepared: gpu.prepare(Arc::new(self.plan))?, constants, output_bytes: self.output_bytes })
    }
}

impl Ready {
    /// Runs it with the inputs that are not constant, in order.
    pub(crate) fn run(&self, gpu: &Gpu, inputs: &[&Buffer]) -> Result<Vec<Buffer>> {
        let n_inputs = inputs.len() + self.constants.len();
        let mut rest = inputs.iter();
        let of_input = |input: usize| match self.constants.iter().find(|(at, _)| *at == input) {
            Some((_, buffer)) => Some(buffer.clone()),
            None => rest.next().map(|buffer| (*buffer).clone()),
        };
        let all: Vec<Memory> = (0..n_inputs).filter_map(of_input).map(Memory::Buffer).collect();
        gpu.execute_owned(&self.prepared, all, &[])
    }
}
