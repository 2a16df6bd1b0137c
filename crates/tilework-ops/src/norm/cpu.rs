//! Normalisations on the CPU: rows are shared out among threads. A row is read where it lies if it lies evenly, and stays in
//! cache between the sum, the sum of squares and the result.

use super::{Affine, Center, RowNorm};
use crate::cpu::{CpuCx, CpuInput, for_each_num, for_each_row};
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_vm::Float;
use tilework_vm::lanes::Combine;
use tilework_vm::rows::Stretch;

pub(crate) fn normalize(norm: &RowNorm, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    match out {
        HostBuffer::F32(out) => normalize_as(norm, cx, out),
        HostBuffer::F64(out) => normalize_as(norm, cx, out),
        _ => return Err(Error::dtype(norm.name, "needs floats")),
    }
    Ok(())
}

fn normalize_as<F: Float>(norm: &RowNorm, cx: &CpuCx<'_>, out: &mut [F]) {
    if out.is_empty() {
        return;
    }
    let parameter = |index: usize| cx.inputs.get(index).map(all_elements::<F>);
    let row_norm = Affined { norm, weight: parameter(1), bias: parameter(2) };
    if norm.n_inner == 1 {
        for_each_row(cx, out, row_norm.norm.n_cols, |row, x, y| row_norm.row(row, x, y));
    } else {
        strided_rows(&row_norm, cx, out);
    }
}

/// A normalisation with its weights.
struct Affined<'a, F> {
    norm: &'a RowNorm,
    weight: Option<Vec<F>>,
    bias: Option<Vec<F>>,
}

impl<F: Float> Affined<'_, F> {
    fn row(&self, row: usize, x: &[F], out: &mut [F]) {
        let n = F::from_f64(x.len() as f64);
        let zero = F::from_f64(0.0);
        let shift = match self.norm.center {
            Center::Mean => F::fold(Combine::Sum, x, zero).div(n),
            Center::Zero => zero,
        };
        let variance = F::sum_of_squares(x, shift).div(n);
        let scale = F::from_f64(1.0).div(variance.add(F::from_f64(self.norm.epsilon)).sqrt());
        let stretch = Stretch { shift, scale };
        match (&self.weight, self.norm.affine) {
            (None, _) => F::stretch(x, out, stretch, zero),
            (Some(weight), Affine::Columns) => F::stretch_by(x, out, stretch, weight, self.bias.as_deref()),
            (Some(weight), Affine::Channels { n_spatial, .. }) => {
                let first = self.norm.weight(row, 0);
                for (channel, (x, out)) in (first..).zip(x.chunks(n_spatial).zip(out.chunks_mut(n_spatial))) {
                    let bias = self.bias.as_ref().map_or(zero, |bias| bias[channel]);
                    F::stretch(x, out, Stretch { shift, scale: scale.mul(weight[channel]) }, bias);
                }
            }
        }
    }
}

/// An inner axis: works on the array with the axis moved last, then puts every row back in its place.
fn strided_rows<F: Float>(affined: &Affined<'_, F>, cx: &CpuCx<'_>, out: &mut [F]) {
    let (n_cols, n_inner) = (affined.norm.n_cols, affined.norm.n_inner);
    let grid = &cx.inputs[0].fused.grid;
    let axis = affined.norm.axis;
    let order: Vec<usize> = (0..grid.rank()).filter(|&other| other != axis).chain([axis]).collect();
    let fused = cx.inputs[0].fused.permuted(&order);
    let input = CpuInput { fused: &fused, ..cx.inputs[0] };
    let block = n_inner * n_cols;
    cx.threads.for_each_piece(out, block, |start, piece| {
        let mut rows = vec![F::default(); block];
        let mut result = vec![F::default(); n_cols];
        for_each_num(&mut input.evaluator::<F>(), start..start + block, |at, chunk| {
            rows[at - start..][..chunk.len()].copy_from_slice(chunk);
        });
        for (inner, row) in rows.chunks(n_cols).enumerate() {
            affined.row(start / block * n_inner + inner, row, &mut result);
            result.iter().enumerate().for_each(|(col, &y)| piece[col * n_inner + inner] = y);
        }
    });
}

/// All elements of a small input.
pub(crate) fn all_elements<F: Float>(input: &CpuInput<'_>) -> Vec<F> {
    let mut all = Vec::with_capacity(input.fused.grid.n_elements());
    for_each_num(&mut input.evaluator::<F>(), 0..input.fused.grid.n_elements(), |_, chunk| all.extend(chunk));
    all
}
