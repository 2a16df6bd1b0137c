//! Random numbers of the gamma distribution, by rejection (Marsaglia and Tsang: A simple method for generating gamma variables,
//! 2000).
//!
//! Every element has a stream of its own: try t of element i uses the four words of the counter `(i, t, s₂, s₃)`, so that the
//! result depends on nothing but the state and the position. A try succeeds with a probability above 0.95; the chance that all
//! [`N_TRIES`] fail is below 10⁻²⁰, and gives the center of the distribution. A shape below 1 takes the sample of shape + 1
//! times `u^(1/shape)`. A shape that is not positive gives NaN.

mod cases;
mod cpu;
mod reference;

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

const RANDOM_GAMMA: &str = tilework_core::wgsl!("random_gamma.wgsl");

/// Tries of one element.
const N_TRIES: u32 = 16;

/// One number for each shape parameter.
#[derive(Clone, Copy, Debug)]
pub struct RandomGamma;

impl Op for RandomGamma {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, _words: &mut Vec<u32>) {}

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [state, alpha] = inputs else { return Err(Error::argument("random_gamma", "takes two inputs")) };
        check_state("random_gamma", state)?;
        if alpha.dtype != DType::F32 {
            return Err(Error::dtype("random_gamma", format!("shapes must be float32, got {}", alpha.dtype)));
        }
        Ok(alpha.clone())
    }

    fn input_form(&self, index: usize) -> InputForm {
        if index == 0 { InputForm::Strided } else { InputForm::Elements { n_reads: 1 } }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::gamma(cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let n = cx.out.shape.n_elements();
        let builder = KernelBuilder::new("random_gamma")
            .file(RANDOM_GAMMA)
            .file(PHILOX)
            .prelude(&format!("const N_TRIES: u32 = {N_TRIES}u;"))
            .param("n_elements", n as u32);
        let builder = cx.sink(cx.source(cx.source(builder, "state", 0), "alpha_at", 1), "y");
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

impl Reference for RandomGamma {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::gamma(&inputs[0], &inputs[1], out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "random_gamma",
    inputs: &["state", "alpha"],
    attributes: &[],
    doc: crate::op::said(
        "Random numbers of the gamma distribution with scale 1 and the shape parameters alpha, by rejection (Marsaglia and Tsang) from each element's own stream of random words. The state is as in random_bits. A shape that is not positive gives NaN.",
    ),
};

fn build(_given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(RandomGamma))
}

/// This operation's line in the registry.
pub const ENTRY: Entry =
    Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: &[("random_gamma.wgsl", RANDOM_GAMMA)] };
