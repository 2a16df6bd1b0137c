//! Gradients of functions of arrays.

use crate::array::Array;
#[cfg(feature = "grad")]
use crate::device::Device;
#[cfg(feature = "grad")]
use tilework_core::{Error, Result};
use tilework_ops::graph;

#[cfg(feature = "grad")]
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
        let traced: Vec<Array> = inputs.iter().map(|input| input.traced()).collect();
        let value = f(&traced);
        let gradients = self.gradients(&value, &traced.iter().collect::<Vec<_>>())?;
        Ok((value.released(), gradients))
    }

    /// Derivatives of `value`, a single number, with respect to each of `inputs`, which must be [`Array::traced`] and what
    /// `value` was computed from. The derivative by a complex array has the derivatives by the real and the imaginary parts as its
    /// parts. This is [`Device::value_and_grad`] for those who cannot pass a function.
    pub fn gradients(&self, value: &Array, inputs: &[&Array]) -> Result<Vec<Array>> {
        let nodes = inputs.iter().map(|input| input.stored().cloned()).collect::<Result<Vec<_>>>()?;
        let gradients = graph::gradients(value.node()?, &nodes)?;
        Ok(inputs.iter().zip(gradients).map(|(input, node)| input.restored(|_| Ok(node))).collect())
    }
}

impl Array {
    /// The same array as something to differentiate by: what is computed from it remembers how, even once it has values.
    pub fn traced(&self) -> Array {
        self.restored(|node| Ok(graph::traced(node)))
    }

    /// The same array, which lets go of what it was computed from as soon as it has values.
    pub fn released(&self) -> Array {
        self.restored(|node| Ok(graph::released(node)))
    }
}
