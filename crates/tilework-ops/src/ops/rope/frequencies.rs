//! Which pair turns how fast.
//!
//! Pair `i` of `n_dims/2` turns by `θᵢ = base^(−2i/n_dims)` radians per position (Su et al., "RoFormer", 2021). Scalings stretch
//! that to contexts longer than the one a model was trained with.

use crate::attrs::Given;
use std::f64::consts::TAU;
use tilework_core::{Error, Result};

/// How frequencies are changed for long contexts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RopeScaling {
    /// Not at all.
    #[default]
    None,
    /// All divided by `factor` (Chen et al., "Extending Context Window of Large Language Models via Positional Interpolation",
    /// 2023).
    Linear {
        /// How many times longer the context becomes.
        factor: f64,
    },
    /// Slow pairs divided by `factor`, fast ones kept, a ramp between (Peng et al., "YaRN", 2023, section 3.2): pairs that turn
    /// more than `beta_fast` times in the original context are fast, those that turn less than `beta_slow` times are slow.
    Yarn {
        /// How many times longer the context becomes.
        factor: f64,
        /// Positions of the original context.
        original_context: f64,
        /// Turns from which on a pair is kept; 32 in the paper.
        beta_fast: f64,
        /// Turns up to which a pair is divided; 1 in the paper.
        beta_slow: f64,
        /// Amplitude of the rotation; `0.1·ln(factor) + 1` (section 3.4) if it is not given.
        attention_factor: Option<f64>,
    },
    /// As Llama 3.1 does it: by wavelength `2π/θ`, long ones (over `original_context/low_freq_factor`) divided by `factor`, short
    /// ones (under `original_context/high_freq_factor`) kept, those between mixed.
    Llama3 {
        /// How many times longer the context becomes.
        factor: f64,
        /// Turns in the original context up to which a pair is divided.
        low_freq_factor: f64,
        /// Turns in the original context from which on a pair is kept.
        high_freq_factor: f64,
        /// Positions of the original context.
        original_context: f64,
    },
}

/// The frequencies of a rotary embedding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopeFrequencies {
    /// Elements of a row that are rotated; even.
    pub n_dims: usize,
    /// Ratio of the fastest to the slowest frequency, nearly; 10 000 in the original.
    pub base: f64,
    /// How they are changed.
    pub scaling: RopeScaling,
}

impl RopeFrequencies {
    /// Frequencies for `n_dims` elements with this base, unscaled.
    pub fn new(n_dims: usize, base: f64) -> RopeFrequencies {
        RopeFrequencies { n_dims, base, scaling: RopeScaling::None }
    }

    /// The same, scaled.
    #[must_use]
    pub fn scaled(self, scaling: RopeScaling) -> RopeFrequencies {
        RopeFrequencies { scaling, ..self }
    }

    /// Radians per position of every pair.
    pub fn radians(&self) -> Vec<f64> {
        let n = self.n_dims as f64;
        (0..self.n_dims / 2).map(|pair| self.scale(pair as f64, self.base.powf(-2.0 * pair as f64 / n))).collect()
    }

    fn scale(&self, pair: f64, theta: f64) -> f64 {
        match self.scaling {
            RopeScaling::None => theta,
            RopeScaling::Linear { factor } => theta / factor,
            RopeScaling::Yarn { factor, original_context, beta_fast, beta_slow, .. } => {
                // The pair that turns `beta` times in the original context.
                let n = self.n_dims as f64;
                let pair_of = |beta: f64| n * (original_context / (beta * TAU)).ln() / (2.0 * self.base.ln());
                let low = pair_of(beta_fast).floor().max(0.0);
                let high = pair_of(beta_slow).ceil().min(n - 1.0);
                // Equal ends would divide by zero, and those of a tiny context are the wrong way around; a thousandth keeps the ramp a
                // step.
                let width = (high - low).max(1e-3);
                let slow = ((pair - low) / width).clamp(0.0, 1.0);
                theta / factor * slow + theta * (1.0 - slow)
            }
            RopeScaling::Llama3 { factor, low_freq_factor, high_freq_factor, original_context } => {
                let n_turns = original_context * theta / TAU;
                if n_turns < low_freq_factor {
                    theta / factor
                } else if n_turns > high_freq_factor {
                    theta
                } else {
                    let fast = (n_turns - low_freq_factor) / (high_freq_factor - low_freq_factor);
                    theta / factor * (1.0 - fast) + theta * fast
                }
            }
        }
    }

    /// What rotated elements are multiplied with.
    pub fn amplitude(&self) -> f64 {
        match self.scaling {
            RopeScaling::Yarn { factor, attention_factor, .. } => {
                attention_factor.unwrap_or(if factor > 1.0 { 0.1 * factor.ln() + 1.0 } else { 1.0 })
            }
            _ => 1.0,
        }
    }

    /// Turns per position as fractions of 2⁶⁴: the high words of all pairs, then the low ones. That is what the operation takes.
    pub fn table(&self) -> Result<Vec<u32>> {
        if !self.n_dims.is_multiple_of(2) {
            return Err(Error::argument("rope_frequencies", format!("{} elements are not pairs", self.n_dims)));
        }
        RopeFrequencies::table_of(&self.radians())
    }

    /// The same for radians per position of every pair, from wherever they are.
    pub fn table_of(radians: &[f64]) -> Result<Vec<u32>> {
        if radians.iter().any(|theta| !theta.is_finite()) {
            return Err(Error::argument("rope_frequencies", "some frequencies are not finite"));
        }
        let words: Vec<u64> = radians.iter().map(|theta| fraction(theta / TAU)).collect();
        Ok(words.iter().map(|word| (word >> 32) as u32).chain(words.iter().map(|&word| word as u32)).collect())
    }
}

/// The attributes of [`RopeFrequencies::from_attributes`].
pub const FREQUENCY_ATTRIBUTES: &[&str] = &[
    "n_dims",
    "base",
    "scaling",
    "factor",
    "original_context",
    "beta_fast",
    "beta_slow",
    "attention_factor",
    "low_freq_factor",
    "high_freq_factor",
];

impl RopeFrequencies {
    /// From attributes by name: `n_dims`, `base` (10 000 unless told), `scaling` (`none`, `linear`, `yarn` or `llama3`) and the
    /// numbers that scaling takes.
    pub fn from_attributes(given: &Given<'_>) -> Result<RopeFrequencies> {
        type Read = fn(&Given<'_>) -> Result<RopeScaling>;
        let choices: [(&str, Read); 4] = [
            ("none", |_| Ok(RopeScaling::None)),
            ("linear", |given| Ok(RopeScaling::Linear { factor: given.number("factor")? })),
            ("yarn", |given| {
                let attention_factor = given.number_or("attention_factor", f64::NAN)?;
                Ok(RopeScaling::Yarn {
                    factor: given.number("factor")?,
                    original_context: given.number("original_context")?,
                    beta_fast: given.number_or("beta_fast", 32.0)?,
                    beta_slow: given.number_or("beta_slow", 1.0)?,
                    attention_factor: (!attention_factor.is_nan()).then_some(attention_factor),
                })
            }),
            ("llama3", |given| {
                Ok(RopeScaling::Llama3 {
                    factor: given.number("factor")?,
                    low_freq_factor: given.number_or("low_freq_factor", 1.0)?,
                    high_freq_factor: given.number_or("high_freq_factor", 4.0)?,
                    original_context: given.number("original_context")?,
                })
            }),
        ];
        let read = given.choice("scaling", &choices, Some(choices[0].1))?;
        let base = given.number_or("base", 10_000.0)?;
        Ok(RopeFrequencies { n_dims: given.size("n_dims")?, base, scaling: read(given)? })
    }
}

/// A number of turns modulo one, in units of 2⁻⁶⁴.
fn fraction(turns: f64) -> u64 {
    const HALF_WORDS: f64 = 4_294_967_296.0;
    let high = turns.rem_euclid(1.0) * HALF_WORDS;
    ((high.floor() as u64) << 32) | ((high.fract() * HALF_WORDS) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalings_agree_with_their_formulas() {
        let plain = RopeFrequencies::new(128, 10_000.0).radians();
        assert_eq!(plain[0], 1.0);
        assert!((plain[32] - 0.01).abs() < 1e-15);
        let linear = RopeFrequencies::new(128, 10_000.0).scaled(RopeScaling::Linear { factor: 4.0 }).radians();
        assert!(plain.iter().zip(&linear).all(|(a, b)| (a / 4.0 - b).abs() < 1e-18));
        let llama3 =
            RopeScaling::Llama3 { factor: 8.0, low_freq_factor: 1.0, high_freq_factor: 4.0, original_context: 8192.0 };
        let plain = RopeFrequencies::new(128, 500_000.0).radians();
        let scaled = RopeFrequencies::new(128, 500_000.0).scaled(llama3).radians();
        // Pair 0 turns 1304 times in 8192 positions and is kept; the last turns less than once and is divided.
        assert_eq!((scaled[0], scaled[63]), (plain[0], plain[63] / 8.0));
        assert!(scaled.windows(2).all(|two| two[0] > two[1]));
    }

    #[test]
    fn yarn_keeps_fast_pairs_and_divides_slow_ones() {
        let yarn = RopeScaling::Yarn {
            factor: 16.0,
            original_context: 4096.0,
            beta_fast: 32.0,
            beta_slow: 1.0,
            attention_factor: None,
        };
        let frequencies = RopeFrequencies::new(128, 10_000.0).scaled(yarn);
        let (plain, scaled) = (RopeFrequencies::new(128, 10_000.0).radians(), frequencies.radians());
        // 128·ln(4096/(2π·32))/(2·ln 10000) = 20.9…, 128·ln(4096/2π)/(2·ln 10000) = 45.03….
        assert_eq!(scaled[20], plain[20]);
        assert_eq!(scaled[46], plain[46] / 16.0);
        let middle = plain[33] / 16.0 * 0.5 + plain[33] * 0.5;
        assert!((scaled[33] - middle).abs() < 1e-12);
        assert!((frequencies.amplitude() - (0.1 * 16f64.ln() + 1.0)).abs() < 1e-15);
    }

    #[test]
    fn yarn_of_a_tiny_context_divides_all_but_the_first_pair() {
        let yarn = RopeScaling::Yarn {
            factor: 4.0,
            original_context: 1.0,
            beta_fast: 32.0,
            beta_slow: 1.0,
            attention_factor: None,
        };
        let (plain, scaled) =
            (RopeFrequencies::new(16, 10_000.0).radians(), RopeFrequencies::new(16, 10_000.0).scaled(yarn).radians());
        assert_eq!((scaled[0], scaled[1], scaled[7]), (plain[0], plain[1] / 4.0, plain[7] / 4.0));
    }

    #[test]
    fn odd_sizes_are_refused() {
        assert!(RopeFrequencies::new(3, 10.0).table().is_err());
        assert!(RopeFrequencies::new(4, -1.0).table().is_err());
        assert_eq!(RopeFrequencies::new(0, 10.0).table().unwrap(), Vec::<u32>::new());
    }
}
