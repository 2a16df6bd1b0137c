//! Softmax on the CPU: rows are shared out among threads, each row stays in cache between its three passes.

use super::{Output, Softmax};
use crate::cpu::{CpuCx, CpuInput, for_each_num, for_each_row};
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_vm::Float;
use tilework_vm::lanes::Combine;

pub(super) fn softmax(op: &Softmax, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    match out {
        HostBuffer::F32(out) => softmax_as(op, cx, out),
        HostBuffer::F64(out) if crate::cpu::HAS_DOUBLE => softmax_as(op, cx, out),
        _ => return Err(Error::dtype(op.name(), "needs floats")),
    }
    Ok(())
}

fn softmax_as<F: Float>(op: &Softmax, cx: &CpuCx<'_>, out: &mut [F]) {
    let (n_outer, n_cols, n_inner) = op.split(&cx.inputs[0].fused.grid);
    if n_outer * n_cols * n_inner == 0 {
        return;
    }
    if n_inner == 1 {
        return for_each_row(cx, out, n_cols, |_, x, y| normalize(op, x, y));
    }
    // An inner axis: work on the array with the axis moved last, then put every row back in its place.
    let rank = cx.inputs[0].fused.grid.rank();
    let order: Vec<usize> = (0..rank).filter(|&axis| axis != op.axis).chain([op.axis]).collect();
    let fused = cx.inputs[0].fused.permuted(&order);
    let input = CpuInput { fused: &fused, ..cx.inputs[0] };
    let block = n_inner * n_cols;
    cx.threads.for_each_piece(out, block, |start, piece| {
        let mut rows = vec![F::default(); block];
        let mut y = vec![F::default(); n_cols];
        for_each_num(&mut input.evaluator::<F>(), start..start + block, |at, chunk| {
            rows[at - start..][..chunk.len()].copy_from_slice(chunk);
        });
        for (inner, row) in rows.chunks(n_cols).enumerate() {
            normalize(op, row, &mut y);
            y.iter().enumerate().for_each(|(col, &y)| piece[col * n_inner + inner] = y);
        }
    });
}

fn normalize<F: Float>(op: &Softmax, x: &[F], y: &mut [F]) {
    let (zero, lowest) = (F::from_f64(0.0), F::from_f64(f64::NEG_INFINITY));
    // NaN is passed over here and found by the sum.
    let highest = F::highest(x);
    if highest == lowest {
        let sum = F::fold(Combine::Sum, x, zero);
        return y.fill(match op.output {
            _ if sum.is_nan() => sum,
            Output::Probability => zero,
            Output::Logarithm => lowest,
        });
    }
    match op.output {
        Output::Probability => {
            let sum = F::exp_of_difference_to(y, x, highest);
            F::scale(y, F::from_f64(1.0).div(sum));
        }
        Output::Logarithm => {
            y.copy_from_slice(x);
            F::subtract(y, highest);
            F::subtract(y, sum_of_exponentials(y).log());
        }
    }
}

/// The exponentials pass through a small buffer, so that they need no memory of the size of the row.
fn sum_of_exponentials<F: Float>(row: &[F]) -> F {
    let zero = F::from_f64(0.0);
    let mut buffer = [zero; 256];
    row.chunks(buffer.len())
        .fold(zero, |sum, group| sum.add(F::exp_of_difference_to(&mut buffer[..group.len()], group, zero)))
}
