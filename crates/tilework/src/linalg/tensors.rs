//! Products of many matrices, and systems of equations whose unknowns have several axes.

use super::{inv, solve};
use crate::array::Array;
use crate::device::Device;
use tilework_core::{Error, Result};

/// The matrix product of all of `arrays` in the order that takes the fewest multiplications. The first and the last may be vectors.
pub fn multi_dot(device: &Device, arrays: &[&Array]) -> Array {
    match chain(arrays) {
        Ok(array) => array,
        Err(error) => Array::new(device, Err(error)),
    }
}

fn chain(arrays: &[&Array]) -> Result<Array> {
    arrays.iter().try_for_each(|array| array.check())?;
    let (Some(first), Some(last)) = (arrays.first(), arrays.last()) else {
        return Err(Error::argument("multi_dot", "needs at least two arrays"));
    };
    if arrays.len() < 2 {
        return Err(Error::argument("multi_dot", "needs at least two arrays"));
    }
    let n = arrays.len();
    let is_vector = |at: usize| (at == 0 || at == n - 1) && arrays[at].ndim() == 1;
    let fits = |at: usize| is_vector(at) || arrays[at].ndim() == 2;
    if let Some(at) = (0..n).find(|&at| !fits(at)) {
        let message = format!("array {at} of {n} has shape {:?}, which is no matrix", arrays[at].shape());
        return Err(Error::shape("multi_dot", message));
    }
    let mut matrices: Vec<Array> = arrays.iter().map(|&array| array.clone()).collect();
    if is_vector(0) {
        matrices[0] = first.expand_dims(0);
    }
    if is_vector(n - 1) {
        matrices[n - 1] = last.expand_dims(1);
    }
    for pair in matrices.windows(2) {
        if pair[0].shape()[1] != pair[1].shape()[0] {
            let message = format!("inner sizes differ: {:?} · {:?}", pair[0].shape(), pair[1].shape());
            return Err(Error::shape("multi_dot", message));
        }
    }
    let splits = best_splits(&matrices);
    let mut result = multiplied(&matrices, &splits, 0, n - 1);
    if is_vector(n - 1) {
        result = result.squeeze([1]);
    }
    Ok(if is_vector(0) { result.squeeze([0]) } else { result })
}

/// For every range of matrices `i..=j`, after which one to cut it in two so that fewest numbers are multiplied.
fn best_splits(matrices: &[Array]) -> Vec<Vec<usize>> {
    let n = matrices.len();
    let size = |at: usize| (if at == n { matrices[n - 1].shape()[1] } else { matrices[at].shape()[0] }) as f64;
    let mut costs = vec![vec![0.0f64; n]; n];
    let mut splits = vec![vec![0; n]; n];
    for len in 1..n {
        for i in 0..n - len {
            let j = i + len;
            costs[i][j] = f64::INFINITY;
            for cut in i..j {
                let cost = costs[i][cut] + costs[cut + 1][j] + size(i) * size(cut + 1) * size(j + 1);
                if cost < costs[i][j] {
                    (costs[i][j], splits[i][j]) = (cost, cut);
                }
            }
        }
    }
    splits
}

fn multiplied(matrices: &[Array], splits: &[Vec<usize>], i: usize, j: usize) -> Array {
    if i == j {
        return matrices[i].clone();
    }
    let cut = splits[i][j];
    multiplied(matrices, splits, i, cut).matmul(&multiplied(matrices, splits, cut + 1, j))
}

/// The `x` with `tensordot(a, x) = b`, summed over all axes of `x`. Axes of `a` that `axes` names are moved to its end first.
pub fn tensorsolve(a: &Array, b: &Array, axes: impl AsRef<[isize]>) -> Array {
    let sizes = a.points("tensorsolve").and_then(|shape| {
        b.check()?;
        let moved = axes.as_ref().iter().map(|&axis| shape.axis("tensorsolve", axis)).collect::<Result<Vec<_>>>()?;
        let order: Vec<usize> =
            (0..a.ndim()).filter(|axis| !moved.contains(axis)).chain(moved.iter().copied()).collect();
        let unknowns: Vec<usize> = order.iter().skip(b.ndim()).map(|&axis| a.shape()[axis]).collect();
        let n = unknowns.iter().product::<usize>();
        if order.len() != a.ndim() || n != b.size() || n.checked_mul(n) != Some(a.size()) {
            let message = format!("{:?} is no square system for a right hand side {:?}", a.shape(), b.shape());
            return Err(Error::shape("tensorsolve", message));
        }
        Ok((order, unknowns, n))
    });
    match sizes {
        Err(error) => Array::new(a.device(), Err(error)),
        Ok((order, unknowns, n)) => {
            let order: Vec<isize> = order.into_iter().map(|axis| axis as isize).collect();
            solve(&a.permute(order).reshape([n, n]), &b.flatten()).reshape(unknowns)
        }
    }
}

/// The inverse for `tensordot`: the first `n_axes` axes of `a` are one side of a square matrix, the others the other side, and they
/// change places.
pub fn tensorinv(a: &Array, n_axes: usize) -> Array {
    if let Err(error) = a.check() {
        return Array::new(a.device(), Err(error));
    }
    let (left, right) = a.shape().split_at(n_axes.min(a.ndim()));
    let n = left.iter().product::<usize>();
    if n_axes == 0 || n != right.iter().product::<usize>() {
        let message = format!("{:?} is not square if cut after {n_axes} axes", a.shape());
        return Array::new(a.device(), Err(Error::shape("tensorinv", message)));
    }
    inv(&a.reshape([n, n])).reshape([right, left].concat())
}
