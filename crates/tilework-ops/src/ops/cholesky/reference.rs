//! The meaning of a Cholesky factor: the equations `Σ_k L_rk·L_ck = A_rc` solved one after the other, in double precision.

use super::Cholesky;
use crate::op::Meta;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};

pub(super) fn cholesky(a: &HostView<'_>, out: &Meta) -> HostBuffer {
    let (n_batch, n) = Cholesky::sizes(a.shape());
    let mut l = vec![0.0f64; n_batch * n * n];
    for start in (0..n_batch).map(|batch| batch * n * n) {
        for col in 0..n {
            for row in col..n {
                let known: f64 = (0..col).map(|k| l[start + row * n + k] * l[start + col * n + k]).sum();
                let rest = a.f64_at(start + row * n + col) - known;
                l[start + row * n + col] = if row > col {
                    rest / l[start + col * n + col]
                } else if rest > 0.0 {
                    rest.sqrt()
                } else {
                    f64::NAN
                };
            }
        }
    }
    HostBuffer::from_values(out.dtype, l.into_iter().map(Value::num))
}
