//! Log-probabilities of tokens, as the model gives them: before biases, penalties and cuts.

use super::candidates::Candidates;

/// A token and the natural logarithm of its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Logprob {
    /// The token.
    pub token: u32,
    /// ln p, never above 0; −∞ for an impossible token.
    pub logprob: f32,
}

/// Log-probabilities of the chosen token and of the likeliest ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Logprobs {
    /// Of the token that was chosen.
    pub chosen: Logprob,
    /// Of the likeliest tokens, in order.
    pub best: Vec<Logprob>,
}

impl Logprobs {
    pub(crate) fn of(logits: &[f32], token: u32, n_best: usize) -> Logprobs {
        let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f64 = logits.iter().map(|&logit| f64::from(logit - max).exp()).sum();
        let logprob = |logit: f32| (f64::from(logit) - f64::from(max) - sum.ln()).min(0.0) as f32;
        let best = match n_best {
            0 => Vec::new(),
            n => Candidates::top_k(logits, n)
                .list()
                .iter()
                .map(|best| Logprob { token: best.token, logprob: logprob(best.logit) })
                .collect(),
        };
        let chosen = logits.get(token as usize).copied().unwrap_or(f32::NEG_INFINITY);
        Logprobs { chosen: Logprob { token, logprob: logprob(chosen) }, best }
    }
}
