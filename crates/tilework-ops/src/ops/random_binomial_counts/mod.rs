//! Random counts of the binomial distribution: how many of n tries succeed, if each does with probability p.
//!
//! Every element has a stream of its own, as in `random_poisson_counts`. What is drawn is the rarer of success and failure, of
//! probability q up to ½. If n·q is below 10, the tries between two such outcomes are drawn one after the other, until they are more
//! than n; more than 64 are needed with a probability below 10⁻²⁷. Else it is Hörmann's transformed rejection (The generation of
//! binomial random variates, 1993): a try fails with a probability below 0.25, all of them with one below 10⁻¹⁹, which gives the
//! rounded mean.
//!
//! Counts are kept as distance from the mean and probabilities as deviance from it; n·q is rounded to a 32-bit float, which does no
//! more than the rounding of p. Machines can only disagree where the rounding of a logarithm decides. An n that is negative and a p
//! that is not in [0, 1] give −1, which is no count.

mod cases;
mod cpu;
mod reference;

use crate::attrs::Given;
use crate::cpu::CpuCx;
use crate::graph::NodeRef;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::random_bits::{PHILOX, check_state};
use crate::ops::random_poisson_counts::{N_BLOCKS, N_TRIES, RANDOM_COUNTS};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::{Error, Result};

const RANDOM_BINOMIAL: &str = tilework_core::wgsl!("random_binomial_counts.wgsl");

/// No proposal is farther from the mean, so that sums stay in the range of int32.
const LARGEST_DISTANCE: f32 = 1e9;

/// One count for each pair of parameters, which have one shape.
#[derive(Clone, Copy, Debug)]
pub struct RandomBinomial;

impl Op for RandomBinomial {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, _words: &mut Vec<u32>) {}

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [state, n, p] = inputs else { return Err(Error::argument(SIGNATURE.name, "takes three inputs")) };
        check_state(SIGNATURE.name, state)?;
        if n.dtype != DType::I32 || p.dtype != DType::F32 {
            let message = format!("n must be int32 and p float32, got {} and {}", n.dtype, p.dtype);
            return Err(Error::dtype(SIGNATURE.name, message));
        }
        if n.shape != p.shape {
            return Err(Error::shape(SIGNATURE.name, format!("n {} and p {} differ", n.shape, p.shape)));
        }
        Ok(n.clone())
    }

    fn input_form(&self, index: usize) -> InputForm {
        if index == 0 { InputForm::Strided } else { InputForm::Elements { n_reads: 1 } }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::binomial(cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let n = cx.out.shape.n_elements();
        let builder = KernelBuilder::new("random_binomial_counts")
            .file(RANDOM_BINOMIAL)
            .file(RANDOM_COUNTS)
            .file(PHILOX)
            .prelude(&format!("const N_BLOCKS: u32 = {N_BLOCKS}u;\nconst N_TRIES: u32 = {N_TRIES}u;"))
            .param("n_elements", n as u32);
        let builder = cx.source(cx.source(cx.source(builder, "state", 0), "n_at", 1), "p_at", 2);
        let builder = cx.sink(builder, "y");
        Ok(vec![builder.build(cx.workgroups(n.div_ceil(256)))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, _cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        Ok(vec![None, None, None])
    }

    fn flops(&self, _inputs: &[Meta], out: &Meta) -> f64 {
        300.0 * out.shape.n_elements() as f64
    }
}

impl Reference for RandomBinomial {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::binomial(inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "random_binomial_counts",
    inputs: &["state", "n", "p"],
    attributes: &[],
    doc: crate::op::said(
        "Random counts of the binomial distribution: how many of n tries (int32) succeed with probability p (float32), by waiting times (means below 10) or by transformed rejection (Hörmann, 1993) from each element's own stream of random words, as int32. The state is as in random_bits. A negative n and a p that is not in [0, 1] give -1.",
    ),
};

fn build(_given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(RandomBinomial))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry {
    signature: &SIGNATURE,
    build,
    cases: cases::cases,
    kernels: &[("random_binomial_counts.wgsl", RANDOM_BINOMIAL)],
};
