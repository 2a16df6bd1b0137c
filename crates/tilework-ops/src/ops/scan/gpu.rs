//! Scans on the GPU: one pass for short rows, and for long ones totals of tiles, their scan, and the tiles with what comes
//! before them. No workgroup waits for another.

use super::{Direction, Reach, Scan};
use crate::op::PlanCx;
use crate::ops::reduce::{Combine, Rows, as_rows, gpu as reduce};
use tilework_core::dtype::DType;
use tilework_core::emit::{KernelBuilder, Slots};
use tilework_core::fused::Fused;
use tilework_core::layout::Layout;
use tilework_core::plan::Pass;
use tilework_core::shape::Shape;

pub(super) const SCAN_TILE: &str = tilework_core::wgsl!("scan_tile.wgsl");
pub(super) const SCAN_SHORT: &str = tilework_core::wgsl!("scan_short.wgsl");

/// Rows up to this long are scanned by one invocation each.
const SHORT_COLS: usize = 32;
/// Columns of one workgroup: 256 invocations with 8 each, as in scan_tile.wgsl.
const TILE_LEN: usize = 2048;

/// Where results go.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// To the result of the operation, through its epilogue.
    Result,
    /// To this plan slot.
    Slot(usize),
}

/// A scan of rows that lie one after the other in `x`.
pub(crate) struct RowScan<'a> {
    pub(crate) combine: Combine,
    pub(crate) reach: Reach,
    pub(crate) direction: Direction,
    pub(crate) dtype: DType,
    pub(crate) x: &'a Fused,
    pub(crate) slots: Slots<'a>,
    pub(crate) rows: Rows,
    /// Elements between neighbors of a row in the result.
    pub(crate) n_inner: usize,
    pub(crate) target: Target,
}

pub(super) fn plan(op: &Scan, cx: &mut PlanCx<'_>) -> Vec<Pass> {
    let (_, _, n_inner) = op.split(&cx.inputs[0].grid);
    let reversed = (op.direction == Direction::Backward).then(|| cx.inputs[0].reversed(op.axis));
    let (x, rows) = as_rows(reversed.as_ref().unwrap_or(&cx.inputs[0]), &[op.axis]);
    let scan = RowScan {
        combine: op.combine,
        reach: op.reach,
        direction: op.direction,
        dtype: cx.out.dtype,
        x: &x,
        slots: cx.slots,
        rows,
        n_inner,
        target: Target::Result,
    };
    scan.passes(cx)
}

/// All elements of a slot as one row after the other.
pub(crate) fn read_slot(dtype: DType, n: usize) -> Fused {
    Fused::read(0, dtype, Layout::contiguous(Shape::new("scan", vec![n]).unwrap_or_default()))
}

impl RowScan<'_> {
    pub(crate) fn passes(&self, cx: &mut PlanCx<'_>) -> Vec<Pass> {
        let Rows { n_rows, n_cols } = self.rows;
        if n_cols <= SHORT_COLS {
            let builder = self.kernel("scan").file(SCAN_SHORT);
            return vec![self.store(builder, cx).build(cx.workgroups(n_rows.div_ceil(256)))];
        }
        let n_tiles = n_cols.div_ceil(TILE_LEN);
        let builder = self.kernel("scan").file(SCAN_TILE).param("n_tiles", n_tiles as u32);
        if n_tiles == 1 {
            let builder = builder.prelude("fn before(unit: u32) -> Acc { return identity(); }");
            return vec![self.store(builder, cx).build(cx.workgroups(n_rows))];
        }
        let n_totals = n_rows * n_tiles;
        let size_bytes = (n_totals * DType::U32.size_bytes()) as u64;
        let (totals_slot, before_slot) = ((cx.temp)(size_bytes), (cx.temp)(size_bytes));
        let totals = reduce::declare(KernelBuilder::new("scan totals"), self.combine, self.x.scalar())
            .file(reduce::REDUCE)
            .param("n_rows", n_rows as u32)
            .param("n_cols", n_cols as u32)
            .param("n_parts", n_tiles as u32)
            .param("part_len", TILE_LEN as u32)
            .source("x", self.x, self.slots)
            .sink("y", self.dtype, totals_slot, self.dtype, None)
            .build(cx.workgroups(n_totals));
        let read = read_slot(self.dtype, n_totals);
        let spine = RowScan {
            reach: Reach::Exclusive,
            direction: Direction::Forward,
            x: &read,
            slots: &[totals_slot.into()],
            rows: Rows { n_rows, n_cols: n_tiles },
            n_inner: 1,
            target: Target::Slot(before_slot),
            ..*self
        };
        let mut passes = vec![totals];
        passes.extend(spine.passes(cx));
        let builder = builder.source("before", &read, &[before_slot.into()]);
        passes.push(self.store(builder, cx).build(cx.workgroups(n_totals)));
        passes
    }

    fn kernel(&self, label: &str) -> KernelBuilder {
        let (is_exclusive, is_backward) = (self.reach == Reach::Exclusive, self.direction == Direction::Backward);
        reduce::declare(KernelBuilder::new(label), self.combine, self.x.scalar())
            .prelude(&format!("const IS_EXCLUSIVE: bool = {is_exclusive};"))
            .prelude(&format!("const IS_BACKWARD: bool = {is_backward};"))
            .param("n_rows", self.rows.n_rows as u32)
            .param("n_cols", self.rows.n_cols as u32)
            .param("n_inner", self.n_inner.max(1) as u32)
            .source("x", self.x, self.slots)
    }

    fn store(&self, builder: KernelBuilder, cx: &PlanCx<'_>) -> KernelBuilder {
        match self.target {
            Target::Result => cx.sink(builder, "y"),
            Target::Slot(slot) => builder.sink("y", self.dtype, slot, self.dtype, None),
        }
    }
}
