//! Mirostat: a bound on surprise that follows the surprise observed (Basu et al., "Mirostat: a neural text decoding algorithm
//! that directly controls perplexity", 2021). Version 1 is the paper's algorithm 1, version 2 the authors' later one.

use super::candidates::{Candidate, Candidates};
use super::options::Mirostat;

/// How many tokens version 1 estimates the Zipf exponent from.
const N_ESTIMATE: usize = 100;

/// The running bound, in bits.
#[derive(Clone, Debug)]
pub(crate) struct State {
    mu: f64,
}

impl State {
    pub(crate) fn new(mirostat: Mirostat) -> State {
        match mirostat {
            Mirostat::Off => State { mu: 0.0 },
            Mirostat::V1 { tau, .. } | Mirostat::V2 { tau, .. } => State { mu: 2.0 * f64::from(tau) },
        }
    }

    /// Cuts off what is too surprising; at least the likeliest token remains. `n_vocab` is the size of the vocabulary.
    pub(crate) fn cut(&self, mirostat: Mirostat, candidates: &mut Candidates, n_vocab: usize) {
        match mirostat {
            Mirostat::Off => {}
            Mirostat::V1 { .. } => {
                let k = self.rank(candidates, n_vocab);
                candidates.keep_best(k);
            }
            Mirostat::V2 { .. } => {
                let (_, sum) = candidates.weights();
                let max = candidates.max();
                // −log₂ p ≤ µ; the likeliest stays in any case.
                let least = f64::from(max) + sum.ln() - self.mu * std::f64::consts::LN_2;
                candidates.retain(|candidate| f64::from(candidate.logit) >= least || candidate.logit == max);
            }
        }
    }

    /// Version 1: how many tokens have a surprise below µ if they follow Zipf's law with the exponent of the likeliest ones.
    fn rank(&self, candidates: &mut Candidates, n_vocab: usize) -> usize {
        let best = candidates.best(N_ESTIMATE);
        let (mut products, mut squares) = (0.0, 0.0);
        for (idx, pair) in best.windows(2).enumerate() {
            let t = ((idx + 2) as f64 / (idx + 1) as f64).ln();
            // ln (pᵢ / pᵢ₊₁) is a difference of logits.
            products += t * f64::from(pair[0].logit - pair[1].logit);
            squares += t * t;
        }
        let s = if squares > 0.0 { products / squares } else { 1.0 };
        let epsilon = s - 1.0;
        let k = (epsilon * self.mu.exp2() / (1.0 - (n_vocab as f64).powf(-epsilon))).powf(1.0 / s);
        // An estimate that is not a number says nothing: all remain.
        if k.is_nan() { candidates.len().max(1) } else { (k as usize).clamp(1, candidates.len().max(1)) }
    }

    /// Moves the bound by the surprise of what was chosen, in bits, among the `candidates` it was chosen from.
    pub(crate) fn observe(&mut self, mirostat: Mirostat, chosen: Candidate, candidates: &Candidates) {
        let (tau, eta) = match mirostat {
            Mirostat::Off => return,
            Mirostat::V1 { tau, eta } | Mirostat::V2 { tau, eta } => (f64::from(tau), f64::from(eta)),
        };
        let (_, sum) = candidates.weights();
        let surprise = (sum.ln() - f64::from(chosen.logit - candidates.max())) / std::f64::consts::LN_2;
        self.mu -= eta * (surprise - tau);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const V2: Mirostat = Mirostat::V2 { tau: 1.0, eta: 0.5 };

    #[test]
    fn version_two_by_hand() {
        // Surprises 1, 2, 3 and 3 bits; the bound starts at 2.
        let logits: Vec<f32> = [0.5f32, 0.25, 0.125, 0.125].iter().map(|p| p.ln()).collect();
        let mut candidates = Candidates::all(&logits);
        let mut state = State::new(V2);
        state.mu += 1e-6;
        state.cut(V2, &mut candidates, 4);
        assert_eq!(candidates.len(), 2);
        // The second of two with 2/3 and 1/3: log₂ 3 bits, half of the excess over 1 off the bound.
        let second = candidates.list()[1];
        state.observe(V2, second, &candidates);
        assert!((state.mu - (2.0 - 0.5 * (3f64.log2() - 1.0))).abs() < 1e-5, "{}", state.mu);
    }

    #[test]
    fn the_likeliest_token_always_remains() {
        let mut candidates = Candidates::all(&[0.0; 64]);
        State { mu: -5.0 }.cut(V2, &mut candidates, 64);
        assert_eq!(candidates.len(), 64, "all are the likeliest");
        let mut candidates = Candidates::all(&[1.0, 0.0]);
        State { mu: -5.0 }.cut(V2, &mut candidates, 2);
        assert_eq!(candidates.len(), 1);
    }

    #[test]
    fn version_one_finds_the_rank_of_a_zipf_law() {
        // pᵢ ∝ i⁻²: the estimate of the exponent is exact, and the formula then gives the rank.
        let n = 1000;
        let logits: Vec<f32> = (1..=n).map(|rank| -2.0 * (rank as f32).ln()).collect();
        let mut candidates = Candidates::all(&logits);
        let state = State { mu: 8.0 };
        let want = (256.0 / (1.0 - 1.0 / n as f64)).sqrt() as usize;
        assert_eq!(state.rank(&mut candidates, n), want);
        state.cut(Mirostat::V1 { tau: 4.0, eta: 0.1 }, &mut candidates, n);
        assert_eq!(candidates.len(), 16);
    }

    #[test]
    fn surprise_settles_at_tau() {
        let logits: Vec<f32> = (1..=2000).map(|rank| -1.1 * (rank as f32).ln()).collect();
        for mirostat in [Mirostat::V1 { tau: 4.0, eta: 0.1 }, Mirostat::V2 { tau: 4.0, eta: 0.1 }] {
            let mut state = State::new(mirostat);
            let mut random = super::super::Random::new(5);
            let mut bits = 0.0;
            for _ in 0..1000 {
                let mut candidates = Candidates::all(&logits);
                state.cut(mirostat, &mut candidates, logits.len());
                let chosen = candidates.at(random.next_unit()).unwrap();
                let before = state.mu;
                state.observe(mirostat, chosen, &candidates);
                bits += 4.0 + (before - state.mu) / 0.1;
            }
            assert!((bits / 1000.0 - 4.0).abs() < 0.2, "{mirostat:?}: {}", bits / 1000.0);
        }
    }
}
