//! Products of small matrices that are already in cache, for kernels that make them and use them up block by block.

use crate::{Level, level, vectorized};

/// Rows of a tile of the result.
pub const TILE_ROWS: usize = 4;

/// Two row-major matrices: `a` with rows of `depth` elements, `b` with `depth` rows.
#[derive(Clone, Copy, Debug)]
pub struct Product<'a, F> {
    /// The left one.
    pub a: &'a [F],
    /// Elements from row to row of it.
    pub a_stride: usize,
    /// The right one.
    pub b: &'a [F],
    /// Elements from row to row of it.
    pub b_stride: usize,
    /// Columns of `a` and rows of `b`.
    pub depth: usize,
}

/// A float type with such products.
pub trait Tiles: Sized {
    /// Columns of a tile of the result: as many as leave their sums in registers.
    const TILE_COLUMNS: usize;

    /// Copies `rows`, each of as many elements as `out` has rows, to the first columns of `out`, which has rows of `stride`.
    fn transpose(rows: [&[Self]; TILE_ROWS], out: &mut [Self], stride: usize);

    /// `out += a·b` for a row-major `out` of whole tiles: its rows are a multiple of [`TILE_ROWS`], and `n_columns` of
    /// [`Tiles::TILE_COLUMNS`].
    fn add_product(product: Product<'_, Self>, out: &mut [Self], n_columns: usize);
}

macro_rules! tiles {
    ($($float:ident $columns:expr;)*) => {
        $(impl Tiles for $float {
            const TILE_COLUMNS: usize = $columns;

            #[inline(never)]
            fn transpose([a, b, c, d]: [&[Self]; TILE_ROWS], out: &mut [Self], stride: usize) {
                let columns = a.iter().zip(b).zip(c).zip(d);
                for ((((&a, &b), &c), &d), out) in columns.zip(out.chunks_mut(stride)) {
                    if let Some(four) = out.first_chunk_mut::<TILE_ROWS>() {
                        *four = [a, b, c, d];
                    }
                }
            }

            #[inline(never)]
            fn add_product(product: Product<'_, Self>, out: &mut [Self], n_columns: usize) {
                if level() >= Level::Avx2 {
                    vectorized(
                        #[inline(always)]
                        || each_tile::<Self, { $columns }>(product, out, n_columns, #[inline(always)] |x, y, sum| x.mul_add(y, sum)),
                    );
                } else {
                    each_tile::<Self, { $columns }>(product, out, n_columns, #[inline(always)] |x, y, sum| sum + x * y);
                }
            }
        })*
    };
}
tiles! {
    f32 if cfg!(target_arch = "wasm32") { 8 } else { 16 };
    f64 if cfg!(target_arch = "wasm32") { 4 } else { 8 };
}

#[inline(always)]
fn each_tile<F: Copy + Default + std::ops::AddAssign, const COLUMNS: usize>(
    product: Product<'_, F>,
    out: &mut [F],
    n_columns: usize,
    multiply_add: impl Fn(F, F, F) -> F,
) {
    let Product { a, a_stride, b, b_stride, depth } = product;
    for (tile, rows) in out.chunks_exact_mut(TILE_ROWS * n_columns).enumerate() {
        let a = &a[tile * TILE_ROWS * a_stride..];
        let lines = [&a[..depth], &a[a_stride..][..depth], &a[2 * a_stride..][..depth], &a[3 * a_stride..][..depth]];
        for column in (0..n_columns).step_by(COLUMNS) {
            let mut sums = [[F::default(); COLUMNS]; TILE_ROWS];
            for k in 0..depth {
                let Some(b) = b[k * b_stride + column..].first_chunk::<COLUMNS>() else { return };
                let x = [lines[0][k], lines[1][k], lines[2][k], lines[3][k]];
                for r in 0..TILE_ROWS {
                    for c in 0..COLUMNS {
                        sums[r][c] = multiply_add(x[r], b[c], sums[r][c]);
                    }
                }
            }
            for r in 0..TILE_ROWS {
                let row = &mut rows[r * n_columns + column..][..COLUMNS];
                row.iter_mut().zip(&sums[r]).for_each(|(out, &sum)| *out += sum);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<F: Tiles + Copy + Default + From<u8> + PartialEq + std::fmt::Debug>() {
        let (n_rows, depth, n_columns) = (2 * TILE_ROWS, 5, 3 * F::TILE_COLUMNS);
        let number = |i: usize| F::from((i % 7) as u8);
        let a: Vec<F> = (0..n_rows * 6).map(number).collect();
        let b: Vec<F> = (0..depth * (n_columns + 1)).map(number).collect();
        let mut out = vec![F::from(1); n_rows * n_columns];
        F::add_product(Product { a: &a, a_stride: 6, b: &b, b_stride: n_columns + 1, depth }, &mut out, n_columns);
        for r in 0..n_rows {
            for c in 0..n_columns {
                let term = |k: usize| ((r * 6 + k) % 7) * ((k * (n_columns + 1) + c) % 7);
                let want = 1 + (0..depth).map(term).sum::<usize>();
                assert_eq!(out[r * n_columns + c], F::from(want as u8), "row {r}, column {c}");
            }
        }
    }

    #[test]
    fn tiles_are_products() {
        check::<f32>();
        check::<f64>();
    }
}
