//! Names, documentation and constructors.

use super::{Factorize, QrMode, Vectors, cases};
use crate::attrs::{AttrKind, Attribute, Given};
use crate::op::{Op, OpSignature};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::Result;

static LU_SIGNATURE: OpSignature = OpSignature {
    name: "lu_packed",
    inputs: &["a"],
    attributes: &[],
    doc: crate::op::said(
        "LU factorization with partial pivoting of m × n matrices in the last two axes, packed into one axis: m × n elements with L below the diagonal (its own is 1) and U on and above it, then for each row the row of A it came from. CPU only.",
    ),
};

static QR_SIGNATURE: OpSignature = OpSignature {
    name: "qr_packed",
    inputs: &["a"],
    attributes: &[Attribute::optional(
        "mode",
        AttrKind::Choice(&["reduced", "complete"]),
        "how many columns Q has: min(m, n) or m; reduced unless told",
    )],
    doc: crate::op::said(
        "QR factorization of m × n matrices in the last two axes, packed into one axis: Q with orthonormal columns, then R, upper triangular with a diagonal that is not negative. CPU only.",
    ),
};

const VECTORS: &[&str] = &["none", "reduced", "full"];

static SVD_SIGNATURE: OpSignature = OpSignature {
    name: "svd_packed",
    inputs: &["a"],
    attributes: &[Attribute::optional(
        "vectors",
        AttrKind::Choice(VECTORS),
        "which singular vectors come with the values: none, min(m, n) on both sides, or square matrices; reduced unless told",
    )],
    doc: crate::op::said(
        "Singular values of m × n matrices in the last two axes, packed into one axis: U, the values in descending order, the transpose of V. The largest element of each right vector is positive. CPU only.",
    ),
};

static EIGH_SIGNATURE: OpSignature = OpSignature {
    name: "eigh_packed",
    inputs: &["a"],
    attributes: &[Attribute::optional(
        "vectors",
        AttrKind::Choice(VECTORS),
        "whether eigenvectors come with the values; reduced unless told",
    )],
    doc: crate::op::said(
        "Eigenvalues of symmetric matrices in the last two axes, of which the lower triangle is read, packed into one axis: the values in ascending order, then the eigenvectors as columns, the largest element of each positive. CPU only.",
    ),
};

static EIG_SIGNATURE: OpSignature = OpSignature {
    name: "eig_packed",
    inputs: &["a"],
    attributes: &[Attribute::optional(
        "vectors",
        AttrKind::Choice(VECTORS),
        "whether eigenvectors come with the values; reduced unless told",
    )],
    doc: crate::op::said(
        "Eigenvalues of square matrices in the last two axes, packed into one axis: the values by real, then imaginary part, then the eigenvectors of length 1 as columns, the largest element of each real and positive. Complex numbers are pairs. CPU only.",
    ),
};

pub(super) fn signature(op: Factorize) -> &'static OpSignature {
    match op {
        Factorize::Lu => &LU_SIGNATURE,
        Factorize::Qr(_) => &QR_SIGNATURE,
        Factorize::Svd(_) => &SVD_SIGNATURE,
        Factorize::Eigh(_) => &EIGH_SIGNATURE,
        Factorize::Eig(_) => &EIG_SIGNATURE,
    }
}

fn vectors(given: &Given<'_>) -> Result<Vectors> {
    let choices = [("none", Vectors::None), ("reduced", Vectors::Reduced), ("full", Vectors::Full)];
    given.choice("vectors", &choices, Some(Vectors::Reduced))
}

fn build_lu(_given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(Factorize::Lu))
}

fn build_qr(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let modes = [("reduced", QrMode::Reduced), ("complete", QrMode::Complete)];
    Ok(Arc::new(Factorize::Qr(given.choice("mode", &modes, Some(QrMode::Reduced))?)))
}

fn build_svd(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(Factorize::Svd(vectors(given)?)))
}

fn build_eigh(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(Factorize::Eigh(vectors(given)?)))
}

fn build_eig(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(Factorize::Eig(vectors(given)?)))
}

/// The line of LU factorizations in the registry.
pub const LU: Entry = Entry { signature: &LU_SIGNATURE, build: build_lu, cases: cases::lu, kernels: &[] };
/// The line of QR factorizations in the registry.
pub const QR: Entry = Entry { signature: &QR_SIGNATURE, build: build_qr, cases: cases::qr, kernels: &[] };
/// The line of singular values in the registry.
pub const SVD: Entry = Entry { signature: &SVD_SIGNATURE, build: build_svd, cases: cases::svd, kernels: &[] };
/// The line of eigenvalues of symmetric matrices in the registry.
pub const EIGH: Entry = Entry { signature: &EIGH_SIGNATURE, build: build_eigh, cases: cases::eigh, kernels: &[] };
/// The line of eigenvalues in the registry.
pub const EIG: Entry = Entry { signature: &EIG_SIGNATURE, build: build_eig, cases: cases::eig, kernels: &[] };
