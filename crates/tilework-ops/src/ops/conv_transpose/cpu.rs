//! Transposed convolutions on the CPU: a correlation for each remainder of the results modulo the stride, then put in place.

use super::{ConvTranspose, Sizes};
use crate::cpu::CpuCx;
use crate::ops::conv::correlation::{Correlation, planes};
use crate::ops::conv::cpu::Correlate;
use crate::ops::conv::window::Axis;
use crate::threads::Threads;
use tilework_core::host::HostBuffer;
use tilework_core::layout::Layout;
use tilework_core::{Error, Result};
use tilework_vm::{Float, HostSlice};

/// With more remainders than this, almost every one of them has a single result, and each is computed by itself.
const MAX_PHASES: usize = 256;

/// An operand with its layout.
type Operand<'a, F> = (&'a [F], &'a Layout);

pub(super) fn conv_transpose(op: &ConvTranspose, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    let (Some((x, _, x_layout)), Some((weight, _, weight_layout))) = (cx.inputs[0].strided(), cx.inputs[1].strided())
    else {
        return Err(Error::argument("conv_transpose", "operands must be plain reads"));
    };
    match (x, weight, out) {
        (HostSlice::F32(x), HostSlice::F32(weight), HostBuffer::F32(out)) => {
            transpose(op, cx.threads, (x, x_layout), (weight, weight_layout), out)
        }
        (HostSlice::F64(x), HostSlice::F64(weight), HostBuffer::F64(out)) => {
            transpose(op, cx.threads, (x, x_layout), (weight, weight_layout), out)
        }
        _ => Err(Error::dtype("conv_transpose", "needs two arrays of one float type")),
    }
}

fn transpose<F: Correlate>(
    op: &ConvTranspose,
    threads: Threads,
    x: Operand<'_, F>,
    weight: Operand<'_, F>,
    out: &mut [F],
) -> Result<()> {
    if out.is_empty() {
        return Ok(());
    }
    if op.n_phases(&x.1.shape, &weight.1.shape)? > MAX_PHASES {
        return by_element(op, threads, x, weight, out);
    }
    let correlations = op.correlations(x.1, weight.1)?;
    if let [only] = &correlations[..] {
        F::correlate(threads, only, x.0, weight.0, out);
        return Ok(());
    }
    let mut results = Vec::new();
    for correlation in &correlations {
        results.resize(correlation.n_results(), F::default());
        F::correlate(threads, correlation, x.0, weight.0, &mut results);
        put_in_place(threads, correlation, &results, out);
    }
    Ok(())
}

/// Copies the results of one remainder to where they belong.
fn put_in_place<F: Float>(threads: Threads, correlation: &Correlation, results: &[F], out: &mut [F]) {
    let [_, plane_len, row_stride, stride] = correlation.y.strides.map(|stride| stride as usize);
    let offset = correlation.y.offset as usize;
    let [walk_y, walk_x] = correlation.walks;
    threads.for_each_piece(out, plane_len, |start, plane| {
        let from = &results[start / plane_len * correlation.n_positions()..];
        for (y, row) in from.chunks_exact(walk_x.n_positions).take(walk_y.n_positions).enumerate() {
            let out = plane[offset + y * row_stride..].iter_mut().step_by(stride);
            out.zip(row).for_each(|(out, &result)| *out = result);
        }
    });
}

/// Every result by the taps that reach it.
fn by_element<F: Float>(
    op: &ConvTranspose,
    threads: Threads,
    (x, x_layout): Operand<'_, F>,
    (weight, weight_layout): Operand<'_, F>,
    out: &mut [F],
) -> Result<()> {
    let Sizes { axes: [axis_y, axis_x], from, to, .. } = op.check(&x_layout.shape, &weight_layout.shape)?;
    let (n_rows, n_channels) = (weight_layout.shape[1], weight_layout.shape[0] / op.n_groups);
    let (x_place, weight_place) = (planes(x_layout), planes(weight_layout));
    threads.for_each_piece(out, to[1], |start, results| {
        let (plane, y) = (start / (to[0] * to[1]), start / to[1] % to[0]);
        let (image, group, row) = (plane / (n_rows * op.n_groups), plane / n_rows % op.n_groups, plane % n_rows);
        for (to_x, result) in results.iter_mut().enumerate() {
            *result = F::default();
            for (tap_y, at_y) in reaching(&axis_y, from[0], y) {
                for (tap_x, at_x) in reaching(&axis_x, from[1], to_x) {
                    for channel in group * n_channels..(group + 1) * n_channels {
                        let element = x[x_place.at([image, channel, at_y, at_x]) as usize];
                        let factor = weight[weight_place.at([channel, row, tap_y, tap_x]) as usize];
                        *result = result.add(element.mul(factor));
                    }
                }
            }
        }
    });
    Ok(())
}

/// The taps that reach result `to` of an axis, each with the position it comes from.
fn reaching(axis: &Axis, from: usize, to: usize) -> impl Iterator<Item = (usize, usize)> {
    let Axis { kernel, stride, low, dilation, .. } = *axis;
    (0..kernel).filter_map(move |tap| {
        let moved = (to + low).checked_sub(tap * dilation)?;
        (moved % stride == 0 && moved / stride < from).then_some((tap, moved / stride))
    })
}
