//! Training: one captured program per batch size, run again and again.

use std::collections::BTreeMap;

use tilework::{Array, Device, Error, Program, Result};

use crate::{Network, Parameter, Rule, Weights};

/// How a network is trained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainOptions {
    /// How parameters move.
    pub rule: Rule,
    /// Decides the first weights.
    pub seed: u64,
}

impl Default for TrainOptions {
    fn default() -> TrainOptions {
        TrainOptions { rule: Rule::ADAM, seed: 0 }
    }
}

/// The learning rate after a share `done` of a training that starts at `rate`: it falls to zero along half a cosine (Loshchilov
/// and Hutter 2017).
pub fn cosine_rate(rate: f64, done: f64) -> f64 {
    rate * 0.5 * (1.0 + (done.clamp(0.0, 1.0) * std::f64::consts::PI).cos())
}

/// A network being trained.
#[derive(Debug)]
pub struct Trainer {
    device: Device,
    network: &'static dyn Network,
    rule: Rule,
    parameters: Vec<Array>,
    /// Of each parameter one after the other, [`Rule::n_states`] each.
    states: Vec<Array>,
    n_steps: u64,
    /// The step for each batch size seen so far.
    programs: BTreeMap<usize, Program>,
}

/// Names of optimizer states in checkpoints start with this.
const STATE: &str = "optimizer";
/// Name of the number of steps in checkpoints.
const STEPS: &str = "optimizer.steps";

impl Trainer {
    /// Starts from random weights.
    pub fn new(device: &Device, network: &'static dyn Network, options: TrainOptions) -> Result<Trainer> {
        let weights = network.random_weights(device, options.seed);
        Trainer::resume_with(network, &weights, options.rule, 0)
    }

    /// Goes on from a checkpoint, which must be of the same network and kind of rule. Weights alone start a new optimizer.
    pub async fn resume(network: &'static dyn Network, checkpoint: &Weights, rule: Rule) -> Result<Trainer> {
        let n_steps = match checkpoint.find(STEPS) {
            Some(steps) => steps.item().await? as u64,
            None => 0,
        };
        Trainer::resume_with(network, checkpoint, rule, n_steps)
    }

    fn resume_with(network: &'static dyn Network, checkpoint: &Weights, rule: Rule, n_steps: u64) -> Result<Trainer> {
        let device = checkpoint.device().clone();
        let parameters = network.parameters_of(checkpoint)?;
        let mut states = Vec::new();
        for Parameter { name, shape, .. } in network.parameters() {
            for state in 0..rule.n_states() {
                states.push(match n_steps {
                    0 => device.zeros(shape.as_slice()),
                    _ => checkpoint.shaped(&format!("{STATE}.{state}.{name}"), &shape)?.clone(),
                });
            }
        }
        Ok(Trainer { device, network, rule, parameters, states, n_steps, programs: BTreeMap::new() })
    }

    /// Steps done so far, over all resumes.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// One step on inputs `[n, n_inputs]`, given as one slice, and their classes. The loss, a single number, is the mean over
    /// the batch of −log of the probability of the right class, before the step; read it now and then, not after every step.
    pub async fn step(&mut self, inputs: Vec<f32>, classes: &[u8], rate: f64) -> Result<Array> {
        let (n, n_classes) = (classes.len(), self.network.n_classes());
        if n == 0 || inputs.len() != n * self.network.n_inputs() {
            let message = format!("{} numbers are no {n} inputs of {}", inputs.len(), self.network.n_inputs());
            return Err(Error::shape("train", message));
        }
        if let Some(class) = classes.iter().find(|&&class| usize::from(class) >= n_classes) {
            return Err(Error::argument("train", format!("class {class} of {n_classes}")));
        }
        let x = self.device.array(inputs, [n, self.network.n_inputs()]);
        let classes: Vec<i32> = classes.iter().map(|&class| i32::from(class)).collect();
        let classes = self.device.array(classes, [n]);
        let numbers = self.device.array(self.rule.numbers(rate, self.n_steps + 1).to_vec(), [3]);
        let mut arguments = vec![&x, &classes, &numbers];
        arguments.extend(self.parameters.iter().chain(&self.states));
        if !self.programs.contains_key(&n) {
            let program = capture(&self.device, self.network, self.rule, &arguments).await?;
            self.programs.insert(n, program);
        }
        let mut results = self.programs[&n].run(&arguments).await?;
        self.states = results.split_off(1 + self.parameters.len());
        self.parameters = results.split_off(1);
        self.n_steps += 1;
        results.pop().ok_or_else(|| Error::argument("train", "the step gives no loss"))
    }

    /// The weights as they are now.
    pub fn weights(&self) -> Weights {
        let mut weights = Weights::new(&self.device);
        for (Parameter { name, .. }, array) in self.network.parameters().iter().zip(&self.parameters) {
            weights.insert(*name, array.clone());
        }
        weights
    }

    /// The weights with everything [`Trainer::resume`] needs.
    pub fn checkpoint(&self) -> Weights {
        let mut weights = self.weights();
        let n_states = self.rule.n_states();
        for (index, array) in self.states.iter().enumerate() {
            let name = self.network.parameters()[index / n_states].name;
            weights.insert(format!("{STATE}.{}.{name}", index % n_states), array.clone());
        }
        let steps = u32::try_from(self.n_steps).unwrap_or(u32::MAX);
        weights.insert(STEPS, self.device.array(vec![steps], [1]));
        weights
    }
}

/// One step as a function of data, numbers, parameters and states.
async fn capture(device: &Device, network: &'static dyn Network, rule: Rule, arguments: &[&Array]) -> Result<Program> {
    let mut failure = None;
    let step = |arguments: &[Array]| {
        written_out(device, network, rule, arguments).unwrap_or_else(|error| {
            failure = Some(error);
            Vec::new()
        })
    };
    let program = device.capture(step, arguments).await;
    match failure {
        Some(error) => Err(error),
        None => program,
    }
}

fn written_out(device: &Device, network: &'static dyn Network, rule: Rule, arguments: &[Array]) -> Result<Vec<Array>> {
    let [x, classes, numbers, rest @ ..] = arguments else { unreachable!("three and the parameters") };
    let (parameters, states) = rest.split_at(network.parameters().len());
    let inputs: Vec<&Array> = parameters.iter().collect();
    let loss = |parameters: &[Array]| cross_entropy(&network.logits(parameters, x), classes);
    let (loss, gradients) = device.value_and_grad(loss, &inputs)?;
    let mut results = vec![loss];
    let mut new_states = Vec::new();
    for (index, (old, gradient)) in parameters.iter().zip(&gradients).enumerate() {
        let states = &states[index * rule.n_states()..][..rule.n_states()];
        let (parameter, states) = rule.update(old, gradient, states, numbers);
        results.push(parameter);
        new_states.extend(states);
    }
    results.extend(new_states);
    Ok(results)
}

/// The mean over rows of −log of the probability that logits `[n, n_classes]` give to the right class.
fn cross_entropy(logits: &Array, classes: &Array) -> Array {
    let n_classes = logits.shape().last().copied().unwrap_or(0);
    let all = logits.device().arange(n_classes).cast(tilework::DType::I32);
    let is_right = classes.expand_dims(1).eq(&all);
    let log_probability = is_right.select(logits.log_softmax(-1), 0.0).sum([-1]);
    -log_probability.mean([])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_falls_from_all_of_it_to_nothing() {
        assert_eq!(cosine_rate(0.2, 0.0), 0.2);
        assert!((cosine_rate(0.2, 0.5) - 0.1).abs() < 1e-12);
        assert_eq!((cosine_rate(0.2, 1.0), cosine_rate(0.2, 7.0)), (0.0, 0.0));
    }
}
