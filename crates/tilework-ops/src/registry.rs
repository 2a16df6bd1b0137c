//! The only list of structured operations. Conformance, gradient checks, benchmarks, naga and tint validation, the docs and
//! the JavaScript surface all follow from it.

use crate::attrs::{Attrs, Given};
use crate::case::Case;
use crate::op::{Meta, Op, OpSignature};
use crate::ops::*;
use std::sync::Arc;
use tilework_core::{Error, Result};

/// An operation's documentation, constructor and cases.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name and documentation.
    pub signature: &'static OpSignature,
    /// Makes it from attributes.
    pub build: Build,
    /// What every machine must get right.
    pub cases: fn() -> Vec<Case>,
    /// The hand-written kernels, by file name; for tests, and empty in browsers.
    pub kernels: &'static [(&'static str, &'static str)],
}

/// Makes an operation from attributes. Inputs are checked afterwards, by [`Op::infer`].
pub type Build = fn(&Given<'_>) -> Result<Arc<dyn Op>>;

/// Every structured operation, by name.
pub static OPS: &[Entry] = &SHIPPED;

/// In a browser kernels are only what plans use: a list of them would keep those that are never used in the download.
static SHIPPED: [Entry; ENTRIES.len()] = {
    let mut shipped = [ENTRIES[0]; ENTRIES.len()];
    let mut index = 0;
    while index < shipped.len() {
        let kernels: &[_] = if cfg!(target_arch = "wasm32") { &[] } else { ENTRIES[index].kernels };
        shipped[index] = Entry { kernels, ..ENTRIES[index] };
        index += 1;
    }
    shipped
};

/// A line without the feature `extended` is in every build. The others are left out of the module that a first visit to a web
/// page downloads, where operations can be had by name alone. Those under `networks` are in the largest module of arrays only, those under `language` in none.
const ENTRIES: &[Entry] = &[
    #[cfg(feature = "extended")]
    arg_reduce::ENTRY,
    #[cfg(feature = "networks")]
    attention::ENTRY,
    #[cfg(feature = "extended")]
    bincount::ENTRY,
    #[cfg(feature = "language")]
    cache_append::ENTRY,
    #[cfg(feature = "extended")]
    cholesky::ENTRY,
    #[cfg(feature = "extended")]
    concat::ENTRY,
    #[cfg(feature = "extended")]
    conv::ENTRY,
    #[cfg(feature = "networks")]
    conv_transpose::ENTRY,
    #[cfg(feature = "extended")]
    factorize::EIG,
    #[cfg(feature = "extended")]
    factorize::EIGH,
    #[cfg(feature = "extended")]
    fft::FFT,
    #[cfg(feature = "extended")]
    gather::ENTRY,
    #[cfg(feature = "networks")]
    group_norm::ENTRY,
    #[cfg(feature = "extended")]
    fft::IRFFT,
    #[cfg(feature = "networks")]
    layer_norm::ENTRY,
    #[cfg(feature = "extended")]
    factorize::LU,
    matmul::ENTRY,
    #[cfg(feature = "networks")]
    max_unpool::ENTRY,
    #[cfg(feature = "networks")]
    neighborhood_attention::ENTRY,
    #[cfg(feature = "language")]
    packed_linear::ENTRY,
    #[cfg(feature = "language")]
    packed_rows::ENTRY,
    #[cfg(feature = "networks")]
    pool::ENTRY,
    #[cfg(feature = "extended")]
    factorize::QR,
    #[cfg(feature = "extended")]
    random_binomial_counts::ENTRY,
    #[cfg(feature = "extended")]
    random_bits::ENTRY,
    #[cfg(feature = "extended")]
    random_gamma::ENTRY,
    #[cfg(feature = "extended")]
    random_poisson_counts::ENTRY,
    reduce::ENTRY,
    #[cfg(feature = "extended")]
    fft::RFFT,
    #[cfg(feature = "networks")]
    rms_norm::ENTRY,
    #[cfg(feature = "networks")]
    rope::ENTRY,
    #[cfg(feature = "extended")]
    scan::ENTRY,
    #[cfg(feature = "extended")]
    scatter::ENTRY,
    #[cfg(feature = "extended")]
    scatter_add::ENTRY,
    #[cfg(feature = "extended")]
    searchsorted::ENTRY,
    softmax::ENTRY,
    #[cfg(feature = "extended")]
    sort::ENTRY,
    #[cfg(feature = "extended")]
    factorize::SVD,
    #[cfg(feature = "extended")]
    top_k::ENTRY,
    #[cfg(feature = "extended")]
    triangular_solve::ENTRY,
];

/// Operations that only language models use. Modules of arrays for browsers do not have them, so JavaScript has no methods for them.
pub const LANGUAGE: &[&str] = &["cache_append", "packed_linear", "packed_rows"];

/// The operation called `name`.
pub fn find(name: &str) -> Option<&'static Entry> {
    OPS.iter().find(|entry| entry.signature.name == name)
}

/// Constructors alone, from the same list: whoever refers to [`OPS`] also carries every case and reference.
static BUILDERS: [(&OpSignature, Build); ENTRIES.len()] = {
    let mut builders = [(ENTRIES[0].signature, ENTRIES[0].build); ENTRIES.len()];
    let mut index = 0;
    while index < builders.len() {
        builders[index] = (ENTRIES[index].signature, ENTRIES[index].build);
        index += 1;
    }
    builders
};

/// The operation called `name` with `attrs`, for inputs like these.
///
/// Fails with `Argument` if there is no such operation or attribute, and if one is missing or of the wrong kind.
pub fn build(name: &str, attrs: &Attrs, inputs: &[Meta]) -> Result<Arc<dyn Op>> {
    let found = BUILDERS.iter().find(|(signature, _)| signature.name == name);
    let Some((signature, build)) = found else {
        let message = if cfg!(feature = "networks") {
            "there is no operation of this name"
        } else if cfg!(feature = "extended") {
            "there is no operation of this name among those of arrays; open with `ops: \"all\"` for those of networks"
        } else {
            "there is no operation of this name among the core ones; open with `ops: \"all\"` for the others"
        };
        return Err(Error::argument(name, message));
    };
    let known: Vec<&str> = signature.attributes.iter().map(|attribute| attribute.name).collect();
    build(&Given::new(signature.name, &known, attrs, inputs)?)
}
