//! Sorting.

use super::Array;
use super::reduce::float;
use tilework_core::dtype::DType;
use tilework_core::expr::{ScalarOp, Value};
use tilework_core::host::HostBuffer;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_ops::ops::bincount::BinCount;
use tilework_ops::ops::searchsorted::{SearchSorted, Side};
use tilework_ops::ops::sort::{Order, Output, Sort};
use tilework_ops::ops::top_k::TopK;
use tilework_ops::{NodeRef, graph};

impl Array {
    /// The elements along `axis` in ascending order. Equal elements keep their order; NaN comes last.
    pub fn sort(&self, axis: isize) -> Array {
        self.sort_in(axis, Order::Ascending)
    }

    /// The positions along `axis` (int32) of the elements in ascending order: the first of equals comes first, NaN last.
    pub fn argsort(&self, axis: isize) -> Array {
        self.argsort_in(axis, Order::Ascending)
    }

    /// Like [`Array::sort`], in either order. NaN comes last in both.
    pub fn sort_in(&self, axis: isize, order: Order) -> Array {
        self.then(|node| sort(node, axis, order, Output::Values))
    }

    /// Like [`Array::argsort`], in either order. NaN comes last in both, and the first of equals first.
    pub fn argsort_in(&self, axis: isize, order: Order) -> Array {
        self.then(|node| sort(node, axis, order, Output::Indices))
    }

    /// The `k` largest elements along `axis`, the largest first; NaN comes after all numbers. An error if there are fewer.
    pub fn top_k(&self, k: usize, axis: isize) -> Array {
        self.then(|node| top_k(node, k, axis, Output::Values))
    }

    /// Where along `axis` (int32) the elements of [`Array::top_k`] are; the first of equals comes first.
    pub fn top_k_indices(&self, k: usize, axis: isize) -> Array {
        self.then(|node| top_k(node, k, axis, Output::Indices))
    }

    /// Where each of `queries` belongs in this array, which must be one ascending row (NaN last): its position (int32) before
    /// or after equal elements. Both are converted to their common type.
    pub fn searchsorted(&self, queries: &Array, side: Side) -> Array {
        self.then(|sorted| {
            let queries = queries.node()?;
            let dtype = sorted.dtype().promote(queries.dtype());
            let inputs = [graph::cast(sorted, dtype), graph::cast(queries, dtype)];
            graph::apply(SearchSorted::new(side), &inputs)
        })
    }

    /// How often each of the integers 0 to `n_bins − 1` occurs (int32); others are not counted.
    pub fn bincount(&self, n_bins: usize) -> Array {
        self.then(|node| graph::apply(BinCount::new(n_bins), std::slice::from_ref(node)))
    }

    /// How many elements (int32) fall into each of `n_bins` bins of equal width from `low` to `high`.
    ///
    /// A bin holds its lower edge and not its upper one, except the last, which holds both. Elements out of range and NaN are
    /// not counted. The edges are rounded to the array's type; an error without bins, or unless `low < high`, both finite.
    pub fn histogram(&self, n_bins: usize, low: f64, high: f64) -> Array {
        self.then(|node| {
            if n_bins == 0 || low >= high || !(high - low).is_finite() {
                let message = format!("needs bins and a finite range, got {n_bins} bins from {low} to {high}");
                return Err(Error::argument("histogram", message));
            }
            let x = float(node);
            let edge = |k: usize| if k == n_bins { high } else { low + (high - low) * (k as f64 / n_bins as f64) };
            let edges = HostBuffer::from_values(x.dtype(), (0..=n_bins).map(|k| Value::num(edge(k))));
            let edges = self.device().from_host(edges, [n_bins + 1]).graph_node()?;
            let last_edge = graph::full(Shape::scalar(), x.dtype(), edges_end(x.dtype(), high));
            let after = graph::apply(SearchSorted::new(Side::Right), &[edges, x.clone()])?;
            // The upper edge of the last bin belongs to it.
            let is_last = graph::map(ScalarOp::Eq, &[x, last_edge])?;
            let one = graph::full(Shape::scalar(), DType::I32, 1.0);
            let bin = graph::map(ScalarOp::Sub, &[after, one])?;
            let last_bin = graph::full(Shape::scalar(), DType::I32, n_bins as f64 - 1.0);
            graph::apply(BinCount::new(n_bins), &[graph::map(ScalarOp::Select, &[is_last, last_bin, bin])?])
        })
    }
}

/// The upper edge as it is stored.
fn edges_end(dtype: DType, high: f64) -> f64 {
    if dtype == DType::F32 { f64::from(high as f32) } else { dtype.rounded(high) }
}

fn sort(node: &NodeRef, axis: isize, order: Order, output: Output) -> Result<NodeRef> {
    let axis = node.shape().axis("sort", axis)?;
    graph::apply(Sort::new(axis, order, output), std::slice::from_ref(node))
}

fn top_k(node: &NodeRef, k: usize, axis: isize, output: Output) -> Result<NodeRef> {
    let axis = node.shape().axis("top_k", axis)?;
    graph::apply(TopK::new(k, axis, Order::Descending, output), std::slice::from_ref(node))
}
