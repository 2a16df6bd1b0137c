//! The pass of neighborhood attention.

use super::{NeighborhoodAttention, Sizes};
use crate::op::PlanCx;
use crate::ops::attention::operands::{Axes, operand, store};
use tilework_core::emit::{KernelBuilder, QUAD};
use tilework_core::plan::Pass;
use tilework_core::{Error, ErrorKind, Result};

pub(super) const KERNEL: &str = tilework_core::wgsl!("neighborhood_attention.wgsl");

/// Queries of a workgroup.
const QUERY_TILE: usize = 4;
/// Columns of a workgroup, and invocations that share them with the queries.
const MAX_COLUMNS: usize = 256;
const INVOCATIONS: usize = 64;
/// Quads of a query that there is workgroup memory for, four times.
const MAX_D_QUADS: usize = 192;

pub(super) fn plan(op: &NeighborhoodAttention, cx: &PlanCx<'_>) -> Result<Pass> {
    let shapes = [0, 1, 2].map(|index| &cx.inputs[index].grid);
    let sizes = Sizes::of(shapes[0], shapes[1], shapes[2])?;
    let d_quads = sizes.d.div_ceil(QUAD).max(1);
    if d_quads > MAX_D_QUADS || sizes.height.max(sizes.width) > 1 << 15 {
        let message = format!("{} has more than {} elements or 32768 rows or columns", shapes[0], QUAD * MAX_D_QUADS);
        return Err(Error::new(ErrorKind::TooLarge, "neighborhood_attention", message));
    }
    let n_sums = (QUERY_TILE * sizes.dv.min(MAX_COLUMNS).div_ceil(QUAD)).div_ceil(INVOCATIONS).max(1);
    let n_query_tiles = (sizes.height * sizes.width).div_ceil(QUERY_TILE);
    let n_column_tiles = sizes.dv.div_ceil(MAX_COLUMNS);
    let n_units = sizes.n_images * n_query_tiles * n_column_tiles;
    let scale = op.scale_for(sizes.d) * std::f64::consts::LOG2_E;
    let mut builder = KernelBuilder::new("neighborhood_attention")
        .file(KERNEL)
        .prelude(&format!("const D_QUADS: u32 = {d_quads}u;"))
        .prelude(&format!("const N_SUMS: u32 = {n_sums}u;"))
        .param("n_units", n_units as u32)
        .param("n_heads", shapes[0][1].max(1) as u32)
        .param("height", sizes.height.max(1) as u32)
        .param("width", sizes.width.max(1) as u32)
        .param("window", op.window.max(1) as u32)
        .param("dilation", op.dilation.max(1) as u32)
        .param("d", sizes.d as u32)
        .param("dv", sizes.dv.max(1) as u32)
        .param("n_query_tiles", n_query_tiles.max(1) as u32)
        .param("n_column_tiles", n_column_tiles.max(1) as u32)
        .param("scale", (scale as f32).to_bits());
    let axes: Axes<'_> = &["batch", "head", "row", "place", "col"];
    for (index, name) in ["q", "k", "v"].into_iter().enumerate() {
        builder = operand(cx, builder, (name, index), axes)?;
    }
    Ok(store(cx, builder).build(cx.workgroups(n_units)))
}
