//! Conformance: every operation's cases, on any device, against the operation's own reference.
//!
//! The same harness runs in `cargo test` on the CPU and on software Vulkan, in the browser, and on a user's machine by
//! `tilework conformance`. What it checks of each kind of operation is in `structured`, `pictured` and `scalar`; what it found is a
//! [`Report`].

mod compare;
mod pictured;
mod report;
mod scalar;
mod structured;

pub use pictured::in_textures;
pub use report::{Failure, Report, ScalarError};
pub use structured::{forced, variants};

use tilework::layers::core::expr::ScalarOp;
use tilework::layers::ops::case::Case;
use tilework::layers::ops::registry::OPS;
use tilework::{DType, Device};

/// What to run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only cases whose name contains this (all if empty); after a `!`, only those whose name does not.
    pub filter: String,
    /// How densely scalar operations are sampled.
    pub density: Density,
    /// Which part of them.
    pub part: Part,
}

/// A part of all cases: several processes, each with a device of its own, share them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which one, from 0 on.
    pub index: usize,
    /// Of how many.
    pub of: usize,
}

impl Default for Part {
    fn default() -> Part {
        Part { index: 0, of: 1 }
    }
}

impl Part {
    /// Neighbouring cases stay together: they share kernels.
    fn has(self, position: usize) -> bool {
        const TOGETHER: usize = 16;
        position / TOGETHER % self.of.max(1) == self.index
    }
}

impl Options {
    fn includes(&self, name: &str) -> bool {
        match self.filter.strip_prefix('!') {
            Some(unwanted) => !name.contains(unwanted),
            None => name.contains(&self.filter),
        }
    }
}

/// How densely scalar operations are sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Density {
    /// A few thousand values each: seconds, also in a browser.
    #[default]
    Quick,
    /// A quarter of a million values each: for the figures in docs/numerics.md.
    Full,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Cases finished.
    pub done: usize,
    /// Cases in all.
    pub total: usize,
    /// The case about to run.
    pub name: &'a str,
}

/// Runs all cases on `device`, calling `progress` before each.
pub async fn run(device: &Device, options: &Options, progress: &mut dyn FnMut(Progress<'_>)) -> Report {
    let mut report = Report::new(device.name());
    let included = checks().into_iter().filter(|(name, _)| options.includes(name));
    let checks: Vec<(String, Check)> =
        included.enumerate().filter(|(position, _)| options.part.has(*position)).map(|(_, check)| check).collect();
    let total = checks.len();
    for (done, (name, check)) in checks.into_iter().enumerate() {
        progress(Progress { done, total, name: &name });
        match check.run(device, options, &mut report).await {
            Verdict::Passed => report.passed += 1,
            Verdict::Skipped => report.skipped += 1,
            Verdict::Failed(message) => {
                report.failed += 1;
                report.failures.push(Failure { case: name, message });
            }
        }
    }
    report
}

/// One thing to check.
enum Check {
    Plain(Case),
    Fused(Case),
    Pictured(Case),
    Gradient(Case),
    Scalar(ScalarOp, DType),
    LargeMap,
}

enum Verdict {
    Passed,
    Skipped,
    Failed(String),
}

/// Everything there is to check, by name.
fn checks() -> Vec<(String, Check)> {
    let mut checks = Vec::new();
    for (op, dtype) in scalar::cases() {
        checks.push((format!("scalar {} {dtype}", op.name()), Check::Scalar(op, dtype)));
    }
    checks.push(("map of more elements than a dimension of workgroups".to_owned(), Check::LargeMap));
    for entry in OPS {
        for (index, case) in (entry.cases)().into_iter().enumerate() {
            let name = format!("{}: {} {}", entry.signature.name, case.name, structured::describe(&case));
            if case.check_gradient {
                checks.push((format!("{name} (gradient)"), Check::Gradient(case.clone())));
            }
            checks.push((format!("{name} (fused)"), Check::Fused(case.clone())));
            if index < pictured::n_cases(entry.signature.name) {
                checks.push((format!("{name} (from a picture)"), Check::Pictured(case.clone())));
            }
            checks.push((name, Check::Plain(case)));
        }
    }
    checks
}

impl Check {
    async fn run(&self, device: &Device, options: &Options, report: &mut Report) -> Verdict {
        let outcome = match self {
            Check::Plain(case) | Check::Fused(case) | Check::Pictured(case) | Check::Gradient(case)
                if !structured::is_supported(case, device) =>
            {
                return Verdict::Skipped;
            }
            Check::Plain(case) => structured::check_plain(case, device).await,
            Check::Fused(case) => structured::check_fused(case, device).await,
            Check::Pictured(case) => pictured::check(case, device).await,
            Check::Gradient(case) => structured::check_gradient(case, device).await,
            Check::LargeMap => structured::check_large_map(device).await,
            Check::Scalar(op, dtype) => {
                let (outcome, error) = scalar::check(*op, *dtype, device, options).await;
                report.scalar_errors.extend(error);
                outcome
            }
        };
        outcome.map_or_else(Verdict::Failed, |()| Verdict::Passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_every_case_once() {
        for of in 1..5 {
            let parts = || (0..of).map(|index| Part { index, of });
            assert!((0..1000).all(|position| parts().filter(|part| part.has(position)).count() == 1));
        }
        assert!(Part::default().has(0) && Part::default().has(999));
    }
}
