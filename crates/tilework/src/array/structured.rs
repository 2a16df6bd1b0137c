//! Structured operations as methods.

use super::{Array, Operand};
use crate::device::Device;
use tilework_core::dtype::DType;
use tilework_core::expr::ScalarOp;
use tilework_core::shape::{KeepAxes, Shape};
use tilework_core::{Error, Result};
use tilework_ops::ops::attention::Attention;
use tilework_ops::ops::gather::Gather;
use tilework_ops::ops::group_norm::GroupNorm;
use tilework_ops::ops::layer_norm::LayerNorm;
use tilework_ops::ops::matmul::Matmul;
use tilework_ops::ops::neighborhood_attention::NeighborhoodAttention;
use tilework_ops::ops::reduce::{Combine, Reduce};
use tilework_ops::ops::rms_norm::RmsNorm;
use tilework_ops::ops::rope::{Pairing, Rope, RopeFrequencies};
use tilework_ops::ops::scatter::Scatter;
use tilework_ops::ops::softmax::{Output, Softmax};
use tilework_ops::ops::sort::places_along;
use tilework_ops::{NodeRef, graph};

impl Array {
    /// Matrix product over the last two axes; leading axes broadcast. A vector on the left is a row, on the right a column,
    /// and the result loses that axis.
    ///
    /// Integers are multiplied as such.
    pub fn matmul(&self, other: &Array) -> Array {
        if self.is_complex() || other.is_complex() {
            let [a, b, c, d] = [self.real(), self.imag(), other.real(), other.imag()];
            let re = a.matmul(&c) - b.matmul(&d);
            return self.device().complex(&re, &(a.matmul(&d) + b.matmul(&c)));
        }
        self.then(|a| matmul(a, other.node()?))
    }

    /// Exponentials divided by their sum along `axis`.
    pub fn softmax(&self, axis: isize) -> Array {
        self.then(|node| softmax(node, axis, Output::Probability))
    }

    /// Logarithm of [`Array::softmax`], without leaving the range of floats.
    pub fn log_softmax(&self, axis: isize) -> Array {
        self.then(|node| softmax(node, axis, Output::Logarithm))
    }

    /// Differences to the mean along `axis`, divided by the root of their mean square plus `epsilon`; then multiplied by the
    /// first of `parameters` (weight) and increased by the second (bias), as far as they are given. Each has the size of the
    /// axis.
    pub fn layer_norm(&self, axis: isize, parameters: &[&Array], epsilon: f64) -> Array {
        self.then(|node| {
            let axis = node.shape().axis("layer_norm", axis)?;
            graph::apply(LayerNorm::new(axis, epsilon), &with_parameters(node, parameters)?)
        })
    }

    /// Elements divided by the root of their mean square along `axis` plus `epsilon`; then multiplied by the weight, if
    /// `parameters` has one, of the size of the axis.
    pub fn rms_norm(&self, axis: isize, parameters: &[&Array], epsilon: f64) -> Array {
        self.then(|node| {
            let axis = node.shape().axis("rms_norm", axis)?;
            graph::apply(RmsNorm::new(axis, epsilon), &with_parameters(node, parameters)?)
        })
    }

    /// `[samples, channels, ..]` normalised over each of `n_groups` groups of channels with all positions; then multiplied by
    /// the first of `parameters` (weight) and increased by the second (bias), as far as they are given. Each has the number of
    /// channels.
    pub fn group_norm(&self, n_groups: usize, parameters: &[&Array], epsilon: f64) -> Array {
        self.then(|node| graph::apply(GroupNorm::new(n_groups, epsilon), &with_parameters(node, parameters)?))
    }

    /// Rotary position embedding of `[.., sequence, elements]`: pairs of elements are turned by position times frequency.
    ///
    /// `positions` are integers: one number without axes for the first place of the sequence (the others follow it), or one for
    /// each place. `frequencies` come from [`Device::rope_frequencies`]; elements beyond its pairs stay. Turned elements are
    /// multiplied by `amplitude`, which is 1 except for [`RopeFrequencies::amplitude`] of YaRN.
    pub fn rope(&self, positions: &Array, frequencies: &Array, pairing: Pairing, amplitude: f64) -> Array {
        self.then(|node| {
            let mut inputs = with_parameters(node, &[])?;
            inputs.extend([positions.node()?.clone(), frequencies.node()?.clone()]);
            graph::apply(Rope::new(pairing, amplitude), &inputs)
        })
    }

    /// Attention of these queries `[batch, heads, positions, elements]` over keys and values of as many or fewer heads: the mean of
    /// the values weighted by the softmax of the products with the keys.
    ///
    /// `extras` are an additive mask of floats, which broadcasts to `[batch, heads, queries, keys]`, and the integer `n_past`: how
    /// many entries of the cache came before these queries. Each may be left out, see [`Attention`]. A query that sees no key gives
    /// zeros.
    pub fn attention(&self, k: &Array, v: &Array, extras: &[&Array], attention: Attention) -> Array {
        self.then(|q| {
            let dtype = q.dtype().promote(k.node()?.dtype()).promote(v.node()?.dtype()).float();
            let mut inputs = Vec::new();
            for node in [q, k.node()?, v.node()?] {
                inputs.push(graph::cast(node, dtype));
            }
            for extra in extras {
                let node = extra.node()?;
                inputs.push(if node.dtype().is_float() { graph::cast(node, dtype) } else { node.clone() });
            }
            graph::apply(attention, &inputs)
        })
    }

    /// Attention of every position of these queries `[batch, heads, height, width, elements]` to a square window of keys and values
    /// around it, which is moved inward at the borders.
    pub fn neighborhood_attention(&self, k: &Array, v: &Array, attention: NeighborhoodAttention) -> Array {
        self.then(|q| {
            let dtype = q.dtype().promote(k.node()?.dtype()).promote(v.node()?.dtype()).float();
            let inputs = [q, k.node()?, v.node()?].map(|node| graph::cast(node, dtype));
            graph::apply(attention, &inputs)
        })
    }

    /// Elements of `axis` picked by integer indices, whose shape takes the axis' place. Negative indices count from the end,
    /// those out of range are moved to the nearest end.
    pub fn take(&self, indices: &Array, axis: isize) -> Array {
        if self.is_complex() {
            return self
                .through_pairs("take", |pairs, shape| Ok(pairs.take(indices, shape.axis("take", axis)? as isize)));
        }
        self.then(|node| {
            let axis = node.shape().axis("take", axis)?;
            graph::apply(Gather::new(axis), &[node.clone(), indices_of("take", indices)?])
        })
    }
}

/// Integer indices as the operations take them.
fn indices_of(op: &'static str, indices: &Array) -> Result<NodeRef> {
    let indices = indices.node()?;
    if !indices.dtype().is_integer() {
        return Err(Error::dtype(op, format!("indices must be integers, got {}", indices.dtype())));
    }
    Ok(graph::cast(indices, DType::I32))
}

impl Array {
    /// A copy in which the places that `indices` name along `axis` are replaced by `rows`, which broadcast to this array's shape
    /// with the shape of the indices in the axis' place. Where indices are equal, the last wins. Negative indices count from the
    /// end, those out of range are moved to the nearest end.
    pub fn scatter(&self, indices: &Array, rows: impl Operand, axis: isize) -> Array {
        if self.is_complex() {
            let rows = self.beside(&rows).cast(self.dtype()).as_pairs();
            return self.through_pairs("scatter", |pairs, shape| {
                Ok(pairs.scatter(indices, &rows, shape.axis("scatter", axis)? as isize))
            });
        }
        self.then(|node| {
            let axis = node.shape().axis("scatter", axis)?;
            let indices = indices_of("scatter", indices)?;
            let sizes = [&node.shape()[..axis], &indices.shape()[..], &node.shape()[axis + 1..]].concat();
            let rows = graph::cast(&rows.to_node(node.dtype())?, node.dtype());
            let rows = graph::expand(&rows, &Shape::new("scatter", sizes)?)?;
            graph::apply(Scatter::new(axis), &[node.clone(), indices, rows])
        })
    }

    /// A copy in which, for every place of `indices`, the element that the index names along `axis` is replaced by that of
    /// `values` at the same place: NumPy's `put_along_axis`. `indices` has this array's shape except along the axis; `values`
    /// broadcast to its shape. Where indices are equal, the last wins; negative indices count from the end.
    pub fn put_along(&self, indices: &Array, values: impl Operand, axis: isize) -> Array {
        self.then(|node| {
            let axis = node.shape().axis("put_along", axis)?;
            let indices = indices_of("put_along", indices)?;
            let (own, given) = (node.shape(), indices.shape());
            let fits = own.rank() == given.rank() && (0..own.rank()).all(|k| k == axis || own[k] == given[k]);
            if !fits {
                let message = format!("indices {given} do not have the shape of {own} except along axis {axis}");
                return Err(Error::shape("put_along", message));
            }
            let values = graph::cast(&values.to_node(node.dtype())?, node.dtype());
            let values = graph::expand(&values, given)?;
            let places = places_along(&resolved(&indices, own[axis])?, axis, own[axis])?;
            let flat = graph::reshape(node, &Shape::new("put_along", vec![own.n_elements()])?)?;
            let values = graph::reshape(&values, places.shape())?;
            graph::reshape(&graph::apply(Scatter::new(0), &[flat, places, values])?, own)
        })
    }
}

/// Indices counted from the start, moved to the nearest end where they are out of range.
fn resolved(indices: &NodeRef, n_axis: usize) -> Result<NodeRef> {
    let number = |n: usize| graph::full(Shape::scalar(), DType::I32, n as f64);
    let from_end = graph::map(ScalarOp::Add, &[indices.clone(), number(n_axis)])?;
    let is_negative = graph::map(ScalarOp::Lt, &[indices.clone(), number(0)])?;
    let from_start = graph::map(ScalarOp::Select, &[is_negative, from_end, indices.clone()])?;
    let not_before = graph::map(ScalarOp::Maximum, &[from_start, number(0)])?;
    graph::map(ScalarOp::Minimum, &[not_before, number(n_axis.max(1) - 1)])
}

impl Device {
    /// The table that [`Array::rope`] turns by.
    pub fn rope_frequencies(&self, frequencies: &RopeFrequencies) -> Array {
        match frequencies.table() {
            Ok(table) => {
                let n_pairs = table.len() / 2;
                self.array(table, [2, n_pairs])
            }
            Err(error) => Array::new(self, Err(error)),
        }
    }
}

fn matmul(a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    let common = a.dtype().promote(b.dtype());
    let (dtype, is_whole) = (common.float(), !common.is_float());
    let (rank_a, rank_b) = (a.shape().rank(), b.shape().rank());
    if rank_a == 0 || rank_b == 0 {
        let message = format!("needs at least one axis on both sides: {} · {}", a.shape(), b.shape());
        return Err(Error::shape("matmul", message));
    }
    let as_row =
        if rank_a == 1 { graph::reshape(a, &Shape::new("matmul", vec![1, a.shape()[0]])?)? } else { a.clone() };
    let as_column =
        if rank_b == 1 { graph::reshape(b, &Shape::new("matmul", vec![b.shape()[0], 1])?)? } else { b.clone() };
    let product = if is_whole {
        whole_product(&as_row, &as_column)?
    } else {
        graph::apply(Matmul, &[graph::cast(&as_row, dtype), graph::cast(&as_column, dtype)])
            .map_err(|error| Error::new(error.kind(), "matmul", error.message()))?
    };
    let mut sizes = product.shape().to_vec();
    if rank_b == 1 {
        sizes.pop();
    }
    if rank_a == 1 {
        sizes.remove(sizes.len() - 1 - usize::from(rank_b != 1));
    }
    graph::reshape(&product, &Shape::new("matmul", sizes)?)
}

/// The product of integers or truth values: sums of products that are not stored, and wrap as integers do.
fn whole_product(a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    let (&[ref a_batch @ .., m, k], &[ref b_batch @ .., k_b, n]) = (&a.shape()[..], &b.shape()[..]) else {
        return Err(Error::shape("matmul", format!("needs matrices: {} · {}", a.shape(), b.shape())));
    };
    if k != k_b {
        return Err(Error::shape("matmul", format!("inner sizes differ: {} · {}", a.shape(), b.shape())));
    }
    let is_truth = a.dtype() == DType::Bool && b.dtype() == DType::Bool;
    let columns = graph::reshape(a, &Shape::new("matmul", [a_batch, &[m, 1, k]].concat())?)?;
    let turned = graph::permute(b, &order_with_last_two_swapped(b.shape().rank()))?;
    let rows = graph::reshape(&turned, &Shape::new("matmul", [b_batch, &[1, n, k]].concat())?)?;
    let products = graph::map(ScalarOp::Mul, &[columns, rows])?;
    let last = products.shape().rank() - 1;
    let sum = Reduce::new(Combine::Sum, vec![last], KeepAxes::No);
    let sums = graph::apply(sum, &[products])?;
    Ok(if is_truth { graph::cast(&sums, DType::Bool) } else { sums })
}

fn order_with_last_two_swapped(rank: usize) -> Vec<isize> {
    let mut order: Vec<isize> = (0..rank as isize).collect();
    order.swap(rank - 1, rank - 2);
    order
}

/// A float array and its parameters in the same type.
fn with_parameters(node: &NodeRef, parameters: &[&Array]) -> Result<Vec<NodeRef>> {
    let float = graph::cast(node, node.dtype().float());
    let dtype = float.dtype();
    let mut inputs = vec![float];
    for parameter in parameters {
        inputs.push(graph::cast(parameter.node()?, dtype));
    }
    Ok(inputs)
}

fn softmax(node: &NodeRef, axis: isize, output: Output) -> Result<NodeRef> {
    let axis = node.shape().axis("softmax", axis)?;
    let float = graph::cast(node, node.dtype().float());
    graph::apply(Softmax::new(axis, output), &[float])
}
