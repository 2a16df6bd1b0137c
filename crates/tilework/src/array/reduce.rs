//! Reductions.

use super::Array;
use tilework_core::dtype::DType;
use tilework_core::expr::ScalarOp;
use tilework_core::shape::{KeepAxes, Shape};
use tilework_core::{Error, Result};
use tilework_ops::ops::arg_reduce::{ArgReduce, Extreme};
use tilework_ops::ops::reduce::{Combine, Reduce};
use tilework_ops::{NodeRef, graph};

macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident $name_keep:ident $build:expr;)*) => {
        impl Array {
            $(
                $(#[$doc])*
                ///
                /// `axes` may count from the end; an empty list means all of them.
                pub fn $name(&self, axes: impl AsRef<[isize]>) -> Array {
                    self.then(|node| $build(node, axes.as_ref(), KeepAxes::No))
                }

                #[doc = concat!("Like [`Array::", stringify!($name), "`], leaving the reduced axes in place with size 1.")]
                pub fn $name_keep(&self, axes: impl AsRef<[isize]>) -> Array {
                    self.then(|node| $build(node, axes.as_ref(), KeepAxes::Yes))
                }
            )*
        }
    };
}

reductions! {
    /// Sum; truth values are counted. 0 for no elements.
    sum sum_keep |node, axes, keep| reduce(Combine::Sum, &number(node), axes, keep);
    /// Product. 1 for no elements.
    prod prod_keep |node, axes, keep| reduce(Combine::Prod, &number(node), axes, keep);
    /// Smallest element; NaN if any is NaN. An error for no elements.
    min min_keep |node, axes, keep| reduce(Combine::Min, &number(node), axes, keep);
    /// Largest element; NaN if any is NaN. An error for no elements.
    max max_keep |node, axes, keep| reduce(Combine::Max, &number(node), axes, keep);
    /// Whether any element is true (not 0).
    any any_keep |node, axes, keep| reduce(Combine::Any, &graph::cast(node, DType::Bool), axes, keep);
    /// Whether all elements are true (not 0).
    all all_keep |node, axes, keep| reduce(Combine::All, &graph::cast(node, DType::Bool), axes, keep);
    /// Mean; NaN for no elements.
    mean mean_keep mean;
    /// Mean squared distance from the mean (divided by the number of elements).
    var var_keep variance;
    /// Square root of the variance.
    std std_keep |node, axes, keep| graph::map(ScalarOp::Sqrt, &[variance(node, axes, keep)?]);
}

impl Array {
    /// Position of the smallest element along `axis`; the first of equals, NaN counts as smallest.
    pub fn argmin(&self, axis: isize) -> Array {
        self.then(|node| arg(Extreme::Min, node, Some(axis)))
    }

    /// Position of the largest element along `axis`; the first of equals, NaN counts as largest.
    pub fn argmax(&self, axis: isize) -> Array {
        self.then(|node| arg(Extreme::Max, node, Some(axis)))
    }

    /// Position of the smallest element of the flattened array.
    pub fn argmin_flat(&self) -> Array {
        self.then(|node| arg(Extreme::Min, node, None))
    }

    /// Position of the largest element of the flattened array.
    pub fn argmax_flat(&self) -> Array {
        self.then(|node| arg(Extreme::Max, node, None))
    }
}

impl Array {
    /// The sum of products of two rows of the same length, in one pass over them: the products are not stored. With more axes, the
    /// last of this array is summed with the last but one of the other, as NumPy's `dot` does; with a single number, the product.
    pub fn dot(&self, other: &Array) -> Array {
        #[cfg(feature = "numpy")]
        if self.check().is_ok() && other.check().is_ok() && (self.ndim(), other.ndim()) != (1, 1) {
            return self.dot_of_any(other);
        }
        self.then(|a| {
            let b = other.node()?;
            if a.shape().rank() != 1 || a.shape() != b.shape() {
                let message = format!("needs two rows of one length, got {} and {}; see matmul", a.shape(), b.shape());
                return Err(Error::shape("dot", message));
            }
            dot(a, b)
        })
    }

    /// The sum of products of all elements of two arrays with equally many, in row-major order.
    pub fn vdot(&self, other: &Array) -> Array {
        self.then(|a| {
            let b = other.node()?;
            let n = a.shape().n_elements();
            if n != b.shape().n_elements() {
                return Err(Error::shape("vdot", format!("{} and {} differ in size", a.shape(), b.shape())));
            }
            let row = Shape::new("vdot", vec![n])?;
            dot(&graph::reshape(a, &row)?, &graph::reshape(b, &row)?)
        })
    }
}

/// The product is part of the reduction: each element of it is made where it is added.
fn dot(a: &NodeRef, b: &NodeRef) -> Result<NodeRef> {
    reduce(Combine::Sum, &graph::map(ScalarOp::Mul, &[number(a), number(b)])?, &[], KeepAxes::No)
}

/// Truth values become integers.
pub(super) fn number(node: &NodeRef) -> NodeRef {
    if node.dtype() == DType::Bool { graph::cast(node, DType::I32) } else { node.clone() }
}

/// Integers and truth values become floats.
pub(super) fn float(node: &NodeRef) -> NodeRef {
    graph::cast(node, node.dtype().float())
}

fn reduce(combine: Combine, node: &NodeRef, axes: &[isize], keep: KeepAxes) -> Result<NodeRef> {
    let axes = node.shape().axes(combine.name(), axes)?;
    graph::apply(Reduce::new(combine, axes, keep), std::slice::from_ref(node))
}

fn mean(node: &NodeRef, axes: &[isize], keep: KeepAxes) -> Result<NodeRef> {
    let node = float(node);
    let resolved = node.shape().axes("mean", axes)?;
    let n: usize = resolved.iter().map(|&axis| node.shape()[axis]).product();
    let sum = graph::apply(Reduce::new(Combine::Sum, resolved, keep), std::slice::from_ref(&node))?;
    // A division, not a multiplication by the reciprocal: the mean of equal numbers is that number. The mean of none is NaN, which
    // 0/0 need not be on a GPU.
    let divisor = if n == 0 { f64::NAN } else { n as f64 };
    graph::map(ScalarOp::Div, &[sum, graph::full(Shape::scalar(), node.dtype(), divisor)])
}

fn variance(node: &NodeRef, axes: &[isize], keep: KeepAxes) -> Result<NodeRef> {
    let node = float(node);
    let center = mean(&node, axes, KeepAxes::Yes)?;
    let distance = graph::map(ScalarOp::Sub, &[node, center])?;
    mean(&graph::map(ScalarOp::Mul, &[distance.clone(), distance])?, axes, keep)
}

fn arg(extreme: Extreme, node: &NodeRef, axis: Option<isize>) -> Result<NodeRef> {
    let name = if extreme == Extreme::Min { "argmin" } else { "argmax" };
    if node.shape().n_elements() == 0 && axis.is_none() {
        return Err(Error::shape(name, format!("{} has no elements", node.shape())));
    }
    let axis = axis.map(|axis| node.shape().axis(name, axis)).transpose()?;
    graph::apply(ArgReduce::new(extreme, axis, KeepAxes::No), std::slice::from_ref(node))
}
