//! Triangular solves on the GPU: for every 32 rows one pass that solves them and one that subtracts their multiples from the rest.
//!
//! Every system is turned into a lower one by reading it transposed or backwards. What is left of the right hand sides goes back
//! and forth between two temporaries, so that no pass reads what it writes.

use super::{Diagonal, Form, TriangularSolve};
use crate::op::PlanCx;
use crate::ops::cholesky::gpu::{BLOCK, RANK_UPDATE, check_positions, floats, rank_update};
use tilework_core::Result;
use tilework_core::dtype::DType;
use tilework_core::emit::KernelBuilder;
use tilework_core::fused::Fused;
use tilework_core::plan::Pass;

const SOLVE: &str = tilework_core::wgsl!("solve_block.wgsl");
const UPDATE: &str = tilework_core::wgsl!("solve_update.wgsl");
pub(super) const KERNELS: &[(&str, &str)] =
    &[("solve_block.wgsl", SOLVE), ("solve_update.wgsl", UPDATE), ("rank_update.wgsl", RANK_UPDATE)];

/// Right hand sides that a workgroup takes.
const TILE_COLS: usize = 64;

/// The matrices as lower triangles, and the right hand sides in the same order.
fn as_lower(op: &TriangularSolve, cx: &PlanCx<'_>) -> (Fused, Fused) {
    let rank = cx.inputs[0].grid.rank();
    let mut order: Vec<usize> = (0..rank).collect();
    if op.form == Form::Transposed {
        order.swap(rank - 2, rank - 1);
    }
    let (a, b) = (cx.inputs[0].permuted(&order), cx.inputs[1].clone());
    if op.is_backward() { (a.reversed(rank - 2).reversed(rank - 1), b.reversed(rank - 2)) } else { (a, b) }
}

pub(super) fn plan(op: &TriangularSolve, cx: &mut PlanCx<'_>) -> Result<Vec<Pass>> {
    let [n_batch, n, n_rhs] = TriangularSolve::sizes(&cx.out.shape);
    if n_batch * n * n_rhs == 0 {
        return Ok(Vec::new());
    }
    check_positions("triangular_solve", n_batch * n.max(BLOCK) * n.max(n_rhs))?;
    let (a, b) = as_lower(op, cx);
    let size_bytes = |n_floats: usize| (n_floats * DType::F32.size_bytes()) as u64;
    let block = (cx.temp)(size_bytes(n_batch * BLOCK * n_rhs));
    let n_temps = n.div_ceil(BLOCK).saturating_sub(1).min(2);
    let temps: Vec<usize> = (0..n_temps).map(|_| (cx.temp)(size_bytes(n_batch * n * n_rhs))).collect();
    let (rest, blocks) = (floats(n_batch * n * n_rhs)?, floats(n_batch * BLOCK * n_rhs)?);
    let (is_unit, is_backward) = (op.diagonal == Diagonal::Unit, op.is_backward());
    let mut passes = Vec::new();
    for (step, first) in (0..n).step_by(BLOCK).enumerate() {
        let from = step.checked_sub(1).map(|before| temps[before % 2]);
        let read = |builder: KernelBuilder| {
            let builder = builder.param("n", n as u32).param("n_rhs", n_rhs as u32).source("a", &a, cx.slots);
            match from {
                None => builder.source("w_at", &b, cx.slots),
                Some(slot) => builder.source("w_at", &rest, &[slot.into()]),
            }
        };
        let n_tiles = n_rhs.div_ceil(TILE_COLS);
        let builder = read(KernelBuilder::new("solve_block").file(SOLVE))
            .prelude(&format!("const IS_UNIT: bool = {is_unit};"))
            .prelude(&format!("const IS_BACKWARD: bool = {is_backward};"))
            .param("first", first as u32)
            .param("n_tiles", n_tiles as u32)
            .param("n_units", (n_batch * n_tiles) as u32);
        let builder = cx.sink(builder, "y").sink("block", DType::F32, block, DType::F32, None);
        passes.push(builder.build(cx.workgroups(n_batch * n_tiles)));
        let base = first + BLOCK;
        if base < n {
            let builder = read(KernelBuilder::new("solve_update").file(UPDATE))
                .param("base", base as u32)
                .source("block_at", &blocks, &[block.into()])
                .sink("next", DType::F32, temps[step % 2], DType::F32, None);
            passes.push(rank_update(builder, cx, [n_batch, n - base, n_rhs]));
        }
    }
    Ok(passes)
}
