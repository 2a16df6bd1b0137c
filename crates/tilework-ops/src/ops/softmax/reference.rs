//! The meaning of softmax, in `f64`.

use super::{Output, Softmax};
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn softmax(op: &Softmax, x: &HostView<'_>, out: &Meta) -> HostBuffer {
    let (n_outer, n_cols, n_inner) = op.split(x.shape());
    let mut y = vec![0.0; n_outer * n_cols * n_inner];
    for outer in 0..n_outer {
        for inner in 0..n_inner {
            let at = |col: usize| (outer * n_cols + col) * n_inner + inner;
            let row: Vec<f64> = (0..n_cols).map(|col| x.f64_at(at(col))).collect();
            let has_nan = row.iter().any(|v| v.is_nan());
            let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = row.iter().map(|v| (v - max).exp()).sum();
            for col in 0..n_cols {
                y[at(col)] = match op.output {
                    _ if has_nan => f64::NAN,
                    Output::Probability if max == f64::NEG_INFINITY => 0.0,
                    Output::Logarithm if max == f64::NEG_INFINITY => f64::NEG_INFINITY,
                    Output::Probability => (row[col] - max).exp() / sum,
                    Output::Logarithm => row[col] - max - sum.ln(),
                };
            }
        }
    }
    HostBuffer::from_values(out.dtype, y.into_iter().map(Value::num))
}
