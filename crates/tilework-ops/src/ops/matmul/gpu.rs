//! Products on the GPU: the readable kernel for small ones, register tiles for the rest.

use super::{Operand, Sizes};
use crate::op::PlanCx;
use tilework_core::emit::KernelBuilder;
use tilework_core::fused::{Fused, Leaf, LeafSource};
use tilework_core::layout::Layout;
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, ErrorKind, Result};

pub(super) const SIMPLE: &str = tilework_core::wgsl!("matmul_simple.wgsl");
pub(super) const TILED: &str = tilework_core::wgsl!("matmul_tiled.wgsl");

/// Elements of a tile of the result along each side.
const TILE: usize = 64;

pub(super) fn plan(cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
    let sizes = Sizes::of(&cx.inputs[0].grid, &cx.inputs[1].grid)?;
    let is_small = sizes.m < TILE / 2 || sizes.n < TILE / 2;
    let (file, side) = if is_small { (SIMPLE, 16) } else { (TILED, TILE) };
    let n_batch = sizes.batch.n_elements();
    let workgroups = [sizes.n.div_ceil(side).max(1), sizes.m.div_ceil(side).max(1), n_batch.max(1)];
    if workgroups.iter().any(|&n| n > cx.caps.max_workgroups as usize) {
        let limit = cx.caps.max_workgroups;
        let message = format!("{} · {} needs more than {limit} workgroups", cx.inputs[0].grid, cx.inputs[1].grid);
        return Err(Error::new(ErrorKind::TooLarge, "matmul", message));
    }
    let mut builder = KernelBuilder::new("matmul")
        .file(file)
        .param("m", if n_batch == 0 { 0 } else { sizes.m as u32 })
        .param("n", sizes.n as u32)
        .param("k", sizes.k as u32);
    for (index, (name, batch)) in [("a", "a_batch"), ("b", "b_batch")].into_iter().enumerate() {
        let Some((input, dtype, layout)) = cx.inputs[index].as_read() else {
            return Err(Error::argument("matmul", "operands must be plain reads"));
        };
        let operand = sizes.operand(layout);
        // The kernel computes addresses itself: reading is by position in the buffer.
        let whole = Layout::contiguous(Shape::new("matmul", vec![1 << 30])?);
        builder = builder
            .source(name, &Fused::read(input, dtype, whole), cx.slots)
            .source(batch, &batch_start(&operand), &[])
            .param(&format!("{name}_row"), operand.row_stride as i32 as u32)
            .param(&format!("{name}_col"), operand.col_stride as i32 as u32);
    }
    Ok(vec![cx.sink(builder, "y").build(workgroups.map(|n| n as u32))])
}

/// Buffer position of the first element of batch element `i`.
fn batch_start(operand: &Operand) -> Fused {
    let graph = tilework_core::expr::Graph::new();
    let root = graph.leaf(0, tilework_core::dtype::Scalar::Uint).id();
    let leaf = Leaf { source: LeafSource::Offset, layout: operand.batch.clone() };
    Fused::new(&graph, &[root], operand.batch.shape.clone(), |_| leaf.clone())
}
