//! The only list of structured operations. Conformance, gradient checks, benchmarks, naga and tint validation, the docs and
//! the JavaScript surface all follow from it.

use crate::case::Case;
use crate::op::OpSignature;
use crate::ops::{arg_reduce, concat, gather, matmul, reduce, scatter_add, softmax};

/// An operation's documentation and cases.
#[derive(Debug)]
pub struct Entry {
    /// Name and documentation.
    pub signature: &'static OpSignature,
    /// What every machine must get right.
    pub cases: fn() -> Vec<Case>,
    /// The hand-written kernels, by file name.
    pub kernels: &'static [(&'static str, &'static str)],
}

/// Every structured operation, by name.
pub static OPS: &[Entry] = &[
    arg_reduce::ENTRY,
    concat::ENTRY,
    gather::ENTRY,
    matmul::ENTRY,
    reduce::ENTRY,
    scatter_add::ENTRY,
    softmax::ENTRY,
];

/// The operation called `name`.
pub fn find(name: &str) -> Option<&'static Entry> {
    OPS.iter().find(|entry| entry.signature.name == name)
}
