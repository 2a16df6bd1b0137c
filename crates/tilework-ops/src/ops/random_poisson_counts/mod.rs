//! Random counts of the Poisson distribution.
//!
//! Every element has a stream of its own, as in `random_gamma`: block t of element i is the counter `(i, t, s₂, s₃)`. A rate below 10
//! counts how many even numbers can be multiplied until the product is at most `exp(−rate)`; [`N_BLOCKS`] blocks hold 64 of them, and
//! more than that are needed with a probability below 10⁻²⁷. A larger rate takes Hörmann's transformed rejection (The transformed
//! rejection method for generating Poisson random variables, 1993): a try fails with a probability below 0.25, all [`N_TRIES`] with
//! one below 10⁻¹⁹, which gives the rounded rate.
//!
//! Counts are kept as distance from the rate and probabilities as deviance from it, so that 32-bit floats are precise at any rate.
//! Machines can only disagree where the rounding of an exponential or a logarithm decides. A rate that is negative or NaN gives −1,
//! which is no count; one above [`LARGEST_RATE`] gives the largest int32.

mod cases;
mod cpu;
mod reference;

pub(crate) use cpu::{Hat, deviance, half_steps, stirling_rest, unit};
pub(crate) use reference::log_factorial;

use crate::attrs::Given;
use crate::cpu::CpuCx;
use crate::graph::NodeRef;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::random_bits::{PHILOX, check_state};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::{Error, Result};

const RANDOM_POISSON: &str = tilework_core::wgsl!("random_poisson_counts.wgsl");
pub(crate) const RANDOM_COUNTS: &str = tilework_core::wgsl!("random_counts.wgsl");

/// Blocks of four words that a small mean may use.
pub(crate) const N_BLOCKS: u32 = 16;

/// Tries of the rejection.
pub(crate) const N_TRIES: u32 = 32;

/// From this mean on, rejection is used.
pub(crate) const SMALLEST_MEAN: f32 = 10.0;

/// Ten standard deviations below the end of int32.
const LARGEST_RATE: f32 = 2_147_000_000.0;

/// No sample is farther from the mean.
const LARGEST_DISTANCE: f32 = 480_000.0;

/// One count for each rate.
#[derive(Clone, Copy, Debug)]
pub struct RandomPoisson;

impl Op for RandomPoisson {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, _words: &mut Vec<u32>) {}

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [state, rate] = inputs else { return Err(Error::argument(SIGNATURE.name, "takes two inputs")) };
        check_state(SIGNATURE.name, state)?;
        if rate.dtype != DType::F32 {
            return Err(Error::dtype(SIGNATURE.name, format!("rates must be float32, got {}", rate.dtype)));
        }
        Ok(Meta { shape: rate.shape.clone(), dtype: DType::I32 })
    }

    fn input_form(&self, index: usize) -> InputForm {
        if index == 0 { InputForm::Strided } else { InputForm::Elements { n_reads: 1 } }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::poisson(cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let n = cx.out.shape.n_elements();
        let builder = KernelBuilder::new("random_poisson_counts")
            .file(RANDOM_POISSON)
            .file(RANDOM_COUNTS)
            .file(PHILOX)
            .prelude(&format!("const N_BLOCKS: u32 = {N_BLOCKS}u;\nconst N_TRIES: u32 = {N_TRIES}u;"))
            .param("n_elements", n as u32);
        let builder = cx.sink(cx.source(cx.source(builder, "state", 0), "rate_at", 1), "y");
        Ok(vec![builder.build(cx.workgroups(n.div_ceil(256)))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, _cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        Ok(vec![None, None])
    }

    fn flops(&self, _inputs: &[Meta], out: &Meta) -> f64 {
        300.0 * out.shape.n_elements() as f64
    }
}

impl Reference for RandomPoisson {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::poisson(&inputs[0], &inputs[1], out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "random_poisson_counts",
    inputs: &["state", "rate"],
    attributes: &[],
    doc: crate::op::said(
        "Random counts of the Poisson distribution with these rates, by products of even numbers (rates below 10) or by transformed rejection (Hörmann, 1993) from each element's own stream of random words, as int32. The state is as in random_bits. A rate that is negative or NaN gives -1, one above 2147000000 gives 2147483647.",
    ),
};

fn build(_given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(RandomPoisson))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry {
    signature: &SIGNATURE,
    build,
    cases: cases::cases,
    kernels: &[("random_counts.wgsl", RANDOM_COUNTS), ("random_poisson_counts.wgsl", RANDOM_POISSON)],
};
