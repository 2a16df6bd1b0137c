//! Where elements belong in a sorted row, found by halving.
//!
//! The row must ascend in the order of a sort, so NaN may only be at its end, and a NaN that is looked for belongs there too:
//! before the others (left) or after them (right). A row that does not ascend gives some position in range.

mod cases;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::{CpuCx, Element};
use crate::graph::NodeRef;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::sort::Order;
use crate::ops::sort::gpu::key_function;
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::{DType, HAS_WIDE};
use tilework_core::emit::KernelBuilder;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::plan::Pass;
use tilework_core::{Error, Result};
use tilework_vm::CHUNK;
use tilework_vm::radix::Key;

const SEARCHSORTED: &str = tilework_core::wgsl!("searchsorted.wgsl");

/// Where an element goes that is already there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Before those equal to it.
    Left,
    /// After those equal to it.
    Right,
}

/// The operation.
#[derive(Clone, Debug)]
pub struct SearchSorted {
    side: Side,
}

impl SearchSorted {
    /// Positions on this side of equal elements.
    pub fn new(side: Side) -> SearchSorted {
        SearchSorted { side }
    }
}

impl Op for SearchSorted {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.push(self.side as u32);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [sorted, queries] = inputs else { return Err(Error::argument("searchsorted", "takes two inputs")) };
        if sorted.shape.rank() != 1 {
            return Err(Error::shape("searchsorted", format!("needs one sorted row, got {}", sorted.shape)));
        }
        if sorted.dtype != queries.dtype {
            let message = format!("looks for {} among {}", queries.dtype, sorted.dtype);
            return Err(Error::dtype("searchsorted", message));
        }
        Ok(Meta { shape: queries.shape.clone(), dtype: DType::I32 })
    }

    fn input_form(&self, index: usize) -> InputForm {
        if index == 0 { InputForm::Strided } else { InputForm::Elements { n_reads: 1 } }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        let HostBuffer::I32(out) = out else { return Err(Error::dtype("searchsorted", "gives int32")) };
        match cx.inputs[0].strided() {
            Some((_, DType::F16 | DType::F32, _)) => self.search::<f32>(cx, out),
            Some((_, DType::F64, _)) => self.search::<f64>(cx, out),
            Some((_, DType::I32, _)) => self.search::<i32>(cx, out),
            Some((_, DType::U32 | DType::Bool, _)) => self.search::<u32>(cx, out),
            Some((_, DType::I64, _)) if HAS_WIDE => self.search::<i64>(cx, out),
            Some((_, DType::U64, _)) if HAS_WIDE => self.search::<u64>(cx, out),
            _ => return Err(Error::argument("searchsorted", "reads a buffer")),
        }
        Ok(())
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let (n_sorted, n) = (cx.inputs[0].grid.n_elements(), cx.inputs[1].grid.n_elements());
        let is_right = self.side == Side::Right;
        let builder = KernelBuilder::new("searchsorted")
            .file(SEARCHSORTED)
            .prelude(&key_function(cx.inputs[0].scalar(), Order::Ascending))
            .prelude(&format!("const IS_RIGHT: bool = {is_right};"))
            .param("n_elements", n as u32)
            .param("n_sorted", n_sorted as u32);
        let builder = cx.sink(cx.source(cx.source(builder, "sorted", 0), "query", 1), "y");
        Ok(vec![builder.build(cx.workgroups(n.div_ceil(256)))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, _cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        Ok(vec![None, None])
    }

    fn flops(&self, inputs: &[Meta], out: &Meta) -> f64 {
        let n_steps = (inputs[0].shape.n_elements() + 1).ilog2() + 1;
        4.0 * f64::from(n_steps) * out.shape.n_elements() as f64
    }
}

impl SearchSorted {
    fn search<T: Element + Key>(&self, cx: &CpuCx<'_>, out: &mut [i32]) {
        let n_sorted = cx.inputs[0].fused.grid.n_elements();
        let mut x = vec![T::default(); n_sorted];
        T::read(&cx.inputs[0], 0, &mut x);
        let mut sorted = vec![T::Word::default(); n_sorted];
        T::encode(Order::Ascending, &x, &mut sorted);
        drop(x);
        cx.threads.for_each_piece(out, 8 * CHUNK, |start, piece| {
            let mut queries = [T::Word::default(); CHUNK];
            T::for_each(&cx.inputs[1], start..start + piece.len(), |at, chunk| {
                T::encode(Order::Ascending, chunk, &mut queries);
                let out = &mut piece[at - start..][..chunk.len()];
                for (out, &query) in out.iter_mut().zip(&queries) {
                    *out = match self.side {
                        Side::Left => sorted.partition_point(|&word| word < query) as i32,
                        Side::Right => sorted.partition_point(|&word| word <= query) as i32,
                    };
                }
            });
        });
    }
}

impl Reference for SearchSorted {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::searchsorted(self, inputs, out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "searchsorted",
    inputs: &["sorted", "queries"],
    attributes: &[Attribute::optional(
        "side",
        AttrKind::Choice(&["left", "right"]),
        "before or after equal elements; left unless told",
    )],
    doc: crate::op::said(
        "Position in an ascending row where each query belongs, as int32. NaN belongs to the end, where a sort puts it, and 0 equals -0.",
    ),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    let side = given.choice("side", &[("left", Side::Left), ("right", Side::Right)], Some(Side::Left))?;
    Ok(Arc::new(SearchSorted::new(side)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry =
    Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: &[("searchsorted.wgsl", SEARCHSORTED)] };
