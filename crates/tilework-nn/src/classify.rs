//! Running a trained network.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use tilework::{Array, Device, Error, Program, Result};

use crate::{Network, Weights};

/// Batch sizes whose programs are kept.
const N_KEPT: usize = 8;

/// A network with its weights, ready to classify.
#[derive(Debug)]
pub struct Classifier {
    device: Device,
    network: &'static dyn Network,
    parameters: Vec<Array>,
    /// The program for each batch size.
    programs: RefCell<BTreeMap<usize, Rc<Program>>>,
}

impl Classifier {
    /// A network with weights of its own from `weights`, which go to the device once; those in pictures stay there.
    pub async fn new(network: &'static dyn Network, weights: &Weights) -> Result<Classifier> {
        let device = weights.device().clone();
        let parameters = network.parameters_of(weights)?;
        if !weights.is_in_pictures() {
            device.eval(&parameters.iter().collect::<Vec<_>>()).await?;
        }
        Ok(Classifier { device, network, parameters, programs: RefCell::default() })
    }

    /// What it runs.
    pub fn network(&self) -> &'static dyn Network {
        self.network
    }

    /// Probabilities `[n, n_classes]`, row after row, of inputs `[n, n_inputs]` given as one slice.
    pub async fn probabilities(&self, inputs: Vec<f32>) -> Result<Vec<f32>> {
        let n_inputs = self.network.n_inputs();
        if !inputs.len().is_multiple_of(n_inputs) {
            let message = format!("{} numbers are no inputs of {n_inputs}", inputs.len());
            return Err(Error::shape("classify", message));
        }
        let n = inputs.len() / n_inputs;
        if n == 0 {
            return Ok(Vec::new());
        }
        let x = self.device.array(inputs, [n, n_inputs]);
        let program = self.program(&x, n).await?;
        let result = program.run(&[&x]).await?;
        result[0].to_vec().await
    }

    async fn program(&self, x: &Array, n: usize) -> Result<Rc<Program>> {
        if let Some(program) = self.programs.borrow().get(&n) {
            return Ok(program.clone());
        }
        let forward = |inputs: &[Array]| vec![self.network.logits(&self.parameters, &inputs[0]).softmax(-1)];
        let program = Rc::new(self.device.capture(forward, &[x]).await?);
        let mut programs = self.programs.borrow_mut();
        if programs.len() >= N_KEPT {
            programs.pop_last();
        }
        programs.insert(n, program.clone());
        Ok(program)
    }
}

/// The class with the largest probability.
pub fn most_likely(probabilities: &[f32]) -> usize {
    (0..probabilities.len()).max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b])).unwrap_or(0)
}
