//! Cholesky on the GPU: for every 32 columns one pass that factorizes them and one that subtracts their product from the rest.
//!
//! What is left to factorize goes back and forth between two temporaries, so that no pass reads what it writes. Panels are stored
//! twice: as the result, through the epilogue, and as they are, for the product.

use super::Cholesky;
use crate::op::PlanCx;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::fused::Fused;
use tilework_core::layout::Layout;
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;
use tilework_core::{Error, ErrorKind, Result};

const PANEL: &str = tilework_core::wgsl!("cholesky_panel.wgsl");
const UPDATE: &str = tilework_core::wgsl!("cholesky_update.wgsl");
/// Subtracts a product of 32 columns with 32 rows.
pub(crate) const RANK_UPDATE: &str = tilework_core::wgsl!("rank_update.wgsl");
pub(super) const KERNELS: &[(&str, &str)] =
    &[("cholesky_panel.wgsl", PANEL), ("cholesky_update.wgsl", UPDATE), ("rank_update.wgsl", RANK_UPDATE)];

/// Columns that are factorized or solved at once.
pub(crate) const BLOCK: usize = 32;
/// Rows below the block that a workgroup takes.
const PANEL_ROWS: usize = 64;
/// Rows and columns of a tile of a product.
const TILE: usize = 64;

/// A slot of `n` floats as a source.
pub(crate) fn floats(n: usize) -> Result<Fused> {
    Ok(Fused::read(0, DType::F32, Layout::contiguous(Shape::new("dense", vec![n])?)))
}

/// Fails if positions in so many elements do not fit into 32 bits.
pub(crate) fn check_positions(op: &str, n_elements: usize) -> Result<()> {
    if n_elements > i32::MAX as usize {
        return Err(Error::new(
            ErrorKind::TooLarge,
            op,
            format!("{n_elements} elements are too many for one GPU array"),
        ));
    }
    Ok(())
}

/// Declares the sizes of `rank_update.wgsl` and dispatches its tiles.
pub(crate) fn rank_update(builder: KernelBuilder, cx: &PlanCx<'_>, [n_batch, n_rows, n_cols]: [usize; 3]) -> Pass {
    let (down, across) = (n_rows.div_ceil(TILE), n_cols.div_ceil(TILE));
    let n_units = n_batch * down * across;
    let builder = builder
        .file(RANK_UPDATE)
        .param("n_rows", n_rows as u32)
        .param("n_cols", n_cols as u32)
        .param("n_tiles_down", down as u32)
        .param("n_tiles_across", across as u32)
        .param("n_units", n_units as u32);
    builder.build(cx.workgroups(n_units))
}

pub(super) fn plan(cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
    let (n_batch, n) = Cholesky::sizes(&cx.out.shape);
    if n_batch * n == 0 {
        return Ok(Vec::new());
    }
    let n_elements = n_batch * n * n;
    check_positions("cholesky", n_batch * n * n.max(BLOCK))?;
    let size_bytes = |n_floats: usize| (n_floats * DType::F32.size_bytes()) as u64;
    let panel = (cx.temp)(size_bytes(n_batch * n * BLOCK));
    let n_temps = n.div_ceil(BLOCK).saturating_sub(1).min(2);
    let temps: Vec<usize> = (0..n_temps).map(|_| (cx.temp)(size_bytes(n_elements))).collect();
    let (rest, panels) = (floats(n_elements)?, floats(n_batch * n * BLOCK)?);
    let mut passes = Vec::new();
    for (step, first) in (0..n).step_by(BLOCK).enumerate() {
        let from = step.checked_sub(1).map(|before| temps[before % 2]);
        let read = |builder: KernelBuilder| match from {
            None => cx.source(builder, "x", 0),
            Some(slot) => builder.source("x", &rest, &[slot.into()]),
        };
        let n_tiles = n.saturating_sub(first + BLOCK).div_ceil(PANEL_ROWS).max(1);
        let builder = KernelBuilder::new("cholesky_panel")
            .file(PANEL)
            .param("n", n as u32)
            .param("first", first as u32)
            .param("n_tiles", n_tiles as u32)
            .param("n_units", (n_batch * n_tiles) as u32);
        let builder = cx.sink(read(builder), "y").sink("panel", DType::F32, panel, DType::F32, None);
        passes.push(builder.build(cx.workgroups(n_batch * n_tiles)));
        let base = first + BLOCK;
        if base < n {
            let builder = KernelBuilder::new("cholesky_update").file(UPDATE);
            let builder = read(builder.param("n", n as u32).param("base", base as u32))
                .source("panel_at", &panels, &[panel.into()])
                .sink("next", DType::F32, temps[step % 2], DType::F32, None);
            passes.push(rank_update(builder, cx, [n_batch, n - base, n - base]));
        }
    }
    Ok(passes)
}
