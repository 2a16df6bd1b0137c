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
                    if self.is_complex() {
                        return self.reduce_complex(stringify!($name), axes.as_ref(), KeepAxes::No);
                    }
                    self.then(|node| $build(node, axes.as_ref(), KeepAxes::No))
                }

                #[doc = concat!("Like [`Array::", stringify!($name), "`], leaving the reduced axes in place with size 1.")]
                pub fn $name_keep(&self, axes: impl AsRef<[isize]>) -> Array {
                    if self.is_complex() {
                        return self.reduce_complex(stringify!($name), axes.as_ref(), KeepAxes::Yes);
                    }
                    self.then(|node| $build(node, axes.as_ref(), KeepAxes::Yes))
                }
            )*
        }
    };
}

reductions! {
    /// Sum; truth values are counted. 0 for no elements. Integers of 8 and 16 bits become ones of 32.
    sum sum_keep |node, axes, keep| reduce(Combine::Sum, &widened(node), axes, keep);
    /// Product. 1 for no elements. Integers of 8 and 16 bits become ones of 32.
    prod prod_keep |node, axes, keep| reduce(Combine::Prod, &widened(node), axes, keep);
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
    /// Sum of squared distances from the mean over the number of elements minus `correction` (NumPy's `ddof`); where that is not above 0,
    /// infinite, or NaN for elements that are all equal.
    pub fn var_corrected(&self, axes: impl AsRef<[isize]>, correction: f64, keep: KeepAxes) -> Array {
        if self.is_complex() {
            // The variance of complex numbers is that of their parts, added.
            let parts = [self.real(), self.imag()].map(|part| part.var_corrected(axes.as_ref(), correction, keep));
            return &parts[0] + &parts[1];
        }
        self.then(|node| {
            let axes = axes.as_ref();
            let plain = variance(node, axes, keep)?;
            // Callers of the core operations cannot ask for one.
            if correction == 0.0 || !cfg!(feature = "extended") {
                return Ok(plain);
            }
            let n: usize = node.shape().axes("var", axes)?.iter().map(|&axis| node.shape()[axis]).product();
            let number = |value: f64| graph::full(Shape::scalar(), plain.dtype(), value);
            if n as f64 > correction {
                return graph::map(ScalarOp::Mul, &[plain.clone(), number(n as f64 / (n as f64 - correction))]);
            }
            let is_positive = graph::map(ScalarOp::Gt, &[plain.clone(), number(0.0)])?;
            graph::map(ScalarOp::Select, &[is_positive, number(f64::INFINITY), number(f64::NAN)])
        })
    }

    /// Square root of [`Array::var_corrected`].
    pub fn std_corrected(&self, axes: impl AsRef<[isize]>, correction: f64, keep: KeepAxes) -> Array {
        self.var_corrected(axes, correction, keep).sqrt()
    }
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
        if self.is_complex() || other.is_complex() {
            return self.dot_of_complex("dot", other);
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

    /// The sum of products of all elements of two arrays with equally many, in row-major order; complex numbers of this one are
    /// conjugated.
    pub fn vdot(&self, other: &Array) -> Array {
        if self.is_complex() || other.is_complex() {
            return self.conj().flatten().dot_of_complex("vdot", &other.flatten());
        }
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

impl Array {
    fn dot_of_complex(&self, name: &'static str, other: &Array) -> Array {
        let shapes = self.points(name).and_then(|a| Ok((a, other.points(name)?)));
        match shapes {
            Ok((a, b)) if a.rank() == 1 && a == b => (self * other).sum([]),
            Ok((a, b)) => Array::new(self.device(), Err(Error::shape(name, format!("{a} and {b} differ")))),
            Err(error) => Array::new(self.device(), Err(error)),
        }
    }

    /// The reductions that complex numbers have.
    fn reduce_complex(&self, name: &'static str, axes: &[isize], keep: KeepAxes) -> Array {
        let resolved = self.points(name).and_then(|shape| shape.axes(name, axes));
        let axes: Vec<isize> = match resolved {
            Ok(axes) => axes.iter().map(|&axis| axis as isize).collect(),
            Err(error) => return Array::new(self.device(), Err(error)),
        };
        if axes.is_empty() && matches!(name, "sum" | "mean" | "prod") {
            return self.clone();
        }
        let by_parts = |sum: fn(&Array, Vec<isize>) -> Array, sum_keep: fn(&Array, Vec<isize>) -> Array| {
            let reduce = if keep == KeepAxes::Yes { sum_keep } else { sum };
            self.through_pairs(name, |pairs, _| Ok(reduce(pairs, axes.clone())))
        };
        match name {
            "sum" => by_parts(Array::sum, Array::sum_keep),
            "mean" => by_parts(Array::mean, Array::mean_keep),
            "prod" => self.prod_complex(&axes, keep),
            "any" if keep == KeepAxes::Yes => self.ne(0.0).any_keep(axes),
            "any" => self.ne(0.0).any(axes),
            "all" if keep == KeepAxes::Yes => self.ne(0.0).all_keep(axes),
            "all" => self.ne(0.0).all(axes),
            "var" => self.var_corrected(axes, 0.0, keep),
            "std" => self.std_corrected(axes, 0.0, keep),
            _ => Array::new(self.device(), Err(Error::dtype(name, "is not defined for complex numbers"))),
        }
    }

    /// Products by halves: the first half of an axis times the second, until one element is left.
    fn prod_complex(&self, axes: &[isize], keep: KeepAxes) -> Array {
        let product = axes.iter().fold(self.clone(), |mut x, &axis| {
            while let n @ 2.. = x.shape().get(axis as usize).copied().unwrap_or(0) {
                let half = n.div_ceil(2) as isize;
                let (front, back) = (x.slice(axis, ..half), x.slice(axis, half..));
                let rest = front.slice(axis, back.shape()[axis as usize] as isize..);
                let both = front.slice(axis, ..back.shape()[axis as usize] as isize) * back;
                x = if rest.size() == 0 { both } else { self.device().concat(&[&both, &rest], axis) };
            }
            let mut one = x.shape().to_vec();
            one.iter_mut().enumerate().filter(|(k, _)| *k == axis as usize).for_each(|(_, size)| *size = 1);
            if x.size() == 0 { self.device().full_of(one, 1.0, self.dtype()) } else { x }
        });
        if keep == KeepAxes::Yes { product } else { product.squeeze(axes) }
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

/// Truth values and integers of few bits become integers of 32, which sums and products of them need.
pub(super) fn widened(node: &NodeRef) -> NodeRef {
    let number = number(node);
    if number.dtype().is_integer() { graph::cast(&number, number.dtype().computed()) } else { number }
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
