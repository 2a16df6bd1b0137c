//! Products on the CPU.
//!
//! f32 on x86-64 with AVX2 or AVX-512 goes through our own blocks and tiles (`packed`, `avx2`, `avx512`), and so does f32 in WASM with a portable
//! tile; natively, what is too small to be worth packing, f64 and other instruction sets go through the `gemm` crate.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(any(test, target_arch = "x86_64", target_arch = "wasm32"))]
pub(crate) mod packed;
pub(crate) mod scratch;
pub(crate) mod tile;

use super::{Operand, Sizes};
use crate::cpu::CpuCx;
use crate::threads::Threads;
use tilework_core::host::HostBuffer;
use tilework_core::{Error, Result};
use tilework_vm::Float;

pub(super) fn matmul(cx: &CpuCx<'_>, out: &mut HostBuffer) -> Result<()> {
    match out {
        HostBuffer::F32(out) => matmul_as(cx, out),
        HostBuffer::F64(out) if crate::cpu::HAS_DOUBLE => matmul_as(cx, out),
        _ => Err(Error::dtype("matmul", "needs two arrays of one float type")),
    }
}

fn matmul_as<F: Gemm>(cx: &CpuCx<'_>, out: &mut [F]) -> Result<()> {
    let (Some(a), Some(b)) = (cx.inputs[0].wide::<F>(cx.threads), cx.inputs[1].wide::<F>(cx.threads)) else {
        return Err(Error::argument("matmul", "operands must be plain reads of one float type"));
    };
    let sizes = Sizes::of(&a.layout.shape, &b.layout.shape)?;
    let (left, right) = (sizes.operand(&a.layout), sizes.operand(&b.layout));
    multiply(cx, &sizes, (&a.data, &left), (&b.data, &right), out);
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
            F::gemm(cx.threads, [sizes.m, sizes.k, sizes.n], &a, &b, out);
        }
    }
}

/// `out = a · rowsᵀ` for `[m, k, n]`: the products of all rows of `a` with all of `rows`, both of `k` elements.
pub(crate) fn product_with_rows(threads: Threads, sizes: [usize; 3], a: &[f32], rows: &[f32], out: &mut [f32]) {
    let [m, k, n] = sizes;
    if m * n == 0 {
        return;
    }
    if k == 0 {
        return out.fill(0.0);
    }
    let a = Matrix { data: a, start: 0, row_stride: k as isize, col_stride: 1 };
    let rows = Matrix { data: rows, start: 0, row_stride: 1, col_stride: k as isize };
    f32::gemm(threads, sizes, &a, &rows, out);
}

/// A strided matrix.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a, F> {
    data: &'a [F],
    start: usize,
    row_stride: isize,
    col_stride: isize,
}

#[cfg(any(test, target_arch = "x86_64", target_arch = "wasm32"))]
impl<F: Float> Matrix<'_, F> {
    /// Its rows from `row` on, beginning at column `depth`, as the left operand is packed.
    fn strips_of_rows(&self, row: usize, depth: usize) -> tile::Strips<'_, F> {
        tile::Strips {
            data: self.data,
            start: self.position(row, depth),
            line_stride: self.row_stride,
            depth_stride: self.col_stride,
        }
    }

    /// Its columns from `col` on, beginning at row `depth`, as the right operand is packed.
    fn strips_of_columns(&self, depth: usize, col: usize) -> tile::Strips<'_, F> {
        tile::Strips {
            data: self.data,
            start: self.position(depth, col),
            line_stride: self.col_stride,
            depth_stride: self.row_stride,
        }
    }

    fn position(&self, row: usize, col: usize) -> isize {
        self.start as isize + row as isize * self.row_stride + col as isize * self.col_stride
    }
}

/// A float type with a matrix product.
trait Gemm: Float {
    /// `out = a · b` for `[m, k, n]`, all non-zero; `out` is row-major.
    fn gemm(threads: Threads, sizes: [usize; 3], a: &Matrix<'_, Self>, b: &Matrix<'_, Self>, out: &mut [Self]);
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::{Gemm, Matrix, Threads};
    use gemm_common::Parallelism;

    /// Products smaller than this many multiply-adds are not worth waking the `gemm` crate's threads for.
    const MIN_PARALLEL_WORK: usize = 1 << 22;

    macro_rules! native_gemm {
        ($float:ident, $function:path, $packed:expr) => {
            impl Gemm for $float {
                fn gemm(
                    threads: Threads,
                    [m, k, n]: [usize; 3],
                    a: &Matrix<'_, Self>,
                    b: &Matrix<'_, Self>,
                    out: &mut [Self],
                ) {
                    if is_worth_packing([m, k, n]) && $packed(threads, [m, k, n], a, b, out) {
                        return;
                    }
                    let (mut row, mut column) = (Vec::new(), Vec::new());
                    let a = &if m == 1 { a.as_row(k, &mut row) } else { *a };
                    let b = &if n == 1 { b.as_column(k, &mut column) } else { *b };
                    let parallelism = if threads.count() > 1 && m * k * n >= MIN_PARALLEL_WORK {
                        Parallelism::Rayon(threads.count())
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
    native_gemm!(f32, gemm_f32::gemm::f32::get_gemm_fn, packed_f32);
    native_gemm!(f64, gemm_f64::gemm::f64::get_gemm_fn, |_, _, _: &Matrix<'_, f64>, _, _: &mut [f64]| false);

    /// Packing reads and writes every operand once more, which must be little next to the arithmetic.
    fn is_worth_packing([m, k, n]: [usize; 3]) -> bool {
        m.min(k).min(n) >= 32 && m * k * n >= 1 << 20
    }

    /// The product by our own kernel, if this machine has one; else false.
    #[cfg(target_arch = "x86_64")]
    fn packed_f32(
        threads: Threads,
        sizes: [usize; 3],
        a: &Matrix<'_, f32>,
        b: &Matrix<'_, f32>,
        out: &mut [f32],
    ) -> bool {
        use super::avx512::Shape;
        if let Some(shape) = Shape::detect(sizes[0], sizes[2]) {
            match shape {
                Shape::Square(tile) => super::packed::gemm(tile, threads, sizes, a, b, out),
                Shape::Flat(tile) => super::packed::gemm(tile, threads, sizes, a, b, out),
            }
        } else if let Some(tile) = super::avx2::Avx2::detect() {
            super::packed::gemm(tile, threads, sizes, a, b, out);
        } else {
            return false;
        }
        true
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn packed_f32(_: Threads, _: [usize; 3], _: &Matrix<'_, f32>, _: &Matrix<'_, f32>, _: &mut [f32]) -> bool {
        false
    }

    /// The `gemm` crate sums a vector that lies in memory without gaps in another order than one that does not. Ours is copied if it has
    /// gaps, so that a result does not depend on where a vector lies.
    impl<'a, F: Copy> Matrix<'a, F> {
        fn as_row(&self, k: usize, copy: &'a mut Vec<F>) -> Matrix<'a, F> {
            let (data, start) = self.without_gaps(k, self.col_stride, copy);
            Matrix { data, start, row_stride: k as isize, col_stride: 1 }
        }

        fn as_column(&self, k: usize, copy: &'a mut Vec<F>) -> Matrix<'a, F> {
            let (data, start) = self.without_gaps(k, self.row_stride, copy);
            Matrix { data, start, row_stride: 1, col_stride: 1 }
        }

        fn without_gaps(&self, k: usize, stride: isize, copy: &'a mut Vec<F>) -> (&'a [F], usize) {
            if stride == 1 {
                return (self.data, self.start);
            }
            let at = |i: usize| self.data[(self.start as isize + i as isize * stride) as usize];
            copy.extend((0..k).map(at));
            (copy, 0)
        }
    }

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

#[cfg(target_arch = "wasm32")]
impl Gemm for f32 {
    fn gemm(threads: Threads, sizes: [usize; 3], a: &Matrix<'_, Self>, b: &Matrix<'_, Self>, out: &mut [Self]) {
        packed::gemm(tile::Portable, threads, sizes, a, b, out);
    }
}

/// Double precision is rare in browsers, and every visitor would download a second kernel.
#[cfg(target_arch = "wasm32")]
impl Gemm for f64 {
    fn gemm(_: Threads, sizes: [usize; 3], a: &Matrix<'_, Self>, b: &Matrix<'_, Self>, out: &mut [Self]) {
        row_by_row(sizes, a, b, out);
    }
}

/// Adds multiples of the rows of `b` to each row of the result.
#[cfg(any(test, target_arch = "wasm32"))]
fn row_by_row([m, k, n]: [usize; 3], a: &Matrix<'_, f64>, b: &Matrix<'_, f64>, out: &mut [f64]) {
    let at = |matrix: &Matrix<'_, f64>, row, col| matrix.data[matrix.position(row, col) as usize];
    for (row, out) in out.chunks_exact_mut(n).take(m).enumerate() {
        out.fill(0.0);
        for depth in 0..k {
            let factor = at(a, row, depth);
            for (col, out) in out.iter_mut().enumerate() {
                *out += factor * at(b, depth, col);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference([m, k, n]: [usize; 3], a: &Matrix<'_, f32>, b: &Matrix<'_, f32>) -> Vec<f64> {
        let at = |matrix: &Matrix<'_, f32>, row, col| f64::from(matrix.data[matrix.position(row, col) as usize]);
        let cell = |row, col| (0..k).map(|depth| at(a, row, depth) * at(b, depth, col)).sum();
        (0..m * n).map(|i| cell(i / n, i % n)).collect()
    }

    fn largest_difference(got: &[f32], want: &[f64]) -> f64 {
        got.iter().zip(want).map(|(&x, y)| (f64::from(x) - y).abs()).fold(0.0, f64::max)
    }

    /// A matrix of the given size inside `data`, in one of the orders that strides allow.
    fn matrix(data: &[f32], n_rows: usize, n_cols: usize, order: usize) -> Matrix<'_, f32> {
        let (rows, cols) = (n_rows as isize, n_cols as isize);
        let (start, row_stride, col_stride) = match order {
            0 => (0, cols, 1),
            1 => (0, 1, rows),
            // Upside down, and every second column of a matrix twice as wide.
            2 => ((n_rows - 1) * n_cols, -cols, 1),
            _ => (0, 2 * cols, 2),
        };
        Matrix { data, start, row_stride, col_stride }
    }

    #[test]
    fn every_tile_in_every_order_is_the_product() {
        let sizes =
            [[1, 1, 1], [5, 7, 3], [6, 4, 16], [12, 33, 37], [25, 40, 67], [61, 385, 50], [64, 800, 35], [7, 5, 4100]];
        for [m, k, n] in sizes {
            let a: Vec<f32> = (0..2 * m * k).map(|i| (i as f32 * 0.37).sin()).collect();
            let b: Vec<f32> = (0..2 * k * n).map(|i| (i as f32 * 0.73).cos()).collect();
            for (a_order, b_order) in [(0, 0), (1, 1), (2, 3), (3, 2), (0, 1), (1, 0)] {
                let (a, b) = (matrix(&a, m, k, a_order), matrix(&b, k, n, b_order));
                let want = reference([m, k, n], &a, &b);
                let mut out = vec![f32::NAN; m * n];
                packed::gemm(tile::Portable, Threads::all(), [m, k, n], &a, &b, &mut out);
                assert!(largest_difference(&out, &want) < 1e-4, "portable {m} {k} {n} {a_order} {b_order}");
                #[cfg(target_arch = "x86_64")]
                if let Some(tile) = avx2::Avx2::detect() {
                    out.fill(f32::NAN);
                    packed::gemm(tile, Threads::all(), [m, k, n], &a, &b, &mut out);
                    assert!(largest_difference(&out, &want) < 1e-4, "avx2 {m} {k} {n} {a_order} {b_order}");
                }
                #[cfg(target_arch = "x86_64")]
                if let Some((square, flat)) = avx512::all() {
                    let mut wider = vec![f32::NAN; m * n];
                    packed::gemm(square, Threads::all(), [m, k, n], &a, &b, &mut wider);
                    assert_eq!(wider, out, "avx512, square {m} {k} {n} {a_order} {b_order}");
                    wider.fill(f32::NAN);
                    packed::gemm(flat, Threads::all(), [m, k, n], &a, &b, &mut wider);
                    assert_eq!(wider, out, "avx512, flat {m} {k} {n} {a_order} {b_order}");
                }
                out.fill(f32::NAN);
                f32::gemm(Threads::all(), [m, k, n], &a, &b, &mut out);
                assert!(largest_difference(&out, &want) < 1e-4, "chosen {m} {k} {n} {a_order} {b_order}");
            }
        }
    }

    #[test]
    fn gaps_between_elements_change_no_bit() {
        for [m, k, n] in [[1, 65, 9], [9, 65, 1], [1, 40, 1], [5, 33, 4], [40, 64, 48], [64, 300, 70]] {
            let a: Vec<f32> = (0..m * k).map(|i| (i as f32 * 0.37).sin()).collect();
            let b: Vec<f32> = (0..k * n).map(|i| (i as f32 * 0.73).cos()).collect();
            // Each in rows of a page that is wider than it.
            let spread = |data: &[f32], n_cols: usize| {
                let mut page = vec![f32::NAN; data.len() / n_cols * (n_cols + 7)];
                for (i, x) in data.iter().enumerate() {
                    page[i / n_cols * (n_cols + 7) + i % n_cols + 3] = *x;
                }
                page
            };
            let mut want = vec![f32::NAN; m * n];
            f32::gemm(Threads::one(), [m, k, n], &matrix(&a, m, k, 0), &matrix(&b, k, n, 0), &mut want);
            let (a, b) = (spread(&a, k), spread(&b, n));
            let in_page =
                |data, n_cols: usize| Matrix { data, start: 3, row_stride: n_cols as isize + 7, col_stride: 1 };
            let mut got = vec![f32::NAN; m * n];
            f32::gemm(Threads::one(), [m, k, n], &in_page(&a[..], k), &in_page(&b[..], n), &mut got);
            assert_eq!(got, want, "{m} {k} {n}");
        }
    }

    #[test]
    fn doubles_row_by_row_agree_with_the_native_product() {
        let [m, k, n] = [5, 7, 3];
        let data: Vec<f64> = (0..m * k).map(|i| (i as f64 * 0.37).sin()).collect();
        // The left operand is read transposed and upside down, as strides allow.
        let a = Matrix { data: &data, start: m - 1, row_stride: -1, col_stride: m as isize };
        let b = Matrix { data: &data, start: 0, row_stride: n as isize, col_stride: 1 };
        let (mut native, mut plain) = (vec![0.0; m * n], vec![f64::NAN; m * n]);
        f64::gemm(Threads::one(), [m, k, n], &a, &b, &mut native);
        row_by_row([m, k, n], &a, &b, &mut plain);
        assert!(native.iter().zip(&plain).all(|(x, y)| (x - y).abs() < 1e-12));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let Some(tile) = avx2::Avx2::detect() else { return };
        let [m, k, n] = [133, 500, 70];
        let data: Vec<f32> = (0..k * m.max(n)).map(|i| (i as f32 * 0.61).sin()).collect();
        let (a, b) = (matrix(&data, m, k, 0), matrix(&data, k, n, 0));
        let (mut one, mut all) = (vec![0.0; m * n], vec![0.0; m * n]);
        packed::gemm(tile, Threads::one(), [m, k, n], &a, &b, &mut one);
        packed::gemm(tile, Threads::all(), [m, k, n], &a, &b, &mut all);
        assert_eq!(one, all);
    }
}
