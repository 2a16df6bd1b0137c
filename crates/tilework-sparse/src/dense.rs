//! The dense work inside a front: column-major panels, plain loops that compile to vector instructions.
//!
//! Everything rests on one kernel, `C −= A·Bᵀ` for a block of 8 × 4 numbers of `C`, whose sums stay in registers.

use tilework_vm::{Level, level, vectorized};

/// Rows of the register block.
const MR: usize = 8;
/// Columns of the register block.
const NR: usize = 4;
/// Columns of a panel that are factorized before the rest of it is updated.
const PANEL: usize = 16;

/// A matrix stored by columns, `stride` apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) n_rows: usize,
    pub(crate) n_cols: usize,
    pub(crate) stride: usize,
}

/// Factorizes the dense symmetric matrix `a` (`n × n`, its lower triangle by columns) in place; `Err` has the column at which it turned
/// out not to be positive definite.
pub fn cholesky(a: &mut [f64], n: usize) -> Result<(), usize> {
    factorize_columns(a, Shape { n_rows: n, n_cols: n, stride: n })
}

/// Solves `L·Lᵀ·x = b` in place for a factor made by [`cholesky`].
pub fn solve(factor: &[f64], n: usize, x: &mut [f64]) {
    forward(factor, Shape { n_rows: n, n_cols: n, stride: n }, x, &mut []);
    backward(factor, Shape { n_rows: n, n_cols: n, stride: n }, x, &[]);
}

/// Factorizes the first columns of a front: the triangle on top by Cholesky, the rows below by substitution.
pub(crate) fn factorize_columns(a: &mut [f64], shape: Shape) -> Result<(), usize> {
    // Fused multiply-adds exist at the higher level only; elsewhere they would be calls.
    match level() {
        Level::Avx2 | Level::Avx512 => vectorized(
            #[inline(always)]
            || factorize::<true>(a, shape),
        ),
        Level::Baseline => factorize::<false>(a, shape),
    }
}

/// `c −= p·pᵀ` for the lower triangle of `c` (`n × n`, by columns), where `p` has `n` rows, `n_inner` columns and a stride.
pub(crate) fn subtract_square(c: &mut [f64], n: usize, p: &[f64], n_inner: usize, stride: usize) {
    let shape = Shape { n_rows: n, n_cols: n, stride: n };
    match level() {
        Level::Avx2 | Level::Avx512 => vectorized(
            #[inline(always)]
            || subtract::<true>(c, shape, (p, p), n_inner, stride),
        ),
        Level::Baseline => subtract::<false>(c, shape, (p, p), n_inner, stride),
    }
}

#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// `c −= a·bᵀ` on and below the diagonal (what is above it within a register block changes, too); row `i` of `a` belongs to row `i`
/// of `c`, row `j` of `b` to column `j`.
#[inline(always)]
fn subtract<const FUSED: bool>(c: &mut [f64], shape: Shape, (a, b): (&[f64], &[f64]), n_inner: usize, stride: usize) {
    let mut col = 0;
    while col < shape.n_cols {
        let n_cols = NR.min(shape.n_cols - col);
        let mut row = col;
        while row < shape.n_rows {
            let n_rows = MR.min(shape.n_rows - row);
            let to = &mut c[col * shape.stride + row..];
            if n_rows == MR && n_cols == NR {
                full_block::<FUSED>(to, shape.stride, &a[row..], &b[col..], n_inner, stride);
            } else {
                part_block::<FUSED>(to, shape.stride, (&a[row..], &b[col..]), n_inner, stride, (n_rows, n_cols));
            }
            row += n_rows;
        }
        col += n_cols;
    }
}

/// `to −= P·f`, where `P` is rows `from..` of a panel and `f` its row `factors`.
#[inline(always)]
pub(crate) fn subtract_columns(
    to: &mut [f64],
    panel: &[f64],
    stride: usize,
    n_cols: usize,
    from: usize,
    factors: usize,
) {
    let len = to.len();
    let column = |k: usize| (&panel[k * stride + from..][..len], panel[k * stride + factors]);
    let mut k = 0;
    while k + 3 <= n_cols {
        let ((a, fa), (b, fb), (c, fc)) = (column(k), column(k + 1), column(k + 2));
        for i in 0..to.len() {
            to[i] -= a[i] * fa + b[i] * fb + c[i] * fc;
        }
        k += 3;
    }
    while k < n_cols {
        let (a, factor) = column(k);
        for i in 0..to.len() {
            to[i] -= a[i] * factor;
        }
        k += 1;
    }
}

/// A block of `MR × NR` numbers.
#[inline(always)]
fn full_block<const FUSED: bool>(c: &mut [f64], c_stride: usize, a: &[f64], b: &[f64], n_inner: usize, stride: usize) {
    let mut sums = [[0.0f64; MR]; NR];
    for k in 0..n_inner {
        let (a, b) = (&a[k * stride..][..MR], &b[k * stride..][..NR]);
        for j in 0..NR {
            for i in 0..MR {
                sums[j][i] = multiply_add::<FUSED>(a[i], b[j], sums[j][i]);
            }
        }
    }
    for j in 0..NR {
        let c = &mut c[j * c_stride..][..MR];
        for i in 0..MR {
            c[i] -= sums[j][i];
        }
    }
}

/// A block at the edge.
#[inline(always)]
fn part_block<const FUSED: bool>(
    c: &mut [f64],
    c_stride: usize,
    (a, b): (&[f64], &[f64]),
    n_inner: usize,
    stride: usize,
    (n_rows, n_cols): (usize, usize),
) {
    for j in 0..n_cols {
        let mut sums = [0.0f64; MR];
        for k in 0..n_inner {
            let b = b[k * stride + j];
            let a = &a[k * stride..][..n_rows];
            for i in 0..n_rows {
                sums[i] = multiply_add::<FUSED>(a[i], b, sums[i]);
            }
        }
        let c = &mut c[j * c_stride..][..n_rows];
        for i in 0..n_rows {
            c[i] -= sums[i];
        }
    }
}

#[inline(always)]
fn factorize<const FUSED: bool>(a: &mut [f64], shape: Shape) -> Result<(), usize> {
    let Shape { n_rows, n_cols, stride } = shape;
    let mut first = 0;
    while first < n_cols {
        let width = PANEL.min(n_cols - first);
        factorize_panel::<FUSED>(a, shape, first, width)?;
        // The columns to the right, less what these columns say of them.
        let next = first + width;
        let (done, rest) = a.split_at_mut(next * stride);
        let panel = &done[first * stride..];
        if next < n_cols {
            let right = Shape { n_rows: n_rows - next, n_cols: n_cols - next, stride };
            let rows = &panel[next..];
            subtract::<FUSED>(&mut rest[next..], right, (rows, rows), width, stride);
        }
        first = next;
    }
    Ok(())
}

/// Columns `first..first + width`, one by one.
#[inline(always)]
fn factorize_panel<const FUSED: bool>(a: &mut [f64], shape: Shape, first: usize, width: usize) -> Result<(), usize> {
    let Shape { n_rows, stride, .. } = shape;
    for col in first..first + width {
        let (left, right) = a.split_at_mut(col * stride);
        let column = &mut right[..n_rows];
        for k in first..col {
            let other = &left[k * stride..][..n_rows];
            let factor = -other[col];
            for (to, from) in column[col..].iter_mut().zip(&other[col..]) {
                *to = multiply_add::<FUSED>(*from, factor, *to);
            }
        }
        let pivot = column[col];
        // NaN is not positive either.
        if pivot.is_nan() || pivot <= 0.0 || pivot == f64::INFINITY {
            return Err(col);
        }
        let scale = 1.0 / pivot.sqrt();
        column[col] = pivot.sqrt();
        column[col + 1..].iter_mut().for_each(|x| *x *= scale);
    }
    Ok(())
}

/// Solves with the triangle on top of a panel, and takes its part out of the rows below.
pub(crate) fn forward(panel: &[f64], shape: Shape, own: &mut [f64], below: &mut [f64]) {
    for col in 0..shape.n_cols {
        let column = &panel[col * shape.stride..][..shape.n_rows];
        let x = own[col] / column[col];
        own[col] = x;
        own[col + 1..].iter_mut().zip(&column[col + 1..]).for_each(|(to, factor)| *to -= factor * x);
        below.iter_mut().zip(&column[shape.n_cols..]).for_each(|(to, factor)| *to -= factor * x);
    }
}

/// Solves with the transpose of a panel, given the rows below.
pub(crate) fn backward(panel: &[f64], shape: Shape, own: &mut [f64], below: &[f64]) {
    for col in (0..shape.n_cols).rev() {
        let column = &panel[col * shape.stride..][..shape.n_rows];
        let inside: f64 = own[col + 1..].iter().zip(&column[col + 1..]).map(|(x, factor)| x * factor).sum();
        let outside: f64 = below.iter().zip(&column[shape.n_cols..]).map(|(x, factor)| x * factor).sum();
        own[col] = (own[col] - inside - outside) / column[col];
    }
}
