//! Products on the CPU: the `gemm` crate natively (cache-blocked, SIMD, threaded), a blocked loop of our own in WASM.

use super::{Operand, Sizes};
use crate::cpu::CpuCx;
use tilework_core::host::HostBuffer;
use tilework_core::vm::{Float, HostSlice};
use tilework_core::{Error, Result};

pub(super) fn matmul(cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    let (Some((a, _, a_layout)), Some((b, _, b_layout))) = (cx.inputs[0].strided(), cx.inputs[1].strided()) else {
        return Err(Error::argument("matmul", "operands must be plain reads"));
    };
    let sizes = Sizes::of(&a_layout.shape, &b_layout.shape)?;
    let (left, right) = (sizes.operand(a_layout), sizes.operand(b_layout));
    match (a, b, out) {
        (HostSlice::F32(a), HostSlice::F32(b), HostBuffer::F32(out)) => {
            multiply(cx, &sizes, (a, &left), (b, &right), out)
        }
        (HostSlice::F64(a), HostSlice::F64(b), HostBuffer::F64(out)) => {
            multiply(cx, &sizes, (a, &left), (b, &right), out)
        }
        _ => return Err(Error::dtype("matmul", "needs two arrays of one float type")),
    }
    Ok(())
}

fn multiply<F: Gemm>(cx: &CpuCx<'_>, sizes: &Sizes, a: (&[F], &Operand), b: (&[F], &Operand), out: &mut [F]) {
    let area = sizes.m * sizes.n;
    if area == 0 {
        return;
    }
    for (batch, out) in out.chunks_mut(area).enumerate() {
        let a = Matrix {
            data: a.0,
            start: a.1.batch.element(batch),
            row_stride: a.1.row_stride,
            col_stride: a.1.col_stride,
        };
        let b = Matrix {
            data: b.0,
            start: b.1.batch.element(batch),
            row_stride: b.1.row_stride,
            col_stride: b.1.col_stride,
        };
        if sizes.k == 0 {
            out.fill(F::from_f64(0.0));
        } else {
            F::gemm(cx.threads.count(), [sizes.m, sizes.k, sizes.n], &a, &b, out);
        }
    }
}

/// A strided matrix.
pub(super) struct Matrix<'a, F> {
    data: &'a [F],
    start: usize,
    row_stride: isize,
    col_stride: isize,
}

impl<F: Float> Matrix<'_, F> {
    #[cfg(any(test, target_arch = "wasm32"))]
    fn at(&self, row: usize, col: usize) -> F {
        self.data[(self.start as isize + row as isize * self.row_stride + col as isize * self.col_stride) as usize]
    }
}

/// A float type with a matrix product.
trait Gemm: Float {
    /// `out = a · b` for `[m, k, n]`, all non-zero; `out` is row-major.
    fn gemm(n_threads: usize, sizes: [usize; 3], a: &Matrix<'_, Self>, b: &Matrix<'_, Self>, out: &mut [Self]);
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::{Gemm, Matrix};
    use gemm_common::Parallelism;

    /// Products smaller than this many multiply-adds are not worth waking threads for.
    const MIN_PARALLEL_WORK: usize = 1 << 17;

    macro_rules! native_gemm {
        ($float:ident, $function:path) => {
            impl Gemm for $float {
                fn gemm(
                    n_threads: usize,
                    [m, k, n]: [usize; 3],
                    a: &Matrix<'_, Self>,
                    b: &Matrix<'_, Self>,
                    out: &mut [Self],
                ) {
                    let parallelism = if n_threads > 1 && m * k * n >= MIN_PARALLEL_WORK {
                        Parallelism::Rayon(n_threads)
                    } else {
                        Parallelism::None
                    };
                    assert!(
                        out.len() >= m * n && a.fits(m, k) && b.fits(k, n),
                        "matmul operands lie inside their buffers"
                    );
                    // The kernels write columns, our results are rows: compute bᵀ·aᵀ, whose columns are our rows.
                    // SAFETY: the assertion above keeps every element the strides reach inside the three slices.
                    unsafe {
                        $function()(
                            n,
                            m,
                            k,
                            out.as_mut_ptr(),
                            n as isize,
                            1,
                            false,
                            b.data.as_ptr().add(b.start),
                            b.row_stride,
                            b.col_stride,
                            a.data.as_ptr().add(a.start),
                            a.row_stride,
                            a.col_stride,
                            0.0,
                            1.0,
                            false,
                            false,
                            false,
                            parallelism,
                        );
                    }
                }
            }
        };
    }
    native_gemm!(f32, gemm_f32::gemm::f32::get_gemm_fn);
    native_gemm!(f64, gemm_f64::gemm::f64::get_gemm_fn);

    impl<F> Matrix<'_, F> {
        /// Whether a matrix of this size lies inside its buffer, whatever the signs of the strides.
        fn fits(&self, n_rows: usize, n_cols: usize) -> bool {
            let reach = |n: usize, stride: isize| (n as isize - 1) * stride;
            let (rows, cols) = (reach(n_rows, self.row_stride), reach(n_cols, self.col_stride));
            let lowest = self.start as isize + rows.min(0) + cols.min(0);
            let highest = self.start as isize + rows.max(0) + cols.max(0);
            lowest >= 0 && highest < self.data.len() as isize
        }
    }
}

#[cfg(any(test, target_arch = "wasm32"))]
mod blocked {
    //! Four rows by sixteen columns at a time over a packed strip of `b`: the accumulators stay in registers and the inner
    //! loop is multiply-adds on vectors.

    use super::Matrix;
    use tilework_core::vm::Float;

    const ROWS: usize = 4;
    const COLS: usize = 16;

    pub(super) fn gemm<F: Float>([m, k, n]: [usize; 3], a: &Matrix<'_, F>, b: &Matrix<'_, F>, out: &mut [F]) {
        let zero = F::from_f64(0.0);
        let mut b_strip = vec![zero; k * COLS];
        let mut a_strip = vec![zero; k * ROWS];
        for first_col in (0..n).step_by(COLS) {
            let n_cols = COLS.min(n - first_col);
            for depth in 0..k {
                for col in 0..COLS {
                    b_strip[depth * COLS + col] = if col < n_cols { b.at(depth, first_col + col) } else { zero };
                }
            }
            for first_row in (0..m).step_by(ROWS) {
                let n_rows = ROWS.min(m - first_row);
                for depth in 0..k {
                    for row in 0..ROWS {
                        a_strip[depth * ROWS + row] = if row < n_rows { a.at(first_row + row, depth) } else { zero };
                    }
                }
                let tile = tile(&a_strip, &b_strip);
                for row in 0..n_rows {
                    let start = (first_row + row) * n + first_col;
                    out[start..start + n_cols].copy_from_slice(&tile[row][..n_cols]);
                }
            }
        }
    }

    #[inline(always)]
    fn tile<F: Float>(a_strip: &[F], b_strip: &[F]) -> [[F; COLS]; ROWS] {
        let mut sums = [[F::from_f64(0.0); COLS]; ROWS];
        for (a, b) in a_strip.chunks_exact(ROWS).zip(b_strip.chunks_exact(COLS)) {
            for row in 0..ROWS {
                for col in 0..COLS {
                    sums[row][col] = sums[row][col].add(a[row].mul(b[col]));
                }
            }
        }
        sums
    }
}

#[cfg(target_arch = "wasm32")]
impl<F: Float> Gemm for F {
    fn gemm(_n_threads: usize, sizes: [usize; 3], a: &Matrix<'_, Self>, b: &Matrix<'_, Self>, out: &mut [Self]) {
        blocked::gemm(sizes, a, b, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_portable_product_agrees_with_the_native_one() {
        for [m, k, n] in [[1, 1, 1], [5, 7, 3], [4, 16, 16], [9, 33, 37]] {
            let a: Vec<f64> = (0..m * k).map(|i| (i as f64 * 0.37).sin()).collect();
            let b: Vec<f64> = (0..k * n).map(|i| (i as f64 * 0.73).cos()).collect();
            // The left operand is read transposed and upside down, as strides allow.
            let a = Matrix { data: &a, start: m - 1, row_stride: -1, col_stride: m as isize };
            let b = Matrix { data: &b, start: 0, row_stride: n as isize, col_stride: 1 };
            let (mut native, mut portable) = (vec![0.0; m * n], vec![0.0; m * n]);
            f64::gemm(1, [m, k, n], &a, &b, &mut native);
            blocked::gemm([m, k, n], &a, &b, &mut portable);
            assert!(native.iter().zip(&portable).all(|(x, y)| (x - y).abs() < 1e-12));
        }
    }
}
