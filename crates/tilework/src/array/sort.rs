//! Sorting.

use super::Array;
use tilework_core::Result;
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
}

fn sort(node: &NodeRef, axis: isize, order: Order, output: Output) -> Result<NodeRef> {
    let axis = node.shape().axis("sort", axis)?;
    graph::apply(Sort::new(axis, order, output), std::slice::from_ref(node))
}

fn top_k(node: &NodeRef, k: usize, axis: isize, output: Output) -> Result<NodeRef> {
    let axis = node.shape().axis("top_k", axis)?;
    graph::apply(TopK::new(k, axis, Order::Descending, output), std::slice::from_ref(node))
}
