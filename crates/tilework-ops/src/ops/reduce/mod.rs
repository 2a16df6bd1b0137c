//! Reductions over any axes: sum, product, minimum, maximum, any, all.
//!
//! The reduced axes are moved last, so every kernel sees rows of `n_cols` elements, one result each. Long rows are cut into
//! parts that are reduced independently and then combined, in a shape that depends on the sizes only: the same inputs give
//! the same bits on every run.

mod cases;
mod columns;
mod cpu;
pub(crate) mod gpu;
mod reference;

pub(crate) use reference::two;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, Variants, VjpCx};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::{DType, Scalar};
use tilework_core::expr::ScalarOp;
use tilework_core::fused::Fused;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::{Caps, Pass};
use tilework_core::shape::{KeepAxes, Shape};
use tilework_core::{Error, Result};
use tilework_vm::lanes;

/// How two elements become one. Each is associative and commutative up to rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Combine {
    /// Sum; 0 for no elements.
    Sum,
    /// Product; 1 for no elements.
    Prod,
    /// Smallest, NaN if any is NaN; needs at least one element.
    Min,
    /// Largest, NaN if any is NaN; needs at least one element.
    Max,
    /// Whether any is true; false for no elements.
    Any,
    /// Whether all are true; true for no elements.
    All,
}

impl Combine {
    /// The scalar operation that combines two elements.
    pub fn scalar_op(self) -> ScalarOp {
        match self {
            Combine::Sum => ScalarOp::Add,
            Combine::Prod => ScalarOp::Mul,
            Combine::Min => ScalarOp::Minimum,
            Combine::Max => ScalarOp::Maximum,
            Combine::Any => ScalarOp::Or,
            Combine::All => ScalarOp::And,
        }
    }

    /// The same for numbers: truth values are 0 and 1.
    pub(crate) fn of_numbers(self) -> lanes::Combine {
        match self {
            Combine::Sum | Combine::Any => lanes::Combine::Sum,
            Combine::Prod | Combine::All => lanes::Combine::Prod,
            Combine::Min => lanes::Combine::Min,
            Combine::Max => lanes::Combine::Max,
        }
    }

    /// The value that changes nothing, as a float of the right type.
    pub fn identity(self, scalar: Scalar) -> f64 {
        match (self, scalar) {
            (Combine::Sum | Combine::Any, _) => 0.0,
            (Combine::Prod | Combine::All, _) => 1.0,
            (Combine::Min, Scalar::Num) => f64::INFINITY,
            (Combine::Min, Scalar::Int) => f64::from(i32::MAX),
            (Combine::Min, Scalar::Long) => i64::MAX as f64,
            (Combine::Min, Scalar::Ulong) => u64::MAX as f64,
            (Combine::Min, _) => f64::from(u32::MAX),
            (Combine::Max, Scalar::Num) => f64::NEG_INFINITY,
            (Combine::Max, Scalar::Int) => f64::from(i32::MIN),
            (Combine::Max, Scalar::Long) => i64::MIN as f64,
            (Combine::Max, _) => 0.0,
        }
    }

    /// The user's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Combine::Sum => "sum",
            Combine::Prod => "prod",
            Combine::Min => "min",
            Combine::Max => "max",
            Combine::Any => "any",
            Combine::All => "all",
        }
    }
}

/// A reduction of `axes`.
#[derive(Clone, Debug)]
pub struct Reduce {
    combine: Combine,
    axes: Vec<usize>,
    keep: KeepAxes,
}

impl Reduce {
    /// Reduces `axes` (in increasing order, none twice).
    pub fn new(combine: Combine, axes: Vec<usize>, keep: KeepAxes) -> Reduce {
        Reduce { combine, axes, keep }
    }
}

/// Rows × columns after the reduced axes were moved last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) n_rows: usize,
    pub(crate) n_cols: usize,
}

/// The order of axes with `last` at the end, and the rows that makes.
pub(crate) fn rows_of(shape: &Shape, last: &[usize]) -> (Vec<usize>, Rows) {
    let order: Vec<usize> = (0..shape.rank()).filter(|axis| !last.contains(axis)).chain(last.iter().copied()).collect();
    let n_cols = last.iter().map(|&axis| shape[axis]).product();
    let n_rows = (0..shape.rank()).filter(|axis| !last.contains(axis)).map(|axis| shape[axis]).product();
    (order, Rows { n_rows, n_cols })
}

/// The same, with the input reordered accordingly.
pub(crate) fn as_rows(input: &Fused, last: &[usize]) -> (Fused, Rows) {
    let (order, rows) = rows_of(&input.grid, last);
    (input.permuted(&order), rows)
}

impl Op for Reduce {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.extend([self.combine as u32, self.keep as u32, self.axes.len() as u32]);
        words.extend(self.axes.iter().map(|&axis| axis as u32));
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let (name, [x]) = (self.combine.name(), inputs) else {
            return Err(Error::argument(self.combine.name(), "takes one input"));
        };
        if self.axes.iter().any(|&axis| axis >= x.shape.rank()) {
            return Err(Error::shape(name, format!("axes {:?} are out of range for {}", self.axes, x.shape)));
        }
        let n_cols: usize = self.axes.iter().map(|&axis| x.shape[axis]).product();
        let shape = x.shape.reduced(&self.axes, self.keep);
        if matches!(self.combine, Combine::Min | Combine::Max) && n_cols == 0 && shape.n_elements() > 0 {
            return Err(Error::shape(name, format!("{} has no elements along axes {:?}", x.shape, self.axes)));
        }
        let truth = matches!(self.combine, Combine::Any | Combine::All);
        if truth != (x.dtype == DType::Bool) {
            return Err(Error::dtype(name, format!("is not defined for {}", x.dtype)));
        }
        Ok(Meta { shape, dtype: x.dtype })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: 1 }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::reduce(self, cx, out);
        Ok(())
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        Ok(gpu::plan(self, cx))
    }

    fn variants(&self, inputs: &[Meta], caps: &Caps) -> Variants {
        match inputs {
            [x] if self.axes.iter().all(|&axis| axis < x.shape.rank()) => {
                gpu::variants(rows_of(&x.shape, &self.axes).1, x.dtype.scalar(), caps)
            }
            _ => Variants::default(),
        }
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let x = &cx.inputs[0];
        let kept = x.shape().reduced(&self.axes, KeepAxes::Yes);
        let spread = |node: &NodeRef| graph::reshape(node, &kept);
        let d = spread(cx.adjoint)?;
        let rule = match self.combine {
            Combine::Sum => graph::expand(&d, x.shape())?,
            // The product without one factor is the product divided by it; where a factor is 0 that is 0/0, so the rule
            // holds only away from zeros, as stated in docs/numerics.md.
            Combine::Prod => {
                let ratio = graph::map(ScalarOp::Div, &[spread(cx.output)?, x.clone()])?;
                graph::map(ScalarOp::Mul, &[d, ratio])?
            }
            // Ties share the adjoint equally.
            Combine::Min | Combine::Max => {
                let hit = graph::map(ScalarOp::Eq, &[x.clone(), spread(cx.output)?])?;
                let hit = graph::cast(&hit, x.dtype());
                let sum = Reduce::new(Combine::Sum, self.axes.clone(), KeepAxes::Yes);
                let n_hits = graph::apply(sum, std::slice::from_ref(&hit))?;
                graph::map(ScalarOp::Mul, &[hit, graph::map(ScalarOp::Div, &[d, n_hits])?])?
            }
            Combine::Any | Combine::All => return Ok(vec![None]),
        };
        Ok(vec![Some(rule)])
    }

    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        let axes = self.axes.iter().map(|axis| axis + 1).collect();
        Batched::Each(Arc::new(Reduce { axes, ..self.clone() }))
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        inputs[0].shape.n_elements() as f64
    }
}

impl Reference for Reduce {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::reduce(self, &inputs[0], out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "reduce",
    inputs: &["x"],
    attributes: &[
        Attribute::required(
            "combine",
            AttrKind::Choice(&["sum", "prod", "min", "max", "any", "all"]),
            "how two elements become one",
        ),
        Attribute::optional("axes", AttrKind::Axes, "axes to reduce; none means all"),
        Attribute::optional("keep_axes", AttrKind::Truth, "leave the reduced axes in place with size 1"),
    ],
    doc: crate::op::said(
        "Combines all elements along some axes into one. Minimum and maximum of nothing are errors; other empty reductions give the neutral element.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    use Combine::{All, Any, Max, Min, Prod, Sum};
    let choices = [Sum, Prod, Min, Max, Any, All].map(|combine| (combine.name(), combine));
    let combine = given.choice("combine", &choices, None)?;
    Ok(Arc::new(Reduce::new(combine, given.resolved_axes("axes")?, given.keep_axes()?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry {
    signature: &SIGNATURE,
    build,
    cases: cases::cases,
    kernels: &[
        ("reduce.wgsl", gpu::REDUCE),
        ("reduce_subgroup.wgsl", gpu::REDUCE_SUBGROUP),
        ("reduce_short.wgsl", gpu::REDUCE_SHORT),
    ],
};
