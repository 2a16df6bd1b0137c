//! How the next token is chosen: every option with its range, checked once.

use tilework::{Error, Result};

const OP: &str = "sample";
/// Longest history that penalties may look at.
const MAX_PENALTY_WINDOW: usize = 1 << 16;
/// Most tokens with a bias.
const MAX_BIASES: usize = 1 << 12;
/// Most alternatives that are reported.
const MAX_LOGPROBS: usize = 100;

/// How the next token is chosen. The default is a chat that is lively but does not lose the thread.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleOptions {
    /// Divides logits: below 1 likelier tokens become likelier still. 0 always takes the likeliest. [0, 100], default 0.8.
    pub temperature: f32,
    /// Only this many likeliest tokens; 0 for all. Default 40.
    pub top_k: usize,
    /// Only the likeliest tokens that together have this probability; 1 for all. (0, 1], default 0.95.
    pub top_p: f32,
    /// Only tokens at least this many times as likely as the likeliest; 0 for all. [0, 1], default 0.05.
    pub min_p: f32,
    /// Only tokens about as surprising as expected, of together this probability (Meister et al., "Locally typical
    /// sampling", 2022); 1 for all. (0, 1], default 1.
    pub typical_p: f32,
    /// Divides the logits of tokens that occurred (multiplies negative ones); 1 for none. [0.01, 100], default 1.
    pub repetition_penalty: f32,
    /// Taken off a logit for each time the token occurred. [-100, 100], default 0.
    pub frequency_penalty: f32,
    /// Taken off a logit if the token occurred. [-100, 100], default 0.
    pub presence_penalty: f32,
    /// How many of the last tokens penalties look at; at most 65536, default 64.
    pub penalty_window: usize,
    /// Steers the average surprise instead of cutting tokens off.
    pub mirostat: Mirostat,
    /// Added to the logits of these tokens before anything else; −∞ forbids one.
    pub logit_bias: Vec<(u32, f32)>,
    /// Same seed, same logits: same tokens.
    pub seed: u64,
    /// Reports the log-probability of the chosen token and of so many likeliest ones, at most 100.
    pub logprobs: Option<usize>,
}

/// Mirostat (Basu et al., 2021): keeps the surprise of tokens near `tau` bits, with steps of `eta`. It replaces top-k,
/// typical, top-p and min-p.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Mirostat {
    /// Not used.
    #[default]
    Off,
    /// The paper's: estimates a Zipf exponent from the hundred likeliest tokens and cuts by rank.
    V1 {
        /// Bits of surprise aimed at, (0, 100]; 5 is usual.
        tau: f32,
        /// How fast it adapts, (0, 1]; 0.1 is usual.
        eta: f32,
    },
    /// The simpler second version: cuts off what is more surprising than the running bound.
    V2 {
        /// Bits of surprise aimed at, (0, 100]; 5 is usual.
        tau: f32,
        /// How fast it adapts, (0, 1]; 0.1 is usual.
        eta: f32,
    },
}

impl Default for SampleOptions {
    fn default() -> SampleOptions {
        SampleOptions {
            temperature: 0.8,
            top_k: 40,
            top_p: 0.95,
            min_p: 0.05,
            typical_p: 1.0,
            repetition_penalty: 1.0,
            frequency_penalty: 0.0,
            presence_penalty: 0.0,
            penalty_window: 64,
            mirostat: Mirostat::Off,
            logit_bias: Vec::new(),
            seed: 0,
            logprobs: None,
        }
    }
}

impl SampleOptions {
    /// Always the likeliest token.
    pub fn greedy() -> SampleOptions {
        SampleOptions { temperature: 0.0, ..SampleOptions::default() }
    }

    /// Checks every option.
    ///
    /// # Errors
    /// `Argument`, naming the option and its range.
    pub fn check(&self) -> Result<()> {
        within("temperature", self.temperature, Range::closed(0.0, 100.0))?;
        within("top_p", self.top_p, Range::above(0.0, 1.0))?;
        within("min_p", self.min_p, Range::closed(0.0, 1.0))?;
        within("typical_p", self.typical_p, Range::above(0.0, 1.0))?;
        within("repetition_penalty", self.repetition_penalty, Range::closed(0.01, 100.0))?;
        within("frequency_penalty", self.frequency_penalty, Range::closed(-100.0, 100.0))?;
        within("presence_penalty", self.presence_penalty, Range::closed(-100.0, 100.0))?;
        at_most("penalty_window", self.penalty_window, MAX_PENALTY_WINDOW)?;
        at_most("number of logit_bias", self.logit_bias.len(), MAX_BIASES)?;
        at_most("logprobs", self.logprobs.unwrap_or(0), MAX_LOGPROBS)?;
        if let Mirostat::V1 { tau, eta } | Mirostat::V2 { tau, eta } = self.mirostat {
            within("mirostat tau", tau, Range::above(0.0, 100.0))?;
            within("mirostat eta", eta, Range::above(0.0, 1.0))?;
        }
        for &(token, bias) in &self.logit_bias {
            if bias.is_nan() || bias == f32::INFINITY {
                return Err(Error::argument(
                    OP,
                    format!("logit_bias of token {token} is {bias}; a number or −∞ is needed"),
                ));
            }
        }
        Ok(())
    }

    /// Whether penalties change anything.
    pub(crate) fn has_penalties(&self) -> bool {
        self.penalty_window > 0
            && (self.repetition_penalty != 1.0 || self.frequency_penalty != 0.0 || self.presence_penalty != 0.0)
    }
}

struct Range {
    from: f32,
    to: f32,
    is_open_below: bool,
}

impl Range {
    fn closed(from: f32, to: f32) -> Range {
        Range { from, to, is_open_below: false }
    }

    fn above(from: f32, to: f32) -> Range {
        Range { from, to, is_open_below: true }
    }
}

fn within(name: &str, value: f32, range: Range) -> Result<()> {
    let is_above = if range.is_open_below { value > range.from } else { value >= range.from };
    if is_above && value <= range.to {
        return Ok(());
    }
    let bracket = if range.is_open_below { '(' } else { '[' };
    Err(Error::argument(OP, format!("{name} is {value}; allowed is {bracket}{}, {}]", range.from, range.to)))
}

fn at_most(name: &str, value: usize, most: usize) -> Result<()> {
    if value <= most {
        return Ok(());
    }
    Err(Error::argument(OP, format!("{name} is {value}; allowed is at most {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_named() {
        let d = SampleOptions::default;
        d().check().unwrap();
        SampleOptions::greedy().check().unwrap();
        let cases = [
            ("temperature", SampleOptions { temperature: -1.0, ..d() }),
            ("temperature", SampleOptions { temperature: f32::NAN, ..d() }),
            ("top_p", SampleOptions { top_p: 0.0, ..d() }),
            ("min_p", SampleOptions { min_p: 1.5, ..d() }),
            ("typical_p", SampleOptions { typical_p: f32::INFINITY, ..d() }),
            ("repetition_penalty", SampleOptions { repetition_penalty: 0.0, ..d() }),
            ("frequency_penalty", SampleOptions { frequency_penalty: 1e9, ..d() }),
            ("presence_penalty", SampleOptions { presence_penalty: f32::NAN, ..d() }),
            ("penalty_window", SampleOptions { penalty_window: usize::MAX, ..d() }),
            ("logprobs", SampleOptions { logprobs: Some(1000), ..d() }),
            ("mirostat tau", SampleOptions { mirostat: Mirostat::V2 { tau: 0.0, eta: 0.1 }, ..d() }),
            ("mirostat eta", SampleOptions { mirostat: Mirostat::V1 { tau: 5.0, eta: 2.0 }, ..d() }),
            ("logit_bias", SampleOptions { logit_bias: vec![(3, f32::NAN)], ..d() }),
        ];
        for (name, options) in cases {
            let error = options.check().unwrap_err().to_string();
            assert!(error.contains(name), "{name}: {error}");
        }
    }
}
