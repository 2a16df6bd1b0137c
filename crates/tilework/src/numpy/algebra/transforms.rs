//! Functions of functions: whole Jacobians and Hessians, products with them, and one slice's function for all slices.
//!
//! All of them build one lazy graph and compute nothing by themselves. A Jacobian is the reverse rule of one result, made for all
//! results at once as [`Device::vmap`] does it: the graph is not repeated per result.

use crate::array::Array;
use crate::device::Device;
use tilework_core::dtype::DType;
use tilework_core::shape::Shape;
use tilework_core::{Error, Result};
use tilework_ops::{Meta, Node, NodeRef, graph};

impl Device {
    /// `f`, which is written for one slice, of all slices along `axis` of `inputs` at once; the results lie along a first axis.
    ///
    /// `f` is called once, with stand-ins that have shapes and types but no values, so that it cannot look at numbers. Its graph is
    /// then given one more axis. Element-wise work, views, products, reductions, scans, sorts, softmax and linear algebra take it
    /// directly; operations that cannot (convolutions, gathers by indices that differ from slice to slice) are applied to each slice.
    pub fn vmap(&self, f: impl FnOnce(&[Array]) -> Array, inputs: &[&Array], axis: isize) -> Result<Array> {
        if inputs.is_empty() {
            return Err(Error::argument("vmap", "needs at least one array"));
        }
        let slices: Vec<Array> = inputs.iter().map(|input| input.stand_in(axis)).collect::<Result<_>>()?;
        let wholes: Vec<Array> = inputs.iter().map(|&input| input.clone()).collect();
        self.batched(&f(&slices), &slices, &wholes, axis)
    }

    /// `result`, which was made of the stand-ins `slices`, for all slices of `wholes` along `axis` at once.
    pub(crate) fn batched(&self, result: &Array, slices: &[Array], wholes: &[Array], axis: isize) -> Result<Array> {
        let mut replaced: Vec<(NodeRef, NodeRef)> = Vec::new();
        for (slice, whole) in slices.iter().zip(wholes) {
            replaced.push((slice.node()?.clone(), axis_first(whole.node()?, axis)?));
        }
        let sizes: Vec<usize> = replaced.iter().map(|(_, array)| array.shape()[0]).collect();
        let Some(&size) = sizes.first() else {
            return Err(Error::argument("vmap", "needs an array to take slices of"));
        };
        if sizes.iter().any(|other| *other != size) {
            return Err(Error::shape("vmap", format!("numbers of slices differ: {sizes:?}")));
        }
        let result = graph::batch(result.node()?, &replaced, size)?;
        Ok(Array::new(self, Ok(result)))
    }

    /// The derivatives of all results of `f` by all elements of `x`: the shape of the result, then that of `x`.
    pub fn jacobian(&self, f: impl FnOnce(&Array) -> Array, x: &Array) -> Result<Array> {
        let x = x.traced();
        let y = f(&x);
        let (shape, n) = (y.node()?.shape().clone(), y.size());
        let given = Node::placeholder(y.node()?.meta.clone());
        let slope = self.adjoint_of(&x, &y, &Array::new(self, Ok(given.clone())))?;
        let unit = self.eye(n).cast(y.dtype()).reshape([&[n], &shape[..]].concat());
        let rows = graph::batch(slope.node()?, &[(given, unit.graph_node()?)], n)?;
        Ok(Array::new(self, Ok(rows)).reshape([&shape[..], x.shape()].concat()).released())
    }

    /// The second derivatives of `f`, which must give a single number: the shape of `x` twice.
    pub fn hessian(&self, f: impl FnOnce(&Array) -> Array, x: &Array) -> Result<Array> {
        self.jacobian(|x| self.grad(f, x).unwrap_or_else(|error| Array::new(self, Err(error))), x)
    }

    /// The product of the matrix of second derivatives of `f` with `v`, which has the shape of `x`: for the price of a few gradients,
    /// without that matrix.
    pub fn hvp(&self, f: impl FnOnce(&Array) -> Array, x: &Array, v: &Array) -> Result<Array> {
        same_shape("hvp", x, v)?;
        let x = x.traced();
        let slope = self.grad(f, &x)?;
        self.adjoint_of(&x, &slope, v)
    }

    /// The value of `f` at `x`, and `u`, of its shape, times the Jacobian: what `x` receives if the result receives `u`.
    pub fn vjp(&self, f: impl FnOnce(&Array) -> Array, x: &Array, u: &Array) -> Result<(Array, Array)> {
        let x = x.traced();
        let y = f(&x);
        same_shape("vjp", &y, u)?;
        let adjoint = self.adjoint_of(&x, &y, u)?;
        Ok((y.released(), adjoint))
    }

    /// The value of `f` at `x`, and the Jacobian times `v`, of the shape of `x`: how the result changes in this direction. Exact: the
    /// reverse rule is linear in what the result receives, so its own reverse rule goes forward.
    pub fn jvp(&self, f: impl FnOnce(&Array) -> Array, x: &Array, v: &Array) -> Result<(Array, Array)> {
        same_shape("jvp", x, v)?;
        let x = x.traced();
        let y = f(&x);
        y.check()?;
        // Any point will do for a linear function, except one where rules take an adjoint of 0 for one that stays 0: so these numbers
        // have no pattern that could cancel.
        let index = self.arange(y.size()).cast(y.dtype()).reshape(y.shape());
        let u = ((index * 0.618_033_988_7).fract() + 0.5).traced();
        let adjoint = self.adjoint_of(&x, &y, &u)?;
        let tangent = self.adjoint_of(&u, &adjoint, v)?;
        Ok((y.released(), tangent))
    }

    /// What `x` receives if `y` receives `given`.
    fn adjoint_of(&self, x: &Array, y: &Array, given: &Array) -> Result<Array> {
        if !y.dtype().is_float() {
            return Err(Error::dtype("grad", format!("needs floats, got {}", y.dtype())));
        }
        let total = (y * given.cast(y.dtype())).sum([]);
        self.gradients(&total, &[x])?.pop().ok_or_else(|| Error::argument("grad", "needs an input"))
    }
}

impl Array {
    /// What one slice along `axis` is like: its shape and type, without values.
    pub(crate) fn stand_in(&self, axis: isize) -> Result<Array> {
        let moved = axis_first(self.node()?, axis)?;
        let shape = Shape::new("vmap", &moved.shape()[1..])?;
        Ok(Array::new(self.device(), Ok(Node::placeholder(Meta { shape, dtype: moved.dtype() }))))
    }
}

/// The same array with `axis` in front of the others.
fn axis_first(node: &NodeRef, axis: isize) -> Result<NodeRef> {
    let axis = node.shape().axis("vmap", axis)?;
    let others = (0..node.shape().rank()).filter(|&other| other != axis);
    let order: Vec<isize> = [axis].into_iter().chain(others).map(|axis| axis as isize).collect();
    graph::permute(node, &order)
}

fn same_shape(op: &str, x: &Array, other: &Array) -> Result<()> {
    if x.node()?.shape() == other.node()?.shape() && other.dtype() != DType::Bool {
        return Ok(());
    }
    Err(Error::shape(op, format!("{:?} of {} is no direction for {:?}", other.shape(), other.dtype(), x.shape())))
}
