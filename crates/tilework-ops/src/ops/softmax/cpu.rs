//! Softmax on the CPU: rows are shared out among threads, each row stays in cache between its three passes.

use super::{Output, Softmax};
use crate::cpu::{CpuCx, CpuInput, for_each_num};
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
        let rows_per_piece = (crate::cpu::GRAIN / n_cols).max(1);
        cx.threads.for_each_piece(out, rows_per_piece * n_cols, |start, piece| {
            let mut evaluator = cx.inputs[0].evaluator::<F>();
            for_each_num(&mut evaluator, start..start + piece.len(), |at, chunk| {
                piece[at - start..][..chunk.len()].copy_from_slice(chunk);
            });
            piece.chunks_mut(n_cols).for_each(|row| normalize(op, row));
        });
        return;
    }
    // An inner axis: work on the array with the axis moved last, then put every row back in its place.
    let rank = cx.inputs[0].fused.grid.rank();
    let order: Vec<usize> = (0..rank).filter(|&axis| axis != op.axis).chain([op.axis]).collect();
    let fused = cx.inputs[0].fused.permuted(&order);
    let input = CpuInput { fused: &fused, ..cx.inputs[0] };
    let block = n_inner * n_cols;
    cx.threads.for_each_piece(out, block, |start, piece| {
        let mut rows = vec![F::default(); block];
        for_each_num(&mut input.evaluator::<F>(), start..start + block, |at, chunk| {
            rows[at - start..][..chunk.len()].copy_from_slice(chunk);
        });
        for (inner, row) in rows.chunks_mut(n_cols).enumerate() {
            normalize(op, row);
            row.iter().enumerate().for_each(|(col, &y)| piece[col * n_inner + inner] = y);
        }
    });
}

fn normalize<F: Float>(op: &Softmax, row: &mut [F]) {
    let (zero, lowest) = (F::from_f64(0.0), F::from_f64(f64::NEG_INFINITY));
    let max = F::fold(Combine::Max, row, lowest);
    let is_masked = max == lowest;
    match op.output {
        Output::Probability if is_masked => row.fill(zero),
        Output::Logarithm if is_masked => row.fill(lowest),
        Output::Probability => {
            let sum = F::exp_of_difference(row, max);
            F::scale(row, F::from_f64(1.0).div(sum));
        }
        Output::Logarithm => {
            F::subtract(row, max);
            F::subtract(row, sum_of_exponentials(row).log());
        }
    }
}

/// The exponentials pass through a small buffer, so that they need no memory of the size of the row.
fn sum_of_exponentials<F: Float>(row: &[F]) -> F {
    let zero = F::from_f64(0.0);
    let mut buffer = [zero; 256];
    row.chunks(buffer.len()).fold(zero, |sum, group| {
        let exponentials = &mut buffer[..group.len()];
        exponentials.copy_from_slice(group);
        sum.add(F::exp_of_difference(exponentials, zero))
    })
}
