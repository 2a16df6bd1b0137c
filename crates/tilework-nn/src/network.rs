//! What a network that can be trained tells about itself.

use std::fmt;

use tilework::{Array, Device, Result};

use crate::Weights;

/// One array that is learned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in files.
    pub name: &'static str,
    /// Its shape; `[out, in]` for weights of dense layers, `[out, in, height, width]` for convolutions, `[out]` for biases.
    pub shape: Vec<usize>,
    /// Numbers that each output is a sum of, which decides how large the first random values are.
    pub fan_in: usize,
}

/// A network from arrays of inputs to logits, as a pure function of its parameters.
pub trait Network: fmt::Debug + Sync {
    /// Its name for people and commands.
    fn name(&self) -> &'static str;

    /// What it learns, in the order in which [`Network::logits`] takes it.
    fn parameters(&self) -> Vec<Parameter>;

    /// Numbers of one input, which are given as one row.
    fn n_inputs(&self) -> usize;

    /// Classes it tells apart.
    fn n_classes(&self) -> usize;

    /// Scores `[n, n_classes]` of inputs `[n, n_inputs]`; a softmax makes probabilities of them.
    fn logits(&self, parameters: &[Array], x: &Array) -> Array;
}

impl dyn Network {
    /// Random parameters: uniform within `±1/√fan_in`, as PyTorch starts its layers. Equal seeds give equal weights.
    pub fn random_weights(&self, device: &Device, seed: u64) -> Weights {
        let mut random = device.random(seed);
        let mut weights = Weights::new(device);
        for Parameter { name, shape, fan_in } in self.parameters() {
            let limit = 1.0 / (fan_in as f64).sqrt();
            weights.insert(name, random.uniform_between(shape.as_slice(), -limit, limit));
        }
        weights
    }

    /// The parameters from a file, in order, with their shapes checked, as 32-bit floats.
    pub fn parameters_of(&self, weights: &Weights) -> Result<Vec<Array>> {
        let parameters = self.parameters();
        parameters.iter().map(|parameter| Ok(weights.shaped(parameter.name, &parameter.shape)?.to_f32())).collect()
    }
}
