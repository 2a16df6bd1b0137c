//! Products of vectors and of arrays with any number of axes.

use super::einsum::contract;
use crate::array::Array;
use tilework_core::Error;

fn refused(a: &Array, op: &str, message: String) -> Array {
    Array::new(a.device(), Err(Error::shape(op, message)))
}

/// Labels `start, start + 1 …` for `n` axes.
fn labels(start: usize, n: usize) -> Vec<u32> {
    (start as u32..(start + n) as u32).collect()
}

impl Array {
    /// The sum of products of the vectors along `axis` of both, which is counted in each; the other axes broadcast. Complex numbers
    /// of `self` are conjugated.
    pub fn vecdot(&self, other: &Array, axis: isize) -> Array {
        let last = |x: &Array| x.points("vecdot").and_then(|shape| Ok((shape.axis("vecdot", axis)?, shape.rank())));
        let ends = last(self).and_then(|a| Ok((a, last(other)?)));
        let ((a_axis, a_rank), (b_axis, b_rank)) = match ends {
            Ok(ends) => ends,
            Err(error) => return Array::new(self.device(), Err(error)),
        };
        if self.shape()[a_axis] != other.shape()[b_axis] {
            let message = format!("sizes along axis {axis} differ: {:?} and {:?}", self.shape(), other.shape());
            return refused(self, "vecdot", message);
        }
        let moved = |x: &Array, axis: usize, rank: usize| {
            let order = (0..rank).filter(|&k| k != axis).chain([axis]).map(|k| k as isize);
            x.permute(order.collect::<Vec<isize>>())
        };
        (moved(&self.conj(), a_axis, a_rank) * moved(other, b_axis, b_rank)).sum([-1])
    }

    /// The sum of products over the last axis of both; with a single number, the product. Axes of `self` come first.
    pub fn inner(&self, other: &Array) -> Array {
        if self.ndim() == 0 || other.ndim() == 0 {
            return self * other;
        }
        if self.shape().last() != other.shape().last() {
            let message = format!("sizes of the last axes differ: {:?} and {:?}", self.shape(), other.shape());
            return refused(self, "inner", message);
        }
        let (n_left, n_right) = (self.ndim() - 1, other.ndim() - 1);
        let (left, right) = (labels(1, n_left), labels(1 + n_left, n_right));
        let with = |labels: &[u32]| [labels, &[0]].concat();
        contract(self, &with(&left), other, &with(&right), &[&left[..], &right[..]].concat())
    }

    /// Matrices in the last two axes times vectors in the last axis; the axes before them broadcast.
    pub fn matvec(&self, vectors: &Array) -> Array {
        match (self.shape(), vectors.shape()) {
            ([.., _, n], [.., k]) if n == k => exact(self, &vectors.expand_dims(-1)).squeeze([-1]),
            (a, b) => self.mismatch(vectors, "matvec", a, b),
        }
    }

    /// Vectors in the last axis times matrices in the last two axes; the axes before them broadcast. Complex vectors are conjugated.
    pub fn vecmat(&self, matrices: &Array) -> Array {
        match (self.shape(), matrices.shape()) {
            ([.., n], [.., k, _]) if n == k => exact(&self.conj().expand_dims(-2), matrices).squeeze([-2]),
            (a, b) => self.mismatch(matrices, "vecmat", a, b),
        }
    }

    fn mismatch(&self, other: &Array, op: &str, a: &[usize], b: &[usize]) -> Array {
        match self.check().and_then(|()| other.check()) {
            Err(error) => Array::new(self.device(), Err(error)),
            Ok(()) => refused(self, op, format!("{a:?} and {b:?} do not fit")),
        }
    }

    /// NumPy's `dot` of arrays that are not both vectors: the last axis of one with the last but one of the other.
    pub(crate) fn dot_of_any(&self, other: &Array) -> Array {
        if self.ndim() == 0 || other.ndim() == 0 {
            return self * other;
        }
        let summed = other.ndim().saturating_sub(2);
        if self.shape()[self.ndim() - 1] != other.shape()[summed] {
            let message = format!("{:?} and {:?} do not fit", self.shape(), other.shape());
            return refused(self, "dot", message);
        }
        let left = labels(1, self.ndim() - 1);
        let mut right = labels(self.ndim(), other.ndim() - 1);
        let output = [&left[..], &right[..]].concat();
        right.insert(summed, 0);
        contract(self, &[&left[..], &[0]].concat(), other, &right, &output)
    }
}

/// The matrix product, in the type of the elements: integers stay integers.
fn exact(a: &Array, b: &Array) -> Array {
    let dtype = a.dtype().promote(b.dtype());
    if dtype.is_float() || dtype.is_complex() {
        return a.matmul(b);
    }
    (a.expand_dims(-2) * b.swap_axes(-1, -2).expand_dims(-3)).sum([-1])
}
