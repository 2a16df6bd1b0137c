//! Rows of packed weights as floats: `y[j.., c] = w[indices[j..], c]`, as a language model looks up its tokens.
//!
//! A negative index counts from the end; one out of range is moved to the nearest end, as `gather` does it.

mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::case::{Case, Fill};
use crate::cpu::CpuCx;
use crate::graph::NodeRef;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::gather::{indices_of, resolve};
use crate::ops::packed_linear::words_of;
use crate::packed_weights;
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::quant::Format;
use tilework_core::shape::Shape;
use tilework_core::{Error, ErrorKind, Result};
use tilework_vm::quant::decode_rows;

const ROWS: &str = tilework_core::wgsl!("rows.wgsl");

/// Picks rows of `n_cols` weights of a format.
#[derive(Clone, Copy, Debug)]
pub struct PackedRows {
    format: Format,
    n_cols: usize,
}

impl PackedRows {
    /// Picks rows of `n_cols` weights.
    pub fn new(format: Format, n_cols: usize) -> PackedRows {
        PackedRows { format, n_cols }
    }
}

impl Op for PackedRows {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.extend([self.format as u32, self.n_cols as u32]);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let name = SIGNATURE.name;
        let [weights, indices] = inputs else { return Err(Error::argument(name, "takes weights and indices")) };
        packed_weights::check(name, self.format, weights, self.n_cols)?;
        if indices.dtype != DType::I32 {
            return Err(Error::dtype(name, format!("indices must be int32, got {}", indices.dtype)));
        }
        if weights.shape[0] == 0 && indices.shape.n_elements() > 0 {
            return Err(Error::shape(name, "there are no rows to pick from"));
        }
        let sizes = [&indices.shape[..], &[self.n_cols]].concat();
        Ok(Meta { shape: Shape::new(name, sizes)?, dtype: DType::F32 })
    }

    fn input_form(&self, index: usize) -> InputForm {
        if index == 0 { InputForm::Strided } else { InputForm::Elements { n_reads: 1 } }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        let HostBuffer::F32(out) = out else { return Err(Error::dtype(SIGNATURE.name, "gives float32")) };
        if out.is_empty() {
            return Ok(());
        }
        let (words, indices) = (words_of(&cx.inputs[0])?, indices_of(&cx.inputs[1]));
        let [n_rows, row_words] = cx.inputs[0].fused.grid[..] else {
            return Err(Error::shape(SIGNATURE.name, "weights are a matrix of words"));
        };
        for (&index, out) in indices.iter().zip(out.chunks_exact_mut(self.n_cols)) {
            let row = &words[resolve(index, n_rows) * row_words..][..row_words];
            decode_rows(self.format, row, self.n_cols, out);
        }
        Ok(())
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let n_groups = packed_weights::n_groups(self.n_cols);
        let n_units = cx.inputs[1].grid.n_elements() * n_groups * 4;
        let builder = KernelBuilder::new(format!("rows {}", self.format))
            .file(ROWS)
            .param("n_units", n_units as u32)
            .param("n_groups", n_groups.max(1) as u32)
            .param("n_rows", cx.inputs[0].grid[0] as u32)
            .param("row_words", cx.inputs[0].grid[1] as u32);
        let builder = packed_weights::with_weights(builder, self.format, self.n_cols);
        let builder = cx.sink(cx.source(cx.source(builder, "w", 0), "index_at", 1), "y");
        Ok(vec![builder.build(cx.workgroups(n_units.div_ceil(256)))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, _cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        let message = "has no derivative: weights in few bits are not trained";
        Err(Error::new(ErrorKind::Unsupported, SIGNATURE.name, message))
    }

    fn flops(&self, _inputs: &[Meta], out: &Meta) -> f64 {
        2.0 * out.shape.n_elements() as f64
    }
}

impl Reference for PackedRows {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::packed_rows(self, inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "packed_rows",
    inputs: &["weights", "indices"],
    attributes: &[packed_weights::FORMAT, Attribute::required("columns", AttrKind::Size, "weights of a row")],
    doc: crate::op::said(
        "Rows of packed weights as floats, picked by integer indices. Negative indices count from the end, and those out of range are moved to the nearest end.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let n_cols = given.size_if_given("columns")?;
    let n_cols = n_cols.ok_or_else(|| Error::argument(given.op(), "needs the attribute \"columns\""))?;
    Ok(Arc::new(PackedRows::new(packed_weights::format_of(given)?, n_cols)))
}

fn cases() -> Vec<Case> {
    let case = |name, format, n_rows, n_cols| {
        Case::new(name, PackedRows::new(format, n_cols)).weights(format, n_rows, n_cols).without_gradient()
    };
    let mut cases: Vec<Case> = Format::all()
        .flat_map(|format| {
            [
                case("every format", format, 5, 512).input(DType::I32, &[2, 2], Fill::Below(5)),
                case("one row of a block", format, 1, 256).input(DType::I32, &[1], Fill::All(0.0)),
            ]
        })
        .collect();
    cases.extend([
        case("groups that fill no eighth", Format::Q4_1, 7, 288).input(DType::I32, &[5], Fill::Below(7)),
        case("one float", Format::F32, 3, 1).input(DType::I32, &[3], Fill::Below(3)),
        case("halves of an odd number", Format::F16, 3, 43).input(DType::I32, &[2], Fill::Below(3)),
        case("from the end and beyond it", Format::Q8_0, 3, 32).input(DType::I32, &[9], Fill::Spread),
        case("no indices", Format::Q8_0, 3, 32).input(DType::I32, &[0], Fill::Below(3)),
        case("indices of another order", Format::Q8_0, 9, 64)
            .input(DType::I32, &[9], Fill::Below(9))
            .sliced(0, 8, -2, 4),
    ]);
    cases
}

/// This operation's line in the registry.
pub const ENTRY: Entry = Entry { signature: &SIGNATURE, build, cases, kernels: &[("rows.wgsl", ROWS)] };
