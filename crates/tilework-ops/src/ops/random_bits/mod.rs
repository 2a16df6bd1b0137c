//! Random words by Philox4x32-10 (Salmon, Moraes, Dror and Shaw: Parallel random numbers: as easy as 1, 2, 3, 2011).
//!
//! Word i is part `i % 4` of the block with counter `(i / 4, 0, s₂, s₃)` and key `(s₀, s₁)`, where `s` is the input `state`. It
//! is an input and no attribute, so that a captured program can be replayed with another seed. The bits are the same on every
//! machine.

mod cases;
mod cpu;
mod reference;

pub(crate) use cpu::stream_of;
pub(crate) use reference::block;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::NodeRef;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

pub(crate) const PHILOX: &str = tilework_core::wgsl!("philox.wgsl");
const RANDOM_BITS: &str = tilework_core::wgsl!("random_bits.wgsl");

/// `n` words.
#[derive(Clone, Debug)]
pub struct RandomBits {
    n: usize,
}

impl RandomBits {
    /// Gives `n` words.
    pub fn new(n: usize) -> RandomBits {
        RandomBits { n }
    }
}

/// Fails unless `state` is four words.
pub(crate) fn check_state(op: &str, state: &Meta) -> Result<()> {
    if state.dtype != DType::U32 {
        return Err(Error::dtype(op, format!("the state must be uint32, got {}", state.dtype)));
    }
    if state.shape[..] != [4] {
        return Err(Error::shape(op, format!("the state must have shape [4], got {}", state.shape)));
    }
    Ok(())
}

impl Op for RandomBits {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.push(self.n as u32);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [state] = inputs else { return Err(Error::argument("random_bits", "takes one input")) };
        check_state("random_bits", state)?;
        Ok(Meta { shape: Shape::new("random_bits", vec![self.n])?, dtype: DType::U32 })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Strided
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::fill(cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let n_blocks = self.n.div_ceil(4);
        let builder =
            KernelBuilder::new("random_bits").file(RANDOM_BITS).file(PHILOX).param("n_elements", self.n as u32);
        let builder = cx.sink(cx.source(builder, "state", 0), "y");
        Ok(vec![builder.build(cx.workgroups(n_blocks.div_ceil(256)))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, _cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        Ok(vec![None])
    }

    fn flops(&self, _inputs: &[Meta], out: &Meta) -> f64 {
        // Ten rounds of two wide products and four exclusive ors per four words.
        20.0 * out.shape.n_elements() as f64
    }
}

impl Reference for RandomBits {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::bits(self.n, &inputs[0], out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "random_bits",
    inputs: &["state"],
    attributes: &[Attribute::required("n", AttrKind::Size, "number of words")],
    doc: crate::op::said(
        "Random 32-bit words by Philox4x32-10, the same on every machine. The state is four uint32 words: the key, and the two high words of every counter.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(RandomBits::new(given.size("n")?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry {
    signature: &SIGNATURE,
    build,
    cases: cases::cases,
    kernels: &[("philox.wgsl", PHILOX), ("random_bits.wgsl", RANDOM_BITS)],
};
