//! From gradients to better parameters.

use tilework::Array;

/// How parameters move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Stochastic gradient descent with momentum: `v ← μ·v + g`, `p ← p − rate·v`.
    Sgd {
        /// μ; 0 is plain descent.
        momentum: f64,
    },
    /// Adam (Kingma and Ba 2015, algorithm 1) with weight decay that is not part of the gradient (Loshchilov and Hutter 2019);
    /// a decay of 0 is plain Adam.
    Adam {
        /// How much of the running mean of gradients is kept.
        beta1: f64,
        /// How much of the running mean of their squares is kept.
        beta2: f64,
        /// Keeps the division finite.
        epsilon: f64,
        /// Share of each parameter that is lost in a step, times the rate.
        decay: f64,
    },
}

impl Rule {
    /// Adam with the constants of its paper.
    pub const ADAM: Rule = Rule::Adam { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: 0.0 };
    /// AdamW with PyTorch's decay.
    pub const ADAM_W: Rule = Rule::Adam { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: 0.01 };
    /// Gradient descent with the usual momentum.
    pub const SGD: Rule = Rule::Sgd { momentum: 0.9 };

    /// Arrays of a parameter's shape that are kept from step to step.
    pub(crate) fn n_states(&self) -> usize {
        match self {
            Rule::Sgd { .. } => 1,
            Rule::Adam { .. } => 2,
        }
    }

    /// The numbers of step `step` (the first is 1) at learning rate `rate`. They change from step to step, so they are an input
    /// of the captured step: [rate, what corrects the first mean, what corrects the second].
    pub(crate) fn numbers(&self, rate: f64, step: u64) -> [f32; 3] {
        match *self {
            Rule::Sgd { .. } => [rate as f32, 1.0, 1.0],
            Rule::Adam { beta1, beta2, .. } => {
                // Means that start at zero are too small by these factors.
                let correction = |beta: f64| 1.0 / (1.0 - beta.powf(step as f64));
                [rate as f32, correction(beta1) as f32, correction(beta2).sqrt() as f32]
            }
        }
    }

    /// One parameter and its states after a step.
    pub(crate) fn update(
        &self,
        old: &Array,
        gradient: &Array,
        states: &[Array],
        numbers: &Array,
    ) -> (Array, Vec<Array>) {
        let rate = numbers.index(0, 0);
        match (*self, states) {
            (Rule::Sgd { momentum }, [velocity]) => {
                let velocity = velocity * momentum + gradient;
                (old - &velocity * &rate, vec![velocity])
            }
            (Rule::Adam { beta1, beta2, epsilon, decay }, [mean, square]) => {
                let mean = mean * beta1 + gradient * (1.0 - beta1);
                let square = square * beta2 + gradient * gradient * (1.0 - beta2);
                let pace = &rate * numbers.index(0, 1);
                let change = &mean / (square.sqrt() * numbers.index(0, 2) + epsilon) * pace;
                let kept = if decay == 0.0 { old.clone() } else { old - old * &rate * decay };
                (kept - change, vec![mean, square])
            }
            _ => unreachable!("as many states as `n_states` says"),
        }
    }
}
