//! The meaning of attention, in `f64`: all scores of a query, their softmax, the weighted sum of values.

use super::{Attention, Roles, Sizes};
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};
use tilework_core::layout::Layout;

pub(super) fn attention(op: &Attention, inputs: &[HostView<'_>], out: &Meta) -> HostBuffer {
    let (q, k, v) = (&inputs[0], &inputs[1], &inputs[2]);
    let (Ok(sizes), Some(roles)) =
        (Sizes::of(q.shape(), k.shape(), v.shape()), Roles::of(inputs.iter().map(|input| input.data.dtype())))
    else {
        return HostBuffer::zeros(out.dtype, out.shape.n_elements());
    };
    let past = roles.n_past.map_or(sizes.default_past() as i64, |index| inputs[index].f64_at(0) as i64);
    let mask = roles.mask.map(|index| HostView {
        data: inputs[index].data,
        layout: sizes
            .scores()
            .map_or_else(|_| Layout::contiguous(out.shape.clone()), |s| inputs[index].layout.expanded(&s)),
    });
    let mut y = Vec::with_capacity(out.shape.n_elements());
    for row in 0..sizes.n_batch * sizes.n_heads * sizes.n_q {
        let (head_row, query) = (row / sizes.n_q, row % sizes.n_q);
        let (batch, head) = (head_row / sizes.n_heads, head_row % sizes.n_heads);
        let kv_row = (batch * sizes.n_kv_heads + head / sizes.n_group()) * sizes.n_kv;
        let seen = op.seen(&sizes, query, past);
        let scores: Vec<f64> = seen
            .clone()
            .map(|key| {
                let product: f64 =
                    (0..sizes.d).map(|c| q.f64_at(row * sizes.d + c) * k.f64_at((kv_row + key) * sizes.d + c)).sum();
                let scaled = product * op.scale_for(sizes.d);
                let capped = op.soft_cap.map_or(scaled, |cap| cap * (scaled / cap).tanh());
                capped + mask.as_ref().map_or(0.0, |mask| mask.f64_at(row * sizes.n_kv + key))
            })
            .collect();
        let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_blind = highest == f64::NEG_INFINITY && !scores.iter().any(|s| s.is_nan());
        let total: f64 = scores.iter().map(|s| (s - highest).exp()).sum();
        y.extend((0..sizes.dv).map(|c| {
            let values = seen.clone().map(|key| v.f64_at((kv_row + key) * sizes.dv + c));
            let sum: f64 = scores.iter().zip(values).map(|(s, v)| (s - highest).exp() * v).sum();
            if is_blind { 0.0 } else { sum / total }
        }));
    }
    HostBuffer::from_values(out.dtype, y.into_iter().map(Value::num))
}
