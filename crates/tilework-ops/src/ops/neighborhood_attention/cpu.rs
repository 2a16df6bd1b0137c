//! Neighborhood attention on the CPU: rows of an image are shared out among threads. A window is small, so its scores are kept.

use super::{NeighborhoodAttention, Sizes};
use crate::cpu::CpuCx;
use tilework_core::host::HostBuffer;
use tilework_core::layout::Layout;
use tilework_core::{Error, Result};
use tilework_vm::Float;
use tilework_vm::lanes::Combine;

pub(super) fn attention(op: &NeighborhoodAttention, cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    match out {
        HostBuffer::F32(out) => attention_as(op, cx, out),
        HostBuffer::F64(out) => attention_as(op, cx, out),
        _ => Err(Error::dtype("neighborhood_attention", "needs floats")),
    }
}

/// An input whose rows of elements are read where they lie, if those follow each other.
struct Operand<'a, F> {
    data: &'a [F],
    layout: &'a Layout,
}

impl<F: Float> Operand<'_, F> {
    fn row<'s>(&'s self, [image, row, col]: [usize; 3], scratch: &'s mut [F]) -> &'s [F] {
        let n_heads = self.layout.shape[1];
        let at = [image / n_heads, image % n_heads, row, col];
        let strides = &self.layout.strides;
        let start = at.iter().zip(strides).fold(self.layout.offset as isize, |sum, (&i, s)| sum + i as isize * s);
        if strides[4] == 1 && !scratch.is_empty() {
            return &self.data[start as usize..][..scratch.len()];
        }
        for (c, out) in scratch.iter_mut().enumerate() {
            *out = self.data[(start + c as isize * strides[4]) as usize];
        }
        scratch
    }
}

fn operand<'a, F: Float>(cx: &CpuCx<'a>, index: usize) -> Result<Operand<'a, F>> {
    let plain = cx.inputs[index].strided();
    let found = plain.and_then(|(slice, _, layout)| Some(Operand { data: F::of_slice(&slice)?, layout }));
    found.ok_or_else(|| Error::argument("neighborhood_attention", "inputs must be plain reads of one float type"))
}

fn attention_as<F: Float>(op: &NeighborhoodAttention, cx: &CpuCx<'_>, out: &mut [F]) -> Result<()> {
    let (q, k, v) = (operand::<F>(cx, 0)?, operand::<F>(cx, 1)?, operand::<F>(cx, 2)?);
    let Sizes { height, width, d, dv, .. } = Sizes::of(&q.layout.shape, &k.layout.shape, &v.layout.shape)?;
    if out.is_empty() {
        return Ok(());
    }
    let scale = F::from_f64(op.scale_for(d));
    cx.threads.for_each_piece(out, width * dv, |start, piece| {
        let line = start / (width * dv);
        let (image, row) = (line / height, line % height);
        let mut scratch = [vec![F::default(); d], vec![F::default(); d.max(dv)]];
        let mut scores = vec![F::default(); op.window * op.window];
        for (col, out) in piece.chunks_mut(dv).enumerate() {
            let [query, other] = &mut scratch;
            let query = q.row([image, row, col], query);
            let key = |step: usize| {
                [image, op.neighbor(row, height, step / op.window), op.neighbor(col, width, step % op.window)]
            };
            for (step, score) in scores.iter_mut().enumerate() {
                *score = F::dot(query, k.row(key(step), &mut other[..d])).mul(scale);
            }
            let highest = F::fold(Combine::Max, &scores, F::from_f64(f64::NEG_INFINITY));
            let total = F::exp_of_difference(&mut scores, highest);
            F::scale(&mut scores, F::from_f64(1.0).div(total));
            out.fill(F::default());
            for (step, &weight) in scores.iter().enumerate() {
                F::add_scaled(out, weight, v.row(key(step), &mut other[..dv]));
            }
        }
    });
    Ok(())
}
