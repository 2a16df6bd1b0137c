//! Choosing the next token from a model's logits.
//!
//! The stages and their order are those of llama.cpp's default chain: logit bias, penalties, top-k, typical, top-p, min-p,
//! temperature, then a draw. So the cuts are made on the model's own distribution, not on the one that temperature makes
//! of it. Mirostat stands in place of the cuts, after temperature. Temperature 0 takes the likeliest token after bias and
//! penalties.
//!
//! A constraint, such as a grammar, is asked lazily: first about the tokens that survive the cuts, and only if it forbids
//! all of those about the whole vocabulary, whose allowed part then goes through the same stages.
//!
//! Look next: `options` for what there is, `candidates` for the cuts, `mirostat`, `random`.

mod candidates;
mod logprobs;
mod mirostat;
mod options;
mod random;

use std::collections::VecDeque;

use tilework::layers::core::order;
use tilework::{Error, Result};

use candidates::Candidates;
pub use logprobs::{Logprob, Logprobs};
pub use options::{Mirostat, SampleOptions};
pub use random::Random;

const OP: &str = "sample";
/// How many likeliest tokens a constraint is asked about before it is asked about all.
const N_FIRST: usize = 64;

/// Chooses tokens, one after the other; has a memory of the last ones.
#[derive(Clone, Debug)]
pub struct Sampler {
    options: SampleOptions,
    random: Random,
    mirostat: mirostat::State,
    recent: VecDeque<u32>,
    /// Logits with biases and penalties; kept to spare an allocation per token.
    adjusted: Vec<f32>,
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The token.
    pub token: u32,
    /// Log-probabilities, if [`SampleOptions::logprobs`] asks for them.
    pub logprobs: Option<Logprobs>,
}

/// Says which tokens may come next.
pub type Allows<'a> = &'a mut dyn FnMut(u32) -> bool;

impl Sampler {
    /// A sampler that has seen nothing.
    ///
    /// # Errors
    /// `Argument` for an option out of its range.
    pub fn new(options: SampleOptions) -> Result<Sampler> {
        options.check()?;
        Ok(Sampler {
            random: Random::new(options.seed),
            mirostat: mirostat::State::new(options.mirostat),
            recent: VecDeque::new(),
            adjusted: Vec::new(),
            options,
        })
    }

    /// The options it was made with.
    pub fn options(&self) -> &SampleOptions {
        &self.options
    }

    /// Remembers a token that is part of the text, for penalties: those of the prompt, and each one chosen.
    pub fn accept(&mut self, token: u32) {
        if !self.options.has_penalties() {
            return;
        }
        if self.recent.len() == self.options.penalty_window {
            self.recent.pop_front();
        }
        self.recent.push_back(token);
    }

    /// Chooses among all tokens; `logits` has one per token of the vocabulary. Remembering the choice is up to the caller.
    ///
    /// # Errors
    /// `Argument` if a logit is NaN or +∞, if no token is possible, or if a bias is for a token that does not exist.
    pub fn sample(&mut self, logits: &[f32]) -> Result<Choice> {
        self.sample_where(logits, &mut |_| true)
    }

    /// Chooses among the tokens that `allows` allows. It may be asked about any token, and more than once.
    ///
    /// # Errors
    /// Those of [`Sampler::sample`]; `Argument` too if no possible token is allowed.
    pub fn sample_where(&mut self, logits: &[f32], allows: Allows<'_>) -> Result<Choice> {
        check(logits)?;
        let mut adjusted = std::mem::take(&mut self.adjusted);
        adjusted.clear();
        adjusted.extend_from_slice(logits);
        let token = self.adjust(&mut adjusted).and_then(|()| match self.options.temperature {
            0.0 => likeliest(&adjusted, allows),
            _ => self.draw(&mut adjusted, allows),
        });
        self.adjusted = adjusted;
        let token = token?;
        let logprobs = self.options.logprobs.map(|n_best| Logprobs::of(logits, token, n_best));
        Ok(Choice { token, logprobs })
    }

    /// Biases, then penalties.
    fn adjust(&self, logits: &mut [f32]) -> Result<()> {
        let n_vocab = logits.len();
        for &(token, bias) in &self.options.logit_bias {
            let logit = logits.get_mut(token as usize).ok_or_else(|| {
                Error::argument(OP, format!("logit_bias is for token {token}, but the vocabulary has {n_vocab}"))
            })?;
            *logit = (*logit + bias).min(f32::MAX);
        }
        let mut recent: Vec<u32> = self.recent.iter().copied().collect();
        order::sort_by(&mut recent, Ord::cmp);
        for repeats in recent.chunk_by(|a, b| a == b) {
            let Some(logit) = logits.get_mut(repeats[0] as usize) else { continue };
            let penalty = self.options.repetition_penalty;
            *logit = if *logit > 0.0 { *logit / penalty } else { *logit * penalty };
            *logit -= repeats.len() as f32 * self.options.frequency_penalty + self.options.presence_penalty;
            *logit = logit.min(f32::MAX);
        }
        Ok(())
    }

    /// Cuts and draws.
    fn draw(&mut self, logits: &mut [f32], allows: Allows<'_>) -> Result<u32> {
        let mut candidates = self.cut(logits);
        candidates.retain(|candidate| allows(candidate.token));
        if candidates.len() == 0 {
            for (token, logit) in (0..).zip(logits.iter_mut()) {
                if *logit > f32::NEG_INFINITY && !allows(token) {
                    *logit = f32::NEG_INFINITY;
                }
            }
            candidates = self.cut(logits);
        }
        let chosen = candidates.at(self.random.next_unit()).ok_or_else(nothing_possible)?;
        self.mirostat.observe(self.options.mirostat, chosen, &candidates);
        Ok(chosen.token)
    }

    /// What is left after all stages.
    fn cut(&self, logits: &[f32]) -> Candidates {
        let options = &self.options;
        if options.mirostat != Mirostat::Off {
            let mut candidates = Candidates::all(logits);
            candidates.temperature(options.temperature);
            self.mirostat.cut(options.mirostat, &mut candidates, logits.len());
            return candidates;
        }
        let mut candidates = match options.top_k {
            0 => Candidates::all(logits),
            k => Candidates::top_k(logits, k),
        };
        candidates.typical(options.typical_p);
        candidates.top_p(options.top_p);
        candidates.min_p(options.min_p);
        candidates.temperature(options.temperature);
        candidates
    }
}

/// The likeliest token that is allowed. Most grammars allow one of the first few.
fn likeliest(logits: &[f32], allows: Allows<'_>) -> Result<u32> {
    let first = Candidates::top_k(logits, 1);
    if let Some(best) = first.list().first().filter(|best| allows(best.token)) {
        return Ok(best.token);
    }
    if let Some(best) = Candidates::top_k(logits, N_FIRST).list().iter().skip(1).find(|best| allows(best.token)) {
        return Ok(best.token);
    }
    let mut best: Option<(u32, f32)> = None;
    for (token, &logit) in (0..).zip(logits) {
        if logit > best.map_or(f32::NEG_INFINITY, |(_, best)| best) && allows(token) {
            best = Some((token, logit));
        }
    }
    best.map(|(token, _)| token).ok_or_else(nothing_possible)
}

fn nothing_possible() -> Error {
    Error::argument(OP, "no token is possible: every one is forbidden")
}

fn check(logits: &[f32]) -> Result<()> {
    if logits.is_empty() || u32::try_from(logits.len()).is_err() {
        return Err(Error::shape(OP, format!("{} logits; one per token of a vocabulary is needed", logits.len())));
    }
    // False for NaN, too.
    if logits.iter().all(|&logit| logit < f32::INFINITY) {
        return Ok(());
    }
    let token = logits.iter().position(|logit| logit.is_nan() || *logit == f32::INFINITY).unwrap_or(0);
    Err(Error::argument(OP, format!("the logit of token {token} is {}; the model's numbers overflowed", logits[token])))
}

#[cfg(test)]
mod tests;
