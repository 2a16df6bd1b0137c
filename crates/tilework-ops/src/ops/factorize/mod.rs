//! Factorizations with several results: LU with partial pivoting, QR, singular values, eigenvalues of symmetric and of general
//! matrices.
//!
//! An operation has one result, so the parts of a factorization lie one after the other, each in row-major order, in one axis that
//! takes the place of the two of the matrix: `[.., m, n] → [.., n_packed]`. The parts are slices of it, reshaped
//! ([`Factorize::split`]), which costs nothing; whoever uses several of them at once has the matrix factorized once.
//!
//! | operation | parts of an `m × n` matrix, with `k = min(m, n)` |
//! |---|---|
//! | `lu_packed` | `[m, n]`: L below the diagonal (its own is 1), U on and above it; `[m]`: the row of A that each row came from |
//! | `qr_packed` | Q `[m, k]`, R `[k, n]`; complete: Q `[m, m]`, R `[m, n]`. The diagonal of R is not negative |
//! | `svd_packed` | U `[m, k]`, singular values `[k]`, descending, Vᵀ `[k, n]`; full: U `[m, m]`, Vᵀ `[n, n]`; or the values alone |
//! | `eigh_packed` | eigenvalues `[n]`, ascending, eigenvectors as columns `[n, n]`; or the values alone. Reads the lower triangle |
//! | `eig_packed` | eigenvalues `[n, 2]` by real, then imaginary part, eigenvectors as columns `[n, n, 2]`; or the values alone |
//!
//! Complex numbers are pairs in a last axis of size 2, as in transforms. Signs that are open are settled: the element of the
//! largest magnitude of every right singular vector and every eigenvector is positive (and real). A matrix that holds NaN or an
//! infinity, or whose iteration does not end, gives NaN in all parts. All of it runs on the CPU only.

mod cases;
mod cpu;
mod entries;
mod gradient;
mod reference;

pub use entries::{EIG, EIGH, LU, QR, SVD};

use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx, no_gpu_kernel};
use crate::ops::cholesky::check_square;
#[cfg(feature = "batch")]
use std::sync::Arc;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

/// How much of `Q` is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QrMode {
    /// As many columns as `R` has rows that are not 0.
    Reduced,
    /// A square `Q`.
    Complete,
}

/// Which vectors are wanted besides the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vectors {
    /// None.
    None,
    /// As many as there are values.
    Reduced,
    /// A square matrix on both sides; for eigenvectors the same as `Reduced`.
    Full,
}

/// The factorization of every matrix, packed into one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factorize {
    /// `A[rows] = L·U`.
    Lu,
    /// `A = Q·R`.
    Qr(QrMode),
    /// `A = U·S·Vᵀ`.
    Svd(Vectors),
    /// `A·V = V·W` of a symmetric `A`.
    Eigh(Vectors),
    /// `A·V = V·W`.
    Eig(Vectors),
}

impl Factorize {
    fn name(&self) -> &'static str {
        self.signature().name
    }

    /// The shapes of the parts of an `m × n` matrix.
    fn parts(&self, [m, n]: [usize; 2]) -> Vec<Vec<usize>> {
        let k = m.min(n);
        match self {
            Factorize::Lu => vec![vec![m, n], vec![m]],
            Factorize::Qr(QrMode::Reduced) => vec![vec![m, k], vec![k, n]],
            Factorize::Qr(QrMode::Complete) => vec![vec![m, m], vec![m, n]],
            Factorize::Svd(Vectors::None) => vec![vec![k]],
            Factorize::Svd(Vectors::Reduced) => vec![vec![m, k], vec![k], vec![k, n]],
            Factorize::Svd(Vectors::Full) => vec![vec![m, m], vec![k], vec![n, n]],
            Factorize::Eigh(Vectors::None) => vec![vec![n]],
            Factorize::Eigh(_) => vec![vec![n], vec![n, n]],
            Factorize::Eig(Vectors::None) => vec![vec![n, 2]],
            Factorize::Eig(_) => vec![vec![n, 2], vec![n, n, 2]],
        }
    }

    fn packed_len(&self, matrix: [usize; 2]) -> usize {
        self.parts(matrix).iter().map(|sizes| sizes.iter().product::<usize>()).sum()
    }

    /// The parts in `packed`, which is the factorization of matrices of shape `a`.
    pub fn split(&self, packed: &NodeRef, a: &Shape) -> Result<Vec<NodeRef>> {
        let (batch, matrix) = sizes(self.name(), a)?;
        let mut start = 0;
        let mut parts = Vec::new();
        for part in self.parts(matrix) {
            let len = part.iter().product();
            let flat = graph::slice(packed, batch.len(), start.min(self.packed_len(matrix).max(1) - 1), 1, len)?;
            parts.push(graph::reshape(&flat, &Shape::new(self.name(), [batch, &part[..]].concat())?)?);
            start += len;
        }
        Ok(parts)
    }

    fn needs_square(&self) -> bool {
        matches!(self, Factorize::Eigh(_) | Factorize::Eig(_))
    }
}

/// Sizes before the last two axes, and those two.
fn sizes<'a>(op: &str, shape: &'a Shape) -> Result<(&'a [usize], [usize; 2])> {
    match &shape[..] {
        [batch @ .., m, n] => Ok((batch, [*m, *n])),
        _ => Err(Error::shape(op, format!("needs matrices in the last two axes, got {shape}"))),
    }
}

impl Op for Factorize {
    fn signature(&self) -> &'static OpSignature {
        entries::signature(*self)
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.push(match *self {
            Factorize::Lu => 0,
            Factorize::Qr(mode) => 10 + mode as u32,
            Factorize::Svd(vectors) => 20 + vectors as u32,
            Factorize::Eigh(vectors) => 30 + vectors as u32,
            Factorize::Eig(vectors) => 40 + vectors as u32,
        });
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [a] = inputs else { return Err(Error::argument(self.name(), "takes one input")) };
        let (batch, matrix) = sizes(self.name(), &a.shape)?;
        if self.needs_square() {
            check_square(self.name(), a)?;
        }
        if !a.dtype.is_float() {
            return Err(Error::dtype(self.name(), format!("needs floats, got {}", a.dtype)));
        }
        let shape = Shape::new(self.name(), [batch, &[self.packed_len(matrix)]].concat())?;
        Ok(Meta { shape, dtype: a.dtype })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: 1 }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::factorize(*self, cx, out)
    }

    fn cpu_only(&self) -> Option<&'static str> {
        Some("its steps depend on each other element by element")
    }

    fn plan(&self, _cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        Err(no_gpu_kernel(self.name(), self.cpu_only().unwrap_or_default()))
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        Ok(vec![Some(gradient::adjoint(*self, cx)?)])
    }

    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        Batched::Each(Arc::new(*self))
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        let Ok((batch, [m, n])) = sizes(self.name(), &inputs[0].shape) else { return 0.0 };
        // Golub and Van Loan's counts, for the usual algorithms with the vectors.
        let (long, short) = (m.max(n) as f64, m.min(n) as f64);
        let per_matrix = match self {
            Factorize::Lu => long * short * short - short.powi(3) / 3.0,
            Factorize::Qr(_) => 4.0 * long * short * short,
            Factorize::Svd(_) => 14.0 * long * short * short,
            Factorize::Eigh(_) => 9.0 * short.powi(3),
            Factorize::Eig(_) => 25.0 * short.powi(3),
        };
        batch.iter().product::<usize>() as f64 * per_matrix
    }

    fn is_dense(&self) -> bool {
        true
    }
}

impl Reference for Factorize {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::factorize(*self, &inputs[0], out)
    }
}
