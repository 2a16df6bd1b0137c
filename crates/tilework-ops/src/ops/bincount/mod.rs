//! How often each small integer occurs. Values outside of the bins are not counted.
//!
//! Counts are integers, so that they are exact and the order of the additions is immaterial: parts of the input are counted
//! independently, in workgroup memory on a GPU, and added.

mod cases;
mod reference;

use crate::attrs::{AttrKind, Attribute, Given};
use crate::cpu::{CpuCx, Element, GRAIN};
use crate::graph::NodeRef;
use crate::op::{InputForm, Meta, Op, OpSignature, PlanCx, Reference, VjpCx};
use crate::ops::reduce::{Combine, gpu as reduce};
use crate::registry::Entry;
use std::sync::Arc;
use tilework_core::dtype::{DType, Scalar};
use tilework_core::emit::KernelBuilder;
use tilework_core::fused::Fused;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::layout::Layout;
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};

const BINCOUNT: &str = tilework_core::wgsl!("bincount.wgsl");

/// Bins that one workgroup counts, as in bincount.wgsl: 8 KB of its memory.
const TILE_BINS: usize = 2048;
/// Elements that one workgroup looks at, unless that makes too many parts.
const PART_LEN: usize = 16 * 1024;
/// Counts of each bin that are added in the end.
const MAX_PARTS: usize = 256;

/// The operation.
#[derive(Clone, Debug)]
pub struct BinCount {
    n_bins: usize,
}

impl BinCount {
    /// Counts the integers 0 to `n_bins − 1`.
    pub fn new(n_bins: usize) -> BinCount {
        BinCount { n_bins }
    }
}

impl Op for BinCount {
    fn signature(&self) -> &'static OpSignature {
        &SIGNATURE
    }

    fn encode(&self, words: &mut Vec<u32>) {
        words.push(self.n_bins as u32);
    }

    fn infer(&self, inputs: &[Meta]) -> Result<Meta> {
        let [x] = inputs else { return Err(Error::argument("bincount", "takes one input")) };
        if !x.dtype.is_integer() {
            return Err(Error::dtype("bincount", format!("counts integers, got {}", x.dtype)));
        }
        Ok(Meta { shape: Shape::new("bincount", vec![self.n_bins])?, dtype: DType::I32 })
    }

    fn input_form(&self, _index: usize) -> InputForm {
        InputForm::Elements { n_reads: self.n_bins.div_ceil(TILE_BINS).max(1) }
    }

    fn cpu(&self, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
        let HostBuffer::I32(out) = out else { return Err(Error::dtype("bincount", "gives int32")) };
        let n = cx.inputs[0].fused.grid.n_elements();
        // Every block has counts of its own; they should not outgrow what they count.
        let n_blocks = (n / GRAIN.max(self.n_bins)).clamp(1, 4 * cx.threads.count());
        let block_len = n.div_ceil(n_blocks);
        let mut blocks = vec![vec![0i32; self.n_bins]; n_blocks];
        cx.threads.for_each_piece(&mut blocks, 1, |index, block| {
            let range = (index * block_len).min(n)..((index + 1) * block_len).min(n);
            // A negative number is a large one without its sign, and no more in range.
            u32::for_each(&cx.inputs[0], range, |_, chunk| {
                for &value in chunk {
                    if let Some(count) = block[0].get_mut(value as usize) {
                        *count += 1;
                    }
                }
            });
        });
        out.fill(0);
        for block in &blocks {
            out.iter_mut().zip(block).for_each(|(sum, count)| *sum += count);
        }
        Ok(())
    }

    fn plan(&self, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
        let n = cx.inputs[0].grid.n_elements();
        let n_parts = n.div_ceil(PART_LEN).clamp(1, MAX_PARTS);
        let n_tiles = self.n_bins.div_ceil(TILE_BINS);
        let builder = KernelBuilder::new("bincount")
            .file(BINCOUNT)
            .param("n_elements", n as u32)
            .param("n_bins", self.n_bins as u32)
            .param("n_parts", n_parts as u32)
            .param("n_tiles", n_tiles.max(1) as u32)
            .param("part_len", n.div_ceil(n_parts) as u32);
        let builder = cx.source(builder, "x", 0);
        let workgroups = cx.workgroups(n_parts * n_tiles);
        if n_parts == 1 {
            return Ok(vec![cx.sink(builder, "y").build(workgroups)]);
        }
        let counts_slot = (cx.temp)((n_parts * self.n_bins * DType::I32.size_bytes()) as u64);
        let counting = builder.sink("y", DType::I32, counts_slot, DType::I32, None).build(workgroups);
        let layout = Layout::contiguous(Shape::new("bincount", vec![n_parts, self.n_bins])?).permuted(&[1, 0]);
        let counts = Fused::read(0, DType::I32, layout);
        let adding = reduce::declare(KernelBuilder::new("bincount sum"), Combine::Sum, Scalar::Int)
            .file(reduce::REDUCE_SHORT)
            .param("n_rows", self.n_bins as u32)
            .param("n_cols", n_parts as u32)
            .source("x", &counts, &[counts_slot.into()]);
        Ok(vec![counting, cx.sink(adding, "y").build(cx.workgroups(self.n_bins.div_ceil(256)))])
    }

    #[cfg(feature = "grad")]
    fn vjp(&self, _cx: &VjpCx<'_>) -> Result<Vec<Option<NodeRef>>> {
        Ok(vec![None])
    }

    fn flops(&self, inputs: &[Meta], _out: &Meta) -> f64 {
        inputs[0].shape.n_elements() as f64
    }
}

impl Reference for BinCount {
    fn reference(&self, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
        reference::bincount(self, &inputs[0], out)
    }
}

static SIGNATURE: OpSignature = OpSignature {
    name: "bincount",
    inputs: &["x"],
    attributes: &[Attribute::required("n_bins", AttrKind::Size, "how many integers are counted, from 0 on")],
    doc: crate::op::said("How often each of the integers 0 to n_bins - 1 occurs, as int32. Others are not counted."),
};

fn build(given: &Given<'_>) -> Result<Arc<dyn Op>> {
    Ok(Arc::new(BinCount::new(given.size("n_bins")?)))
}

/// This operation's line in the registry.
pub const ENTRY: Entry =
    Entry { signature: &SIGNATURE, build, cases: cases::cases, kernels: &[("bincount.wgsl", BINCOUNT)] };
