//! Products other than that of two matrices, powers and traces.

use super::{inv, last_two};
use crate::array::Array;
use tilework_core::{Error, Result};

fn checked(a: &Array, check: Result<()>) -> Array {
    match a.check().and(check) {
        Ok(()) => a.clone(),
        Err(error) => Array::new(a.device(), Err(error)),
    }
}

fn square(op: &'static str, a: &Array) -> Array {
    let (m, n) = last_two(a);
    let message = || format!("needs square matrices in the last two axes, got {:?}", a.shape());
    checked(a, if a.ndim() >= 2 && m == n { Ok(()) } else { Err(Error::shape(op, message())) })
}

/// Which diagonal [`trace_of`] sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagonals {
    /// How many columns to the right of the main diagonal; negative is below it.
    pub offset: isize,
    /// The axes of rows and of columns.
    pub axes: [isize; 2],
}

impl Default for Diagonals {
    fn default() -> Diagonals {
        Diagonals { offset: 0, axes: [-2, -1] }
    }
}

/// The sum of the diagonal of the matrices in the last two axes (`numpy.linalg.trace`).
pub fn trace(a: &Array) -> Array {
    trace_of(a, Diagonals::default())
}

/// The sum of any diagonal of the matrices in any two axes.
pub fn trace_of(a: &Array, diagonals: Diagonals) -> Array {
    let [rows, columns] = diagonals.axes;
    let sizes = a.points("trace").and_then(|shape| {
        if shape.rank() < 2 {
            let message = format!("needs matrices in the last two axes, got {shape}");
            return Err(Error::shape("trace", message));
        }
        let (rows, columns) = (shape.axis("trace", rows)?, shape.axis("trace", columns)?);
        if rows == columns {
            return Err(Error::shape("trace", format!("rows and columns are both axis {rows} of {shape}")));
        }
        Ok((rows, columns))
    });
    let (rows, columns) = match sizes {
        Ok(axes) => axes,
        Err(error) => return checked(a, Err(error)),
    };
    let index = |axis: usize| {
        let mut sizes = vec![1; a.ndim()];
        sizes[axis] = a.shape()[axis];
        a.device().arange(a.shape()[axis]).reshape(sizes)
    };
    // Offsets beyond every matrix leave nothing to sum.
    let offset = diagonals.offset.clamp(-(1 << 30), 1 << 30) as i32;
    let is_diagonal = (index(rows) + offset).eq(index(columns));
    is_diagonal.select(a, a.full_like(0.0)).sum([rows as isize, columns as isize])
}

/// All products of an element of `a` with one of `b`: `[size of a, size of b]`.
pub fn outer(a: &Array, b: &Array) -> Array {
    a.flatten().expand_dims(-1) * b.flatten().expand_dims(0)
}

/// Every element of `a` times all of `b`: sizes of axes multiply. The one with fewer axes gets more in front.
pub fn kron(a: &Array, b: &Array) -> Array {
    let rank = a.ndim().max(b.ndim());
    let sizes = |x: &Array| [vec![1; rank - x.ndim()], x.shape().to_vec()].concat();
    let (a_sizes, b_sizes) = (sizes(a), sizes(b));
    let spread = |sizes: &[usize], at: usize| {
        sizes.iter().flat_map(|&n| if at == 0 { [n, 1] } else { [1, n] }).collect::<Vec<usize>>()
    };
    let product = a.reshape(spread(&a_sizes, 0)) * b.reshape(spread(&b_sizes, 1));
    product.reshape(a_sizes.iter().zip(&b_sizes).map(|(a, b)| a * b).collect::<Vec<usize>>())
}

/// The vector product of vectors of three elements in the last axis; the axes before it broadcast.
pub fn cross(a: &Array, b: &Array) -> Array {
    cross_along(a, b, -1)
}

/// The vector product of vectors of three elements along `axis` of both, which is that of the result too; other axes broadcast.
pub fn cross_along(a: &Array, b: &Array, axis: isize) -> Array {
    let size = |x: &Array| x.points("cross").and_then(|shape| Ok(shape[shape.axis("cross", axis)?]));
    let fits = size(a).and_then(|n| Ok(n == 3 && size(b)? == 3)).and_then(|fits| {
        let message = || format!("needs 3 elements along axis {axis}, got {:?} and {:?}", a.shape(), b.shape());
        if fits { Ok(()) } else { Err(Error::shape("cross", message())) }
    });
    if fits.is_err() {
        return checked(a, fits);
    }
    let part = |x: &Array, k: isize| x.index(axis, k);
    let component = |k: isize| {
        let (next, after) = ((k + 1) % 3, (k + 2) % 3);
        part(a, next) * part(b, after) - part(a, after) * part(b, next)
    };
    let parts = [component(0), component(1), component(2)];
    let at = if axis < 0 { axis } else { axis + a.ndim().max(b.ndim()) as isize - a.ndim() as isize };
    a.device().stack(&parts.iter().collect::<Vec<_>>(), at)
}

/// The sum of products over `a_axes` of `a` and the axes at the same place of `b_axes`; the others follow, those of `a` first.
pub fn tensordot(a: &Array, b: &Array, a_axes: impl AsRef<[isize]>, b_axes: impl AsRef<[isize]>) -> Array {
    match summed_axes(a, b, a_axes.as_ref(), b_axes.as_ref()) {
        Ok([a_axes, b_axes]) => {
            let kept =
                |x: &Array, axes: &[usize]| (0..x.ndim()).filter(|axis| !axes.contains(axis)).collect::<Vec<_>>();
            let (a_kept, b_kept) = (kept(a, &a_axes), kept(b, &b_axes));
            let size = |x: &Array, axes: &[usize]| axes.iter().map(|&axis| x.shape()[axis]).product::<usize>();
            let order = |axes: [&[usize]; 2]| axes.concat().iter().map(|&axis| axis as isize).collect::<Vec<_>>();
            let left = a.permute(order([&a_kept, &a_axes])).reshape([size(a, &a_kept), size(a, &a_axes)]);
            let right = b.permute(order([&b_axes, &b_kept])).reshape([size(b, &b_axes), size(b, &b_kept)]);
            let sizes = a_kept.iter().map(|&k| a.shape()[k]).chain(b_kept.iter().map(|&k| b.shape()[k]));
            left.matmul(&right).reshape(sizes.collect::<Vec<usize>>())
        }
        Err(error) => checked(a, Err(error)),
    }
}

/// The axes of both sides, counted from the start, each once and of equal sizes.
fn summed_axes(a: &Array, b: &Array, a_axes: &[isize], b_axes: &[isize]) -> Result<[Vec<usize>; 2]> {
    let resolve = |x: &Array, axes: &[isize]| -> Result<Vec<usize>> {
        let shape = x.points("tensordot")?;
        let resolved = axes.iter().map(|&axis| shape.axis("tensordot", axis)).collect::<Result<Vec<_>>>()?;
        let is_repeated = resolved.iter().enumerate().any(|(k, axis)| resolved[..k].contains(axis));
        if is_repeated { Err(Error::shape("tensordot", format!("{axes:?} names an axis twice"))) } else { Ok(resolved) }
    };
    let (left, right) = (resolve(a, a_axes)?, resolve(b, b_axes)?);
    let fits = left.len() == right.len() && left.iter().zip(&right).all(|(&i, &j)| a.shape()[i] == b.shape()[j]);
    if !fits {
        let message = format!("axes {a_axes:?} of {:?} do not fit axes {b_axes:?} of {:?}", a.shape(), b.shape());
        return Err(Error::shape("tensordot", message));
    }
    Ok([left, right])
}

/// The matrix product of `n` copies; of `−n` copies of the inverse if `n` is negative, and the identity if it is 0.
pub fn matrix_power(a: &Array, n: i32) -> Array {
    let a = square("matrix_power", a);
    let mut base = if n < 0 { inv(&a) } else { a.clone() };
    let mut rest = n.unsigned_abs();
    if rest == 0 {
        let eye = a.device().eye(last_two(&a).1).cast(a.dtype());
        return checked(&a, a.check()).full_like(0.0) + eye;
    }
    // Squares for the binary digits of n, multiplied where the digit is 1.
    let mut power: Option<Array> = None;
    loop {
        if rest % 2 == 1 {
            power = Some(power.map_or_else(|| base.clone(), |power| power.matmul(&base)));
        }
        rest /= 2;
        match (rest, &power) {
            (0, Some(power)) => return power.clone(),
            _ => base = base.matmul(&base),
        }
    }
}
