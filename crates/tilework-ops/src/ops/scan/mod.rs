//! Running results along an axis: sum, product, smallest, largest.
//!
//! A row is cut into blocks of a size of their own: each is scanned by itself, the totals of the blocks are scanned, and every
//! block is combined with what comes before it. Which elements meet in which order therefore depends on the sizes only. A scan
//! of nothing is nothing; the exclusive scan begins with the neutral element (0, 1, or the farthest value of the type).

mod cases;
mod cpu;
pub(crate) mod gpu;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::CpuCx;
use crate::graph::{self, NodeRef};
#[cfg(feature = "batch")]
use crate::op::Batched;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::reduce::Combine;
use crate::ops::scatter_add::ScatterAdd;
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::expr::ScalarOp;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
pub use tilework_vm::scan::Reach;

/// Which end a scan starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the first element on.
    Forward,
    /// From the last element on.
    Backward,
}

/// A scan of `axis`.
#[derive(Clone, Debug)]
pub struct Scan {
    /// Sum, product, smallest or largest.
    pub combine: Combine,
    /// Which axis.
    pub axis: usize,
    /// With or without the element itself.
    pub reach: Reach,
    /// From which end.
    pub direction: Direction,
}

impl Scan {
    /// The inclusive scan from the start.
    pub fn new(combine: Combine, axis: usize) -> Scan {
        Scan { combine, axis, reach: Reach::Inclusive, direction: Direction::Forward }
    }

    /// Everything before an element, without it.
    #[must_use]
    pub fn exclusive(self) -> Scan {
        Scan { reach: Reach::Exclusive, ..self }
    }

    /// From the other end.
    #[must_use]
    pub fn reversed(self) -> Scan {
        let direction = match self.direction {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        };
        Scan { direction, ..self }
    }

    /// Sizes before, along and after the axis.
    fn split(&self, sizes: &[usize]) -> (usize, usize, usize) {
        (sizes[..self.axis].iter().product(), sizes[self.axis], sizes[self.axis + 1..].iter().product())
    }
}

impl Op for Scan {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.extend([self.combine as u32, self.axis as u32, self.reach as u32, self.direction as u32]);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x] = inputs else { return Err(Error::argument("scan", "takes one input")) };
        if self.axis >= x.shape.rank() {
            return Err(Error::shape("scan", format!("axis {} is out of range for {}", self.axis, x.shape)));
        }
        if matches!(self.combine, Combine::Any | Combine::All) {
            return Err(Error::argument("scan", format!("does not combine by {}", self.combine.name())));
        }
        if x.dtype == DType::Bool {
            return Err(Error::dtype("scan", "needs numbers, got bool"));
        }
        Ok(x.clone())
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: 2 }
    }

    fn n_scratch_buffers(&self) -> usize {
        1
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        cpu::scan(self, cx, out)
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        Ok(gpu::plan(self, cx))
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let (x, d) = (&cx.inputs[0], cx.adjoint);
        let sums_after =
            |node: NodeRef| graph::apply(Scan { combine: Combine::Sum, ..self.clone() }.reversed(), &[node]);
        let rule = match self.combine {
            Combine::Sum => sums_after(d.clone())?,
            // Each result is a product with x as a factor, so its derivative is the result divided by x; where x is 0 that is
            // 0/0, so the rule holds only away from zeros, as for the product of all elements.
            Combine::Prod => {
                let weighted = graph::map(ScalarOp::Mul, &[d.clone(), cx.output.clone()])?;
                graph::map(ScalarOp::Div, &[sums_after(weighted)?, x.clone()])?
            }
            _ => self.adjoint_of_extremes(x, d)?,
        };
        Ok(vec![Some(rule)])
    }

    #[cfg(feature = "batch")]
    fn batched(&self, _has_axis: &[bool]) -> Batched {
        Batched::Each(Arc::new(Scan { axis: self.axis + 1, ..self.clone() }))
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        2.0 * inputs[0].shape.n_elements() as f64
    }
}

impl Scan {
    /// A running extreme is one of the elements: the last one so far that equals it receives the adjoint.
    fn adjoint_of_extremes(&self, x: &NodeRef, d: &NodeRef) -> Result<NodeRef> {
        let shape = x.shape();
        let n = shape.n_elements();
        let inclusive = Scan { reach: Reach::Inclusive, ..self.clone() };
        let hit = graph::map(ScalarOp::Eq, &[x.clone(), graph::apply(inclusive, std::slice::from_ref(x))?])?;
        // Row-major positions ascend along any axis, so the last one met is the largest, or backwards the smallest.
        let (latest, none) = match self.direction {
            Direction::Forward => (Combine::Max, -1.0),
            Direction::Backward => (Combine::Min, n as f64),
        };
        let none = graph::full(Shape::scalar(), DType::I32, none);
        let place = graph::cast(&graph::iota(shape.clone()), DType::I32);
        let candidates = graph::map(ScalarOp::Select, &[hit, place, none])?;
        let from = graph::apply(Scan { combine: latest, ..self.clone() }, &[candidates])?;
        let zero = graph::full(Shape::scalar(), DType::I32, 0.0);
        let end = graph::full(Shape::scalar(), DType::I32, n as f64);
        let is_after = graph::map(ScalarOp::Ge, &[from.clone(), zero])?;
        let is_before = graph::map(ScalarOp::Lt, &[from.clone(), end])?;
        let is_some = graph::map(ScalarOp::And, &[is_after, is_before])?;
        let nothing = graph::full(Shape::scalar(), d.dtype(), 0.0);
        let sent = graph::map(ScalarOp::Select, &[is_some, d.clone(), nothing])?;
        let flat = Shape::new("scan", vec![n])?;
        let (sent, from) = (graph::reshape(&sent, &flat)?, graph::reshape(&from, &flat)?);
        graph::reshape(&graph::apply(ScatterAdd::new(0, n), &[sent, from])?, shape)
    }
}

impl Reference for Scan {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::scan(self, &inputs[0], out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "scan",
    inputs: &["x"],
    attributes: &[
        Attribute::required("combine", AttrKind::Choice(&["sum", "prod", "min", "max"]), "how two elements become one"),
        Attribute::required("axis", AttrKind::Axis, "axis that is walked along"),
        Attribute::optional(
            "reach",
            AttrKind::Choice(&["inclusive", "exclusive"]),
            "with or without the element itself; inclusive unless told",
        ),
        Attribute::optional(
            "direction",
            AttrKind::Choice(&["forward", "backward"]),
            "which end it starts from; forward unless told",
        ),
    ],
    doc: crate::op::said(
        "Running sums, products or extremes along an axis, NaN from the first NaN on. An exclusive scan begins with the neutral element; a scan of nothing is nothing.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let choices = [Combine::Sum, Combine::Prod, Combine::Min, Combine::Max].map(|combine| (combine.name(), combine));
    let reaches = [("inclusive", Reach::Inclusive), ("exclusive", Reach::Exclusive)];
    let directions = [("forward", Direction::Forward), ("backward", Direction::Backward)];
    Ok(Arc::new(Scan {
        combine: given.choice("combine", &choices, None)?,
        axis: given.required_axis("axis")?,
        reach: given.choice("reach", &reaches, Some(Reach::Inclusive))?,
        direction: given.choice("direction", &directions, Some(Direction::Forward))?,
    }))
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry {
    signature: &SIGNATURE,
    build,
    cases: cases::cases,
    kernels: &[("scan_tile.wgsl", gpu::SCAN_TILE), ("scan_short.wgsl", gpu::SCAN_SHORT)],
};
