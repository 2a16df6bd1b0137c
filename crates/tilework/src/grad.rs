//! Gradients of functions of arrays.

use crate::array::Array;
use crate::device::Device;
use tilework_core::{Error, Result};
use tilework_ops::graph;

impl Device {
    /// The derivative of `f`, which must give a single number, at `x`.
    pub fn grad(&self, f: impl FnOnce(&Array) -> Array, x: &Array) -> Result<Array> {
        let (_, mut gradients) = self.value_and_grad(|inputs| f(&inputs[0]), &[x])?;
        gradients.pop().ok_or_else(|| Error::argument("grad", "needs an input"))
    }

    /// The value of `f`, which must be a single number, and its derivative with respect to each of `inputs`, in their shapes.
    ///
    /// All of them are lazy; evaluate them together with [`Device::eval`] and they share their common work.
    pub fn value_and_grad(&self, f: impl FnOnce(&[Array]) -> Array, inputs: &[&Array]) -> Result<(Array, Vec<Array>)> {
        let mut traced = Vec::with_capacity(inputs.len());
        for input in inputs {
            traced.push(Array::new(self, Ok(graph::traced(input.node()?))));
        }
        let value = f(&traced);
        let nodes: Vec<_> = traced.iter().filter_map(|array| array.node().ok().cloned()).collect();
        let gradients = graph::gradients(value.node()?, &nodes)?;
        let value = value.then(|node| Ok(graph::released(node)));
        Ok((value, gradients.into_iter().map(|node| Array::new(self, Ok(node))).collect()))
    }
}
