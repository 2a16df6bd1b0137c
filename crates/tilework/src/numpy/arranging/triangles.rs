//! Triangles and diagonals of matrices.

use super::{axis_of, carried, chosen, small};
use crate::array::{Array, Operand, Range};
use crate::device::Device;
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};

impl Device {
    /// Ones where the column is at most the row plus `k`, zeros above. Square without a number of columns.
    pub fn tri(&self, n_rows: usize, n_cols: Option<usize>, k: isize, dtype: DType) -> Array {
        lower(self, [n_rows, n_cols.unwrap_or(n_rows)], k).cast(dtype)
    }

    /// Rows and columns (int32) of the elements of [`Array::tril`] of an `n_rows` by `n_cols` matrix, in row-major order.
    pub fn tril_indices(&self, n_rows: usize, k: isize, n_cols: Option<usize>) -> Result<[Array; 2]> {
        triangle_indices(self, "tril_indices", [n_rows, n_cols.unwrap_or(n_rows)], k, Triangle::Lower)
    }

    /// Rows and columns (int32) of the elements of [`Array::triu`] of an `n_rows` by `n_cols` matrix, in row-major order.
    pub fn triu_indices(&self, n_rows: usize, k: isize, n_cols: Option<usize>) -> Result<[Array; 2]> {
        triangle_indices(self, "triu_indices", [n_rows, n_cols.unwrap_or(n_rows)], k, Triangle::Upper)
    }
}

impl Array {
    /// Zeros above diagonal `k` of the last two axes. A row stands for a square matrix of it.
    pub fn tril(&self, k: isize) -> Array {
        carried(self.device(), triangle(self, "tril", k, Triangle::Lower))
    }

    /// Zeros below diagonal `k` of the last two axes. A row stands for a square matrix of it.
    pub fn triu(&self, k: isize) -> Array {
        carried(self.device(), triangle(self, "triu", k, Triangle::Upper))
    }

    /// A matrix with this row on diagonal `k`, or diagonal `k` of this matrix.
    pub fn diag(&self, k: isize) -> Array {
        match self.ndim() {
            1 => carried(self.device(), diag(self, k)),
            2 => self.diagonal(k, 0, 1),
            _ => {
                let message = format!("needs a row or a matrix, got {:?}", self.shape());
                carried(self.device(), self.check().and(Err(Error::shape("diag", message))))
            }
        }
    }

    /// A matrix with all elements on diagonal `k`.
    pub fn diagflat(&self, k: isize) -> Array {
        self.flatten().diag(k)
    }

    /// Diagonal `offset` of the matrices in two axes, as the last axis of the result. A view.
    pub fn diagonal(&self, offset: isize, axis1: isize, axis2: isize) -> Array {
        carried(self.device(), diagonal(self, offset, axis1, axis2))
    }

    /// A copy with `values` on the main diagonal, repeated as often as needed. With more than two axes all must have one size.
    ///
    /// The diagonal of a tall matrix ends at its last column; see [`Array::fill_diagonal_wrapped`].
    pub fn fill_diagonal(&self, values: impl Operand) -> Array {
        carried(self.device(), fill_diagonal(self, &values, Tall::Ends))
    }

    /// Like [`Array::fill_diagonal`], starting again below the last column of a tall matrix, with a row between.
    pub fn fill_diagonal_wrapped(&self, values: impl Operand) -> Array {
        carried(self.device(), fill_diagonal(self, &values, Tall::Wraps))
    }

    /// The powers 0 to `n_cols − 1` of the elements of a row, one row each, highest first: as many as elements without a number.
    pub fn vander(&self, n_cols: Option<usize>) -> Array {
        self.vander_increasing(n_cols).flip([-1])
    }

    /// Like [`Array::vander`], lowest power first.
    pub fn vander_increasing(&self, n_cols: Option<usize>) -> Array {
        carried(self.device(), vander(self, n_cols))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Triangle {
    Lower,
    Upper,
}

#[derive(Clone, Copy, PartialEq)]
enum Tall {
    Ends,
    Wraps,
}

/// How many elements of a matrix have a column of at most the row plus `k`.
fn n_below([n_rows, n_cols]: [usize; 2], k: i64) -> usize {
    let n_cols = n_cols as i64;
    // The sum of 1, 2 … n_cols, n_cols … of which there are `n`.
    let up_to = |n: i64| {
        let (rising, flat) = (n.clamp(0, n_cols), (n - n_cols).max(0));
        rising * (rising + 1) / 2 + flat * n_cols
    };
    (up_to(k + n_rows as i64) - up_to(k)) as usize
}

/// Whether the column is at most the row plus `k`.
fn lower(device: &Device, [n_rows, n_cols]: [usize; 2], k: isize) -> Array {
    (device.arange(n_rows).reshape([n_rows, 1]) + small(k)).ge(device.arange(n_cols))
}

fn part(device: &Device, sizes: [usize; 2], k: isize, triangle: Triangle) -> Array {
    match triangle {
        Triangle::Lower => lower(device, sizes, k),
        Triangle::Upper => lower(device, sizes, k - 1).not(),
    }
}

fn triangle(x: &Array, op: &str, k: isize, triangle: Triangle) -> Result<Array> {
    x.check()?;
    let sizes = match *x.shape() {
        [] => return Err(Error::shape(op, "a single number has no triangle")),
        [n] => [n, n],
        [.., n_rows, n_cols] => [n_rows, n_cols],
    };
    Ok(part(x.device(), sizes, k, triangle).select(x, x.full_like(0.0)))
}

fn triangle_indices(device: &Device, op: &str, sizes: [usize; 2], k: isize, triangle: Triangle) -> Result<[Array; 2]> {
    super::expect_countable(op, &sizes)?;
    let [n_rows, n_cols] = sizes;
    let k_bounded = k.clamp(-(1 << 30), 1 << 30) as i64;
    let n_below = |k: i64| n_below([n_rows, n_cols], k);
    let n = match triangle {
        Triangle::Lower => n_below(k_bounded),
        Triangle::Upper => n_rows * n_cols - n_below(k_bounded - 1),
    };
    let places = chosen(&part(device, sizes, k, triangle).flatten(), n);
    let n_cols = small(n_cols.max(1) as isize);
    Ok([places.floor_div(n_cols), places % n_cols])
}

fn diag(x: &Array, k: isize) -> Result<Array> {
    x.check()?;
    let device = x.device();
    let n_off = k.unsigned_abs();
    let n = x.size().saturating_add(n_off);
    let gap = device.full_of([n_off], 0.0, x.dtype());
    gap.check()?;
    let by_row = if k >= 0 { device.concat(&[x, &gap], 0) } else { device.concat(&[&gap, x], 0) };
    let is_on = device.eye_of(n, None, k, DType::Bool);
    Ok(is_on.select(by_row.reshape([n, 1]), device.full_of((), 0.0, x.dtype())))
}

fn diagonal(x: &Array, offset: isize, axis1: isize, axis2: isize) -> Result<Array> {
    x.check()?;
    let sizes = x.shape();
    let (a, b) = (axis_of("diagonal", sizes, axis1)?, axis_of("diagonal", sizes, axis2)?);
    if a == b {
        let message = format!("axes {axis1} and {axis2} of {sizes:?} are one and the same");
        return Err(Error::shape("diagonal", message));
    }
    let (n_rows, n_cols) = (sizes[a], sizes[b]);
    let order: Vec<isize> = (0..sizes.len()).filter(|&k| k != a && k != b).chain([a, b]).map(|k| k as isize).collect();
    let outer: Vec<usize> = order[..order.len() - 2].iter().map(|&k| sizes[k as usize]).collect();
    let (skip_rows, skip_cols) = if offset >= 0 { (0, offset.unsigned_abs()) } else { (offset.unsigned_abs(), 0) };
    let n = n_rows.saturating_sub(skip_rows).min(n_cols.saturating_sub(skip_cols));
    // Row-major positions on a diagonal are a row and a column apart.
    let flat = x.permute(order).reshape([&outer[..], &[n_rows * n_cols]].concat());
    if n == 0 {
        return Ok(flat.slice(-1, 0..0));
    }
    let start = (skip_rows * n_cols + skip_cols) as isize;
    let step = n_cols as isize + 1;
    Ok(flat.slice(-1, Range { start: Some(start), stop: Some(start + (n as isize - 1) * step + 1), step }))
}

fn fill_diagonal(x: &Array, values: &dyn Operand, tall: Tall) -> Result<Array> {
    x.check()?;
    let (device, sizes) = (x.device(), x.shape());
    let is_cube = sizes.windows(2).all(|pair| pair[0] == pair[1]);
    if sizes.len() < 2 || (sizes.len() > 2 && !is_cube) {
        let message = format!("needs a matrix, or more axes of one size, got {sizes:?}");
        return Err(Error::shape("fill_diagonal", message));
    }
    super::expect_countable("fill_diagonal", sizes)?;
    let values = Array::new(device, values.to_node(x.dtype())).cast(x.dtype()).flatten();
    values.check()?;
    if values.size() == 0 || x.size() == 0 {
        return Ok(x.clone());
    }
    let step = (0..sizes.len()).map(|axis| sizes[axis + 1..].iter().product::<usize>()).sum::<usize>();
    let n_cols = sizes[sizes.len() - 1];
    let end = if sizes.len() == 2 && tall == Tall::Ends { n_cols * n_cols } else { x.size() };
    let place = device.arange(x.size()).reshape(sizes);
    let is_on = (&place % small(step as isize)).eq(0).and(place.lt(small(end.min(x.size()) as isize)));
    let number = place.floor_div(small(step as isize)) % small(values.size() as isize);
    Ok(is_on.select(values.take(&number, 0), x))
}

fn vander(x: &Array, n_cols: Option<usize>) -> Result<Array> {
    x.check()?;
    let &[n] = x.shape() else {
        return Err(Error::shape("vander", format!("needs a row, got {:?}", x.shape())));
    };
    let n_cols = n_cols.unwrap_or(n);
    let x = if x.dtype() == DType::Bool { x.cast(DType::I32) } else { x.clone() };
    let ones = x.device().full_of([n, n_cols.min(1)], 1.0, x.dtype());
    let factors = x.reshape([n, 1]).broadcast_to([n, n_cols.saturating_sub(1)]);
    Ok(x.device().concat(&[&ones, &factors], 1).cumprod(1))
}
