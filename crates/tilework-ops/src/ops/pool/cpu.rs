//! Pooling on the CPU: planes are shared out among threads; in a plane, a row of results takes tap after tap.

use super::{Pool, PoolKind, Sizes};
use crate::cpu::{CpuCx, for_each_num};
use crate::ops::conv::window::Axis;
use std::ops::Range;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_vm::Float;

pub(super) fn pool(op: &Pool, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    let sizes = op.window.sizes("pool", &cx.inputs[0].fused.grid)?;
    let reads_f64 = crate::cpu::reads_f64(cx.inputs[0].fused);
    match out {
        HostBuffer::F32(out) => values(op, &sizes, cx, out),
        HostBuffer::F64(out) => values(op, &sizes, cx, out),
        HostBuffer::I32(out) if reads_f64 => places::<f64>(&sizes, cx, out),
        HostBuffer::I32(out) => places::<f32>(&sizes, cx, out),
        _ => return Err(Error::dtype("pool", "needs floats")),
    }
    Ok(())
}

/// Calls `work` with each plane of the input and its results.
fn for_each_plane<F: Float, T: Send>(
    sizes: &Sizes,
    cx: &CpuCx<'_>,
    out: &mut [T],
    work: impl Fn(&[F], &mut [T]) + Sync,
) {
    let (from_len, to_len) = (sizes.from[0] * sizes.from[1], sizes.to[0] * sizes.to[1]);
    let planes_per_piece = (crate::cpu::GRAIN / from_len.max(1)).max(1);
    cx.threads.for_each_piece(out, planes_per_piece * to_len, |start, piece| {
        let mut evaluator = cx.inputs[0].evaluator::<F>();
        let mut plane = vec![F::default(); from_len];
        for (k, results) in piece.chunks_exact_mut(to_len).enumerate() {
            let first = (start / to_len + k) * from_len;
            for_each_num(&mut evaluator, first..first + from_len, |at, chunk| {
                plane[at - first..][..chunk.len()].copy_from_slice(chunk);
            });
            work(&plane, results);
        }
    });
}

/// The positions for which a tap is inside an axis of `size` elements, out of `n_positions`.
fn inside(axis: &Axis, tap: usize, size: usize, n_positions: usize) -> Range<usize> {
    let offset = tap * axis.dilation;
    let first = axis.low.saturating_sub(offset).div_ceil(axis.stride);
    let end = (axis.low + size).saturating_sub(offset).div_ceil(axis.stride);
    let end = end.min(n_positions);
    first.min(end)..end
}

fn values<F: Float>(op: &Pool, sizes: &Sizes, cx: &CpuCx<'_>, out: &mut [F]) {
    let is_max = op.kind == PoolKind::Max;
    let counts = counts(op, sizes);
    for_each_plane(sizes, cx, out, |plane: &[F], results| {
        if is_max {
            fold_plane(sizes, plane, results, F::from_f64(f64::NEG_INFINITY), F::max);
        } else {
            fold_plane(sizes, plane, results, F::default(), F::add);
            for (row, &count_y) in results.chunks_exact_mut(sizes.to[1]).zip(&counts[0]) {
                for (result, &count_x) in row.iter_mut().zip(&counts[1]) {
                    *result = result.div(F::from_f64(count_y as f64 * count_x as f64));
                }
            }
        }
    });
}

/// How many taps count at each position of both axes, at least 1.
fn counts(op: &Pool, sizes: &Sizes) -> [Vec<usize>; 2] {
    [0, 1].map(|k| {
        let (axis, n_positions) = (&sizes.axes[k], sizes.to[k]);
        if op.kind == PoolKind::MeanWithPadding {
            return vec![axis.kernel; n_positions];
        }
        let mut counts = vec![0usize; n_positions];
        for tap in 0..axis.kernel {
            let reached = inside(axis, tap, sizes.from[k], n_positions);
            counts[reached].iter_mut().for_each(|count| *count += 1);
        }
        counts.iter().map(|&count| count.max(1)).collect()
    })
}

#[inline]
fn fold_plane<F: Float>(sizes: &Sizes, plane: &[F], results: &mut [F], start: F, two: impl Fn(F, F) -> F) {
    let ([axis_y, axis_x], [from_y, from_x], [to_y, to_x]) = (sizes.axes, sizes.from, sizes.to);
    results.fill(start);
    for tap_y in 0..axis_y.kernel {
        for y in inside(&axis_y, tap_y, from_y, to_y) {
            let source = &plane[(y * axis_y.stride + tap_y * axis_y.dilation - axis_y.low) * from_x..][..from_x];
            let row = &mut results[y * to_x..][..to_x];
            for tap_x in 0..axis_x.kernel {
                let reached = inside(&axis_x, tap_x, from_x, to_x);
                if reached.is_empty() {
                    continue;
                }
                let first = reached.start * axis_x.stride + tap_x * axis_x.dilation - axis_x.low;
                let elements = source[first..].iter().step_by(axis_x.stride);
                for (result, &element) in row[reached].iter_mut().zip(elements) {
                    *result = two(*result, element);
                }
            }
        }
    }
}

fn places<F: Float>(sizes: &Sizes, cx: &CpuCx<'_>, out: &mut [i32]) {
    let ([axis_y, axis_x], [from_y, from_x], [to_y, to_x]) = (sizes.axes, sizes.from, sizes.to);
    for_each_plane(sizes, cx, out, |plane: &[F], results| {
        results.fill(-1);
        for tap_y in 0..axis_y.kernel {
            for y in inside(&axis_y, tap_y, from_y, to_y) {
                let row_start = (y * axis_y.stride + tap_y * axis_y.dilation - axis_y.low) * from_x;
                for tap_x in 0..axis_x.kernel {
                    for x in inside(&axis_x, tap_x, from_x, to_x) {
                        let place = row_start + x * axis_x.stride + tap_x * axis_x.dilation - axis_x.low;
                        let result = &mut results[y * to_x + x];
                        if *result < 0 || is_larger(plane[place], plane[*result as usize]) {
                            *result = place as i32;
                        }
                    }
                }
            }
        }
    });
}

/// NaN is larger than everything else.
fn is_larger<F: Float>(a: F, b: F) -> bool {
    let is_nan = |x: F| x.partial_cmp(&x).is_none();
    a > b || (is_nan(a) && !is_nan(b))
}
