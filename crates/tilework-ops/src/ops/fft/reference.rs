//! The meaning of a transform: the sum itself, in `f64`.

use super::{Fft, Form};
use crate::op::Meta;
use std::f64::consts::TAU;
use tilework_core::expr::Value;
use tilework_core::host::{HostBuffer, HostView};
use tilework_vm::fft::Direction;

pub(super) fn transform(op: &Fft, x: &HostView<'_>, out: &Meta) -> HostBuffer {
    let lines = op.lines(x.shape());
    let sign = if op.direction() == Direction::Forward { -1.0 } else { 1.0 };
    let roots: Vec<(f64, f64)> = (0..lines.n).map(|m| (sign * TAU * m as f64 / lines.n as f64).sin_cos()).collect();
    let mut y = vec![0.0; out.shape.n_elements()];
    for outer in 0..lines.n_outer {
        for inner in 0..lines.n_inner {
            let item = |j: usize| {
                let at = ((outer * lines.n_in + j) * lines.n_inner + inner) * lines.in_width;
                (x.f64_at(at), if lines.in_width == 2 { x.f64_at(at + 1) } else { 0.0 })
            };
            let points: Vec<(f64, f64)> = (0..lines.n).map(|j| point(op, lines.n, j, &item)).collect();
            for k in 0..lines.n_out {
                let at = ((outer * lines.n_out + k) * lines.n_inner + inner) * lines.out_width;
                let (re, im) = sum(&points, &roots, k);
                y[at] = re * op.scale(lines.n);
                if lines.out_width == 2 {
                    y[at + 1] = im * op.scale(lines.n);
                }
            }
        }
    }
    HostBuffer::from_values(out.dtype, y.into_iter().map(Value::num))
}

/// Point `j` of all `n`: what is not given is the conjugate of what is.
fn point(op: &Fft, n: usize, j: usize, item: &impl Fn(usize) -> (f64, f64)) -> (f64, f64) {
    match op.form {
        Form::RealInverse(_) if (2 * j).is_multiple_of(n) => (item(j).0, 0.0),
        Form::RealInverse(_) if j > n / 2 => (item(n - j).0, -item(n - j).1),
        _ => item(j),
    }
}

/// `roots[m]` is sine and cosine of m of n equal parts of a turn.
fn sum(points: &[(f64, f64)], roots: &[(f64, f64)], k: usize) -> (f64, f64) {
    let (mut sum_re, mut sum_im) = (0.0, 0.0);
    for (j, (re, im)) in points.iter().enumerate() {
        let (sin, cos) = roots[j * k % points.len()];
        sum_re += re * cos - im * sin;
        sum_im += re * sin + im * cos;
    }
    (sum_re, sum_im)
}
