//! Scans on the CPU: chunks within a block, blocks across threads.
//!
//! Results are carried from chunk to chunk in double precision. The cuts depend on the length of a row only, so that the number
//! of threads does not change the result.

use super::{Direction, Reach, Scan};
use crate::cpu::{CpuCx, CpuInput, Element, GRAIN};
use tilework_core::dtype::HAS_WIDE;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_vm::CHUNK;
use tilework_vm::lanes::Combine;
use tilework_vm::scan::Scan as Lanes;

pub(super) fn scan(op: &Scan, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    match out {
        HostBuffer::F32(out) => scan_as(op, cx, out),
        HostBuffer::F64(out) => scan_as(op, cx, out),
        HostBuffer::I32(out) => scan_as(op, cx, out),
        HostBuffer::U32(out) => scan_as(op, cx, out),
        HostBuffer::I64(out) if HAS_WIDE => scan_as(op, cx, out),
        HostBuffer::U64(out) if HAS_WIDE => scan_as(op, cx, out),
        _ => return Err(Error::dtype("scan", "needs numbers")),
    }
    Ok(())
}

fn scan_as<T: Element + Lanes>(op: &Scan, cx: &CpuCx<'_>, out: &mut [T]) {
    let (_, n_cols, n_inner) = op.split(&cx.inputs[0].fused.grid);
    if out.is_empty() {
        return;
    }
    let is_backward = op.direction == Direction::Backward;
    let reversed = is_backward.then(|| cx.inputs[0].fused.reversed(op.axis));
    let input = CpuInput { fused: reversed.as_ref().unwrap_or(cx.inputs[0].fused), ..cx.inputs[0] };
    let combine = op.combine.of_numbers();
    if n_inner == 1 && n_cols >= 2 * GRAIN {
        for (row, out) in out.chunks_mut(n_cols).enumerate() {
            scan_long(op, &input, row * n_cols, cx, out);
            if is_backward {
                out.reverse();
            }
        }
        return;
    }
    let slab = n_cols * n_inner;
    let slabs_per_piece = (GRAIN / slab).max(1);
    cx.threads.for_each_piece(out, slabs_per_piece * slab, |start, piece| {
        T::read(&input, start, piece);
        for slab in piece.chunks_mut(slab) {
            if n_inner == 1 {
                scan_row(combine, op.reach, slab)
            } else {
                scan_rows(combine, op.reach, slab, n_inner)
            }
            if is_backward {
                reverse_groups(slab, n_inner);
            }
        }
    });
}

/// A row that fills several blocks: each is scanned by itself, then combined with the total of those before it.
fn scan_long<T: Element + Lanes>(op: &Scan, input: &CpuInput<'_>, row_start: usize, cx: &CpuCx<'_>, out: &mut [T]) {
    let combine = op.combine.of_numbers();
    let neutral = T::neutral(combine);
    let mut blocks: Vec<(&mut [T], T::Wide)> = out.chunks_mut(GRAIN).map(|block| (block, neutral)).collect();
    cx.threads.for_each_piece(&mut blocks, 1, |index, slot| {
        let (block, total) = &mut slot[0];
        let first = row_start + index * GRAIN;
        T::for_each(input, first..first + block.len(), |at, chunk| {
            *total = T::scan(combine, op.reach, chunk, *total, &mut block[at - first..][..chunk.len()]);
        });
    });
    let mut before = neutral;
    for (_, total) in &mut blocks {
        let after = T::join(combine, before, *total);
        *total = std::mem::replace(&mut before, after);
    }
    cx.threads.for_each_piece(&mut blocks[1..], 1, |_, slot| T::offset(combine, slot[0].0, slot[0].1));
}

fn scan_row<T: Element + Lanes>(combine: Combine, reach: Reach, row: &mut [T]) {
    let mut before = T::neutral(combine);
    let mut x = [T::zeroed(); CHUNK];
    for chunk in row.chunks_mut(CHUNK) {
        let x = &mut x[..chunk.len()];
        x.copy_from_slice(chunk);
        before = T::scan(combine, reach, x, before, chunk);
    }
}

/// Rows of `n_inner` elements side by side: whole rows are combined, which needs no moving of elements.
fn scan_rows<T: Element + Lanes>(combine: Combine, reach: Reach, slab: &mut [T], n_inner: usize) {
    for start in (n_inner..slab.len()).step_by(n_inner) {
        let (done, rest) = slab.split_at_mut(start);
        T::add_row(combine, &mut rest[..n_inner], &done[start - n_inner..]);
    }
    if reach == Reach::Exclusive {
        slab.copy_within(..slab.len() - n_inner, n_inner);
        slab[..n_inner].fill(T::narrow(T::neutral(combine)));
    }
}

/// Puts groups of `n_inner` elements into the opposite order.
fn reverse_groups<T>(slab: &mut [T], n_inner: usize) {
    slab.reverse();
    if n_inner > 1 {
        slab.chunks_mut(n_inner).for_each(<[T]>::reverse);
    }
}
