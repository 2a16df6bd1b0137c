//! Sums of products by the names of axes.
//!
//! Operands are contracted two at a time, in a greedy order: what only one of them has is summed first, and then every pair is one
//! product of matrices, batched over the labels that stay, after axes have been permuted and joined. Integers, which matrix products
//! would turn into floats, are multiplied and summed instead, in one pass.

mod order;
mod subscripts;

use crate::array::{Array, Range};
use crate::device::Device;
use order::{Sizes, is_kept, next_pair};
use subscripts::{Label, Subscripts};
use tilework_core::dtype::DType;
use tilework_core::{Error, Result};

impl Device {
    /// The sum of products that `subscripts` describe, as NumPy's `einsum`: `"ij,jk->ik"` is the matrix product, `"ii"` the trace,
    /// `"...ij->...ji"` a transposition. Differentiable in every operand; at most eight axes at any time.
    pub fn einsum(&self, subscripts: &str, operands: &[&Array]) -> Array {
        einsum(subscripts, operands).unwrap_or_else(|error| Array::new(self, Err(error)))
    }

    /// The order in which [`Device::einsum`] contracts: pairs of positions in the list of operands, from which they are taken away and
    /// to whose end their product is added.
    pub fn einsum_path(&self, subscripts: &str, operands: &[&Array]) -> Result<Vec<[usize; 2]>> {
        let (subscripts, sizes) = described(subscripts, operands)?;
        let mut terms = subscripts.inputs;
        let mut path = Vec::new();
        while terms.len() > 1 {
            let views: Vec<&[Label]> = terms.iter().map(Vec::as_slice).collect();
            let (i, j) = next_pair(&views, &subscripts.output, &sizes);
            let mut rest: Vec<Label> = [views[i], views[j]].concat();
            rest.retain(|&label| is_kept(label, &views, (i, j), &subscripts.output));
            rest.sort_unstable();
            rest.dedup();
            terms.remove(j);
            terms.remove(i);
            terms.push(rest);
            path.push([i, j]);
        }
        Ok(path)
    }
}

/// An array whose axes have names, each once.
pub(super) struct Named {
    pub(super) array: Array,
    pub(super) labels: Vec<Label>,
}

/// The labels, and the size of each: sizes of 1 broadcast.
fn described(text: &str, operands: &[&Array]) -> Result<(Subscripts, Sizes)> {
    operands.iter().try_for_each(|operand| operand.check())?;
    let ranks: Vec<usize> = operands.iter().map(|operand| operand.ndim()).collect();
    let subscripts = Subscripts::new(text, &ranks)?;
    let mut sizes = Sizes::new();
    for (operand, labels) in operands.iter().zip(&subscripts.inputs) {
        for (&label, &size) in labels.iter().zip(operand.shape()) {
            let known = sizes.entry(label).or_insert(size);
            if *known != size && *known != 1 && size != 1 {
                let shapes: Vec<&[usize]> = operands.iter().map(|operand| operand.shape()).collect();
                let message = format!("\"{text}\" does not fit {shapes:?}: an axis has {known} and {size} elements");
                return Err(Error::shape("einsum", message));
            }
            if *known == 1 {
                *known = size;
            }
        }
    }
    Ok((subscripts, sizes))
}

fn einsum(text: &str, operands: &[&Array]) -> Result<Array> {
    let (subscripts, sizes) = described(text, operands)?;
    let dtype = operands.iter().map(|operand| operand.dtype()).reduce(DType::promote).unwrap_or(DType::F32);
    let number = if dtype == DType::Bool { DType::I32 } else { dtype };
    let mut terms = Vec::new();
    for (operand, labels) in operands.iter().zip(subscripts.inputs) {
        terms.push(Named { array: operand.cast(number), labels }.distinct()?.without_repeated(&sizes));
    }
    let result = contracted(terms, &subscripts.output, &sizes);
    result.check()?;
    Ok(if dtype == DType::Bool { result.ne(0) } else { result })
}

fn contracted(mut terms: Vec<Named>, output: &[Label], sizes: &Sizes) -> Array {
    loop {
        let labels: Vec<Vec<Label>> = terms.iter().map(|term| term.labels.clone()).collect();
        let views: Vec<&[Label]> = labels.iter().map(Vec::as_slice).collect();
        // What one operand has alone is summed before it takes part in any product.
        terms = terms
            .into_iter()
            .enumerate()
            .map(|(at, term)| term.summed(|label| is_kept(label, &views, (at, at), output)))
            .collect();
        if terms.len() < 2 {
            break;
        }
        let views: Vec<&[Label]> = terms.iter().map(|term| term.labels.as_slice()).collect();
        let (i, j) = next_pair(&views, output, sizes);
        let product = terms[i].times(&terms[j], |label| is_kept(label, &views, (i, j), output));
        terms.remove(j);
        terms.remove(i);
        terms.push(product);
    }
    let last = terms.remove(0);
    last.arranged(&[output])
}

impl Named {
    /// Labels that occur twice become one, of the diagonal.
    fn distinct(mut self) -> Result<Named> {
        while let Some((first, second)) = repeated(&self.labels) {
            let (size, other) = (self.array.shape()[first], self.array.shape()[second]);
            if size != other {
                let message = format!("a label stands for axes of {size} and of {other} elements of one operand");
                return Err(Error::shape("einsum", message));
            }
            let kept: Vec<usize> = (0..self.labels.len()).filter(|&axis| axis != first && axis != second).collect();
            let order: Vec<isize> = kept.iter().chain(&[first, second]).map(|&axis| axis as isize).collect();
            let mut sizes: Vec<usize> = kept.iter().map(|&axis| self.array.shape()[axis]).collect();
            sizes.push(size * size);
            let flat = self.array.permute(order).reshape(sizes);
            // Elements of the diagonal are a row and a column apart.
            self.array = flat.slice(-1, Range::ALL.step(size as isize + 1));
            let label = self.labels[first];
            self.labels = kept.iter().map(|&axis| self.labels[axis]).chain([label]).collect();
        }
        Ok(self)
    }

    /// Without axes of one element that others repeat: a factor that does not depend on the label.
    fn without_repeated(self, sizes: &Sizes) -> Named {
        let stays = |axis: usize| self.array.shape()[axis] != 1 || sizes.get(&self.labels[axis]) == Some(&1);
        let kept: Vec<usize> = (0..self.labels.len()).filter(|&axis| stays(axis)).collect();
        let shape: Vec<usize> = kept.iter().map(|&axis| self.array.shape()[axis]).collect();
        Named { array: self.array.reshape(shape), labels: kept.iter().map(|&axis| self.labels[axis]).collect() }
    }

    /// Summed over the labels that are not kept.
    fn summed(self, is_kept: impl Fn(Label) -> bool) -> Named {
        let axes: Vec<isize> =
            (0..self.labels.len()).filter(|&axis| !is_kept(self.labels[axis])).map(|axis| axis as isize).collect();
        if axes.is_empty() {
            return self;
        }
        let labels = self.labels.iter().copied().filter(|&label| is_kept(label)).collect();
        Named { array: self.array.sum(axes), labels }
    }

    /// With axes in the order of these groups of labels.
    fn arranged(&self, groups: &[&[Label]]) -> Array {
        let place = |label: &Label| self.labels.iter().position(|known| known == label).unwrap_or(0) as isize;
        let order: Vec<isize> = groups.iter().copied().flatten().map(place).collect();
        self.array.permute(order)
    }

    fn size_of(&self, labels: &[Label]) -> usize {
        let of =
            |label: &Label| self.labels.iter().position(|known| known == label).map_or(1, |at| self.array.shape()[at]);
        labels.iter().map(of).product()
    }

    /// The product of both, summed over what they share and `is_kept` does not name.
    pub(super) fn times(&self, other: &Named, is_kept: impl Fn(Label) -> bool) -> Named {
        let (shared, left): (Vec<Label>, Vec<Label>) =
            self.labels.iter().partition(|&label| other.labels.contains(label));
        let right: Vec<Label> = other.labels.iter().copied().filter(|label| !self.labels.contains(label)).collect();
        let (batch, summed): (Vec<Label>, Vec<Label>) = shared.into_iter().partition(|&label| is_kept(label));
        let sizes = [self.size_of(&batch), self.size_of(&left), self.size_of(&summed), other.size_of(&right)];
        let rows = self.arranged(&[&batch, &left, &summed]);
        let columns = other.arranged(&[&batch, &summed, &right]);
        let labels = [batch, left, right].concat();
        let owner = |label: Label| if self.labels.contains(&label) { self } else { other };
        let shape: Vec<usize> = labels.iter().map(|&label| owner(label).size_of(&[label])).collect();
        Named { array: product(&rows, &columns, sizes, summed.is_empty()).reshape(shape), labels }
    }
}

/// The first label that occurs twice, and where.
fn repeated(labels: &[Label]) -> Option<(usize, usize)> {
    (0..labels.len()).find_map(|j| labels[..j].iter().position(|label| *label == labels[j]).map(|i| (i, j)))
}

/// `[batch, m, k]` by `[batch, k, n]`, where `k` may stand for nothing to be summed.
fn product(rows: &Array, columns: &Array, [batch, m, k, n]: [usize; 4], is_outer: bool) -> Array {
    if is_outer {
        return rows.reshape([batch, m, 1]) * columns.reshape([batch, 1, n]);
    }
    if (m == 1 && n == 1) || rows.dtype().is_integer() {
        let columns = columns.reshape([batch, k, n]).permute([0, 2, 1]);
        return (rows.reshape([batch, m, 1, k]) * columns.reshape([batch, 1, n, k])).sum([-1]);
    }
    if batch == 1 {
        return rows.reshape([m, k]).matmul(&columns.reshape([k, n]));
    }
    rows.reshape([batch, m, k]).matmul(&columns.reshape([batch, k, n]))
}

/// `a` and `b` contracted over axes with the same label; labels of the result are those of `output`.
pub(crate) fn contract(a: &Array, a_labels: &[u32], b: &Array, b_labels: &[u32], output: &[u32]) -> Array {
    let dtype = a.dtype().promote(b.dtype());
    let number = if dtype == DType::Bool { DType::I32 } else { dtype };
    let left = Named { array: a.cast(number), labels: a_labels.to_vec() };
    let right = Named { array: b.cast(number), labels: b_labels.to_vec() };
    let result = left.times(&right, |label| output.contains(&label)).arranged(&[output]);
    if dtype == DType::Bool { result.ne(0) } else { result }
}
