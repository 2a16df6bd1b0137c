//! Scatter on the CPU: a copy, and the rows put into it in order, so that the last one stays.

use super::Scatter;
use crate::cpu::{CpuCx, Element, by_words};
use crate::ops::gather::{Gather, indices_of, resolve};
use crate::ops::scatter_add::for_each_run;
use tilework_core::dtype::HAS_WIDE;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};

pub(super) fn scatter(op: &Scatter, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    match out {
        HostBuffer::F32(out) => scatter_as(op, cx, out),
        HostBuffer::F64(out) => scatter_as(op, cx, out),
        HostBuffer::I32(out) => scatter_as(op, cx, out),
        HostBuffer::U32(out) => scatter_as(op, cx, out),
        HostBuffer::Bool(out) => by_words(out, |words| scatter_as(op, cx, words)),
        HostBuffer::I64(out) if HAS_WIDE => scatter_as(op, cx, out),
        HostBuffer::U64(out) if HAS_WIDE => scatter_as(op, cx, out),
        _ => return Err(Error::dtype("scatter", "computes no narrow types")),
    }
    Ok(())
}

fn scatter_as<T: Element>(op: &Scatter, cx: &CpuCx<'_>, out: &mut [T]) {
    let (_, n_axis, n_inner) = Gather::split(op.axis, &cx.inputs[0].fused.grid);
    if out.is_empty() {
        return;
    }
    let places: Vec<usize> =
        indices_of(&cx.inputs[1]).into_iter().map(|index| resolve(index, n_axis) * n_inner).collect();
    let n_put = places.len() * n_inner;
    cx.threads.for_each_piece(out, n_axis * n_inner, |start, piece| {
        T::read(&cx.inputs[0], start, piece);
        let from = start / (n_axis * n_inner) * n_put;
        T::for_each(&cx.inputs[2], from..from + n_put, |at, chunk| {
            for_each_run(&places, n_inner, at - from, chunk, |place, run| {
                piece[place..][..run.len()].copy_from_slice(run);
            });
        });
    });
}
