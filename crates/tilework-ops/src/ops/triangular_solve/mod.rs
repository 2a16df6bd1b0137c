//! Triangular systems: `X: [.., n, k]` with `T·X = B`, where `T` is a triangle of `A: [.., n, n]`, transposed or not.
//!
//! Only the named triangle of `A` is read, and with a unit diagonal not even that. Both inputs have the same axes before the last
//! two. A 0 on the diagonal divides by 0: the rows that depend on it become infinite or NaN. The adjoint of `A` is 0 outside of
//! the triangle.

mod cases;
mod cpu;
mod gpu;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
use crate::matrices::{ABOVE, BELOW, LOWER, UPPER, product, transpose, weighted};
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::cholesky::check_square;
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::expr::ScalarOp;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::{Error, Result};
use tilework_dense::Triangle;

/// Which triangle of a matrix is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// On and below the diagonal.
    Lower,
    /// On and above the diagonal.
    Upper,
}

/// Whether the matrix is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `T` is the triangle.
    Plain,
    /// `T` is the triangle transposed.
    Transposed,
}

/// What the diagonal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Diagonal {
    /// As it stands in the matrix.
    Stored,
    /// All ones, whatever stands there.
    Unit,
}

/// Solves a triangular system.
#[derive(Clone, Debug)]
pub struct TriangularSolve {
    /// Which triangle is read.
    pub side: Side,
    /// Transposed or not.
    pub form: Form,
    /// Stored or unit.
    pub diagonal: Diagonal,
}

impl TriangularSolve {
    /// With the lower triangle, as it stands.
    pub fn lower() -> TriangularSolve {
        TriangularSolve { side: Side::Lower, form: Form::Plain, diagonal: Diagonal::Stored }
    }

    /// With the upper triangle, as it stands.
    pub fn upper() -> TriangularSolve {
        TriangularSolve { side: Side::Upper, ..TriangularSolve::lower() }
    }

    /// With the transposed matrix (of a transposed one, the matrix itself).
    #[must_use]
    pub fn transposed(self) -> TriangularSolve {
        let form = if self.form == Form::Plain { Form::Transposed } else { Form::Plain };
        TriangularSolve { form, ..self }
    }

    /// With ones on the diagonal.
    #[must_use]
    pub fn unit(self) -> TriangularSolve {
        TriangularSolve { diagonal: Diagonal::Unit, ..self }
    }

    fn triangle(&self, n: usize) -> Triangle {
        Triangle {
            n,
            is_upper: self.side == Side::Upper,
            is_transposed: self.form == Form::Transposed,
            is_unit: self.diagonal == Diagonal::Unit,
        }
    }

    /// Whether the last row is solved first.
    fn is_backward(&self) -> bool {
        (self.side == Side::Upper) != (self.form == Form::Transposed)
    }

    /// Number of systems, rows and right hand sides.
    fn sizes(rhs: &[usize]) -> [usize; 3] {
        let rank = rhs.len();
        [rhs[..rank - 2].iter().product(), rhs[rank - 2], rhs[rank - 1]]
    }
}

impl Op for TriangularSolve {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.extend([self.side as u32, self.form as u32, self.diagonal as u32]);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [a, b] = inputs else { return Err(Error::argument("triangular_solve", "takes two inputs")) };
        check_square("triangular_solve", a)?;
        if a.dtype != b.dtype {
            let message = format!("needs two arrays of one float type, got {} and {}", a.dtype, b.dtype);
            return Err(Error::dtype("triangular_solve", message));
        }
        let rank = a.shape.rank();
        if b.shape.rank() != rank || a.shape[..rank - 1] != b.shape[..rank - 1] {
            let message = format!("{} does not fit matrices {}: all axes but the last must agree", b.shape, a.shape);
            return Err(Error::shape("triangular_solve", message));
        }
        Ok(b.clone())
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: 2 }
    }

    fn n_scratch_buffers(&self) -> usize {
        2
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::solve(self, cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        gpu::plan(self, cx)
    }

    /// `B̄ = T⁻ᵀ·X̄` and `T̄ = −B̄·Xᵀ`, of which the triangle counts.
    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let (a, x) = (&cx.inputs[0], cx.output);
        let d_b = graph::apply(self.clone().transposed(), &[a.clone(), cx.adjoint.clone()])?;
        let d_t = match self.form {
            Form::Plain => product(&d_b, &transpose(x)?)?,
            Form::Transposed => product(x, &transpose(&d_b)?)?,
        };
        let part = match (self.side, self.diagonal) {
            (Side::Lower, Diagonal::Stored) => LOWER,
            (Side::Lower, Diagonal::Unit) => BELOW,
            (Side::Upper, Diagonal::Stored) => UPPER,
            (Side::Upper, Diagonal::Unit) => ABOVE,
        };
        let d_a = graph::map(ScalarOp::Neg, &[weighted(&d_t, part)?])?;
        Ok(vec![Some(d_a), Some(d_b)])
    }

    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        Batched::Each(Arc::new(self.clone()))
    }

    fn flops(&self, _inputs: &[Meta], out: &Meta) -> f64 {
        let [n_batch, n, n_rhs] = TriangularSolve::sizes(&out.shape);
        n_batch as f64 * (n * n) as f64 * n_rhs as f64
    }

    fn is_dense(&self) -> bool {
        true
    }
}

impl Reference for TriangularSolve {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::solve(self, inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "triangular_solve",
    inputs: &["a", "b"],
    attributes: &[
        Attribute::optional("side", AttrKind::Choice(&["lower", "upper"]), "which triangle is read; lower unless told"),
        Attribute::optional(
            "form",
            AttrKind::Choice(&["plain", "transposed"]),
            "whether the triangle is transposed; plain unless told",
        ),
        Attribute::optional(
            "diagonal",
            AttrKind::Choice(&["stored", "unit"]),
            "the diagonal of the matrix, or ones whatever stands there; stored unless told",
        ),
    ],
    doc: crate::op::said(
        "X with T·X = B, where T is a triangle of the matrices A in the last two axes and the last axis of B counts right hand sides. A 0 on the diagonal divides by 0.",
    ),
};

/// The operation that the attributes of a call name.
pub fn given(given: &Given<'_>) -> Result<TriangularSolve> {
    let sides = [("lower", Side::Lower), ("upper", Side::Upper)];
    let forms = [("plain", Form::Plain), ("transposed", Form::Transposed)];
    let diagonals = [("stored", Diagonal::Stored), ("unit", Diagonal::Unit)];
    Ok(TriangularSolve {
        side: given.choice("side", &sides, Some(Side::Lower))?,
        form: given.choice("form", &forms, Some(Form::Plain))?,
        diagonal: given.choice("diagonal", &diagonals, Some(Diagonal::Stored))?,
    })
}

fn build(attributes: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(given(attributes)?))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: gpu::KERNELS };
