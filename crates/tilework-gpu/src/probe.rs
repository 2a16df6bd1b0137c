//! Which double-floats a device computes right.
//!
//! The fast variants rely on float arithmetic that WGSL lets compilers change, so that the device is asked once, by the self-test
//! of `tilework-core`; the first variant without a single wrong answer is used. Lavapipe, for one, cancels the error terms of the
//! classic variant and computes the guarded one right.

use std::fmt;
use std::sync::Arc;

use tilework_core::Result;
use tilework_core::emit::{Eft, Precision, Probe};

use crate::device::Gpu;

/// What the self-test of double-floats found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DoubleFloat {
    /// The variant to use.
    pub eft: Eft,
    /// Results that were tried per variant.
    pub n_results: usize,
    /// How many of them were wrong, by variant in the order of [`Eft::ALL`]; none known of those that were not tried because
    /// a faster one was right.
    pub n_wrong: [Option<usize>; 3],
}

impl DoubleFloat {
    /// The precision to build kernels with.
    pub fn precision(&self) -> Precision {
        Precision::Df64(self.eft)
    }
}

impl fmt::Display for DoubleFloat {
    /// As in "guarded (0 of 6144 wrong; classic: 3072)".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = || Eft::ALL.into_iter().zip(self.n_wrong).filter_map(|(eft, n_wrong)| Some((eft, n_wrong?)));
        let own = known().find(|(eft, _)| *eft == self.eft).map_or(0, |(_, n_wrong)| n_wrong);
        write!(f, "{} ({own} of {} wrong", self.eft.name(), self.n_results)?;
        for (eft, n_wrong) in known().filter(|(eft, _)| *eft != self.eft) {
            write!(f, "; {}: {n_wrong}", eft.name())?;
        }
        f.write_str(")")
    }
}

/// Asks the device of `gpu`, once; later calls give the same answer without computing.
///
/// Fails if a kernel cannot be compiled or run.
pub async fn probe_double_float(gpu: &Gpu) -> Result<DoubleFloat> {
    let known = &gpu.inner().double_float;
    if let Some(found) = known.get() {
        return Ok(*found);
    }
    let mut found = DoubleFloat { eft: Eft::Integer, n_results: 0, n_wrong: [None; 3] };
    for (eft, n_wrong) in Eft::ALL.into_iter().zip(0..) {
        let wrong = count_wrong(gpu, eft, &mut found.n_results).await?;
        (found.eft, found.n_wrong[n_wrong]) = (eft, Some(wrong));
        if wrong == 0 {
            break;
        }
    }
    Ok(*known.get_or_init(|| found))
}

/// How many results of the self-test of `eft` are wrong, and how many there are.
async fn count_wrong(gpu: &Gpu, eft: Eft, n_results: &mut usize) -> Result<usize> {
    let probe = Probe::new(eft);
    *n_results = probe.n_results();
    let input = gpu.upload(&probe.input())?;
    let prepared = gpu.prepare(Arc::new(probe.plan.clone()))?;
    let outputs = gpu.execute(&prepared, &[input], &[])?;
    Ok(probe.n_wrong(&gpu.read(&outputs[0], 0, outputs[0].size_bytes()).await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_the_variant_and_what_failed_before_it() {
        let found = DoubleFloat { eft: Eft::Guarded, n_results: 4096, n_wrong: [Some(17), Some(0), None] };
        assert_eq!(found.to_string(), "guarded (0 of 4096 wrong; classic: 17)");
        let found = DoubleFloat { eft: Eft::Classic, n_results: 4096, n_wrong: [Some(0), None, None] };
        assert_eq!(found.to_string(), "classic (0 of 4096 wrong)");
    }
}
