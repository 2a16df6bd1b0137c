//! Tokens that may still be chosen, and the stages that cut some off.
//!
//! A vocabulary has 150 000 tokens and more, and this runs for every one that is generated: nothing is sorted that need not be.
//! Candidates are in order of likelihood, or in order of tokens; [`Candidates::best`] sorts as many as are asked for.

use std::cmp::Ordering;
use tilework::layers::core::order::sorted_positions;

/// A token and its logit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) token: u32,
    pub(crate) logit: f32,
}

/// Likelier first; equal ones in order of tokens, so that the order is one and the same on every machine.
fn order(a: &Candidate, b: &Candidate) -> Ordering {
    b.logit.total_cmp(&a.logit).then(a.token.cmp(&b.token))
}

/// What may still be chosen; never empty.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    list: Vec<Candidate>,
    /// So many of the first are sorted, and no other is likelier than they are.
    n_sorted: usize,
}

impl Candidates {
    /// All tokens that are possible at all: those with −∞ are not.
    pub(crate) fn all(logits: &[f32]) -> Candidates {
        let list = (0..).zip(logits).filter(|(_, logit)| **logit > f32::NEG_INFINITY);
        Candidates { list: list.map(|(token, &logit)| Candidate { token, logit }).collect(), n_sorted: 0 }
    }

    /// The `k` likeliest tokens, in order. Reads the logits once: few tokens pass the bar of the `k`-th best so far.
    pub(crate) fn top_k(logits: &[f32], k: usize) -> Candidates {
        let k = k.max(1);
        if k >= logits.len() / 4 {
            let mut candidates = Candidates::all(logits);
            candidates.keep_best(k);
            return candidates;
        }
        let n_most = 4 * k;
        let mut list: Vec<Candidate> = Vec::with_capacity(n_most);
        let mut bar = f32::NEG_INFINITY;
        for (token, &logit) in (0..).zip(logits) {
            if logit <= bar {
                continue;
            }
            list.push(Candidate { token, logit });
            if list.len() == n_most {
                list.select_nth_unstable_by(k - 1, order);
                list.truncate(k);
                bar = list[k - 1].logit;
            }
        }
        let mut candidates = Candidates { list, n_sorted: 0 };
        candidates.keep_best(k);
        candidates
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn list(&self) -> &[Candidate] {
        &self.list
    }

    /// Keeps those that `keep` wants, in the same order.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Candidate) -> bool) {
        let n_sorted = self.n_sorted;
        let (mut idx, mut n_kept_sorted) = (0, 0);
        self.list.retain(|candidate| {
            let is_kept = keep(candidate);
            n_kept_sorted += usize::from(is_kept && idx < n_sorted);
            idx += 1;
            is_kept
        });
        self.n_sorted = n_kept_sorted;
    }

    /// The `n` likeliest (or all, if there are fewer) in order; they are then the first of the list.
    pub(crate) fn best(&mut self, n: usize) -> &[Candidate] {
        let n = n.min(self.list.len());
        if n > self.n_sorted {
            let rest = &mut self.list[self.n_sorted..];
            let n_more = n - self.n_sorted;
            if n_more < rest.len() {
                rest.select_nth_unstable_by(n_more - 1, order);
            }
            rest[..n_more].sort_unstable_by(order);
            self.n_sorted = n;
        }
        &self.list[..n]
    }

    /// Keeps the `k` likeliest.
    pub(crate) fn keep_best(&mut self, k: usize) {
        self.best(k);
        self.list.truncate(k.max(1));
    }

    /// The largest logit.
    pub(crate) fn max(&self) -> f32 {
        self.list.iter().fold(f32::NEG_INFINITY, |max, candidate| max.max(candidate.logit))
    }

    /// e to the difference of each logit from the largest one, and their sum.
    pub(crate) fn weights(&self) -> (Vec<f64>, f64) {
        let max = f64::from(self.max());
        let weights: Vec<f64> = self.list.iter().map(|candidate| (f64::from(candidate.logit) - max).exp()).collect();
        let sum = weights.iter().sum();
        (weights, sum)
    }

    /// Keeps the fewest likeliest tokens whose probability is at least `p` together.
    pub(crate) fn top_p(&mut self, p: f32) {
        if p >= 1.0 {
            return;
        }
        let max = f64::from(self.max());
        let weight = |candidate: &Candidate| (f64::from(candidate.logit) - max).exp();
        let enough = f64::from(p) * self.list.iter().map(weight).sum::<f64>();
        let (mut n, mut n_seen, mut sum) = (64, 0, 0.0);
        loop {
            // More are sorted only while they are needed.
            for candidate in &self.best(n)[n_seen..] {
                sum += weight(candidate);
                n_seen += 1;
                if sum >= enough {
                    self.list.truncate(n_seen);
                    return;
                }
            }
            if n_seen == self.list.len() {
                return;
            }
            n *= 8;
        }
    }

    /// Keeps tokens at least `p` times as likely as the likeliest.
    pub(crate) fn min_p(&mut self, p: f32) {
        if p > 0.0 {
            let least = self.max() + p.ln();
            self.retain(|candidate| candidate.logit >= least);
        }
    }

    /// Keeps the tokens whose surprise is closest to the expected one, of together the probability `p`.
    pub(crate) fn typical(&mut self, p: f32) {
        if p >= 1.0 {
            return;
        }
        let (weights, sum) = self.weights();
        let surprise = |weight: f64| -(weight / sum).ln();
        let expected: f64 = weights.iter().filter(|weight| **weight > 0.0).map(|&w| w / sum * surprise(w)).sum();
        let distances: Vec<f64> = weights.iter().map(|&weight| (surprise(weight) - expected).abs()).collect();
        let by_distance = sorted_positions(distances.len(), &mut |a, b| distances[a].total_cmp(&distances[b]));
        let mut cumulated = 0.0;
        let mut is_kept = vec![false; weights.len()];
        for idx in by_distance {
            is_kept[idx] = true;
            cumulated += weights[idx] / sum;
            if cumulated > f64::from(p) {
                break;
            }
        }
        let mut idx = 0;
        self.retain(|_| {
            idx += 1;
            is_kept[idx - 1]
        });
    }

    /// Divides all logits, taken from the largest, which cannot overflow.
    pub(crate) fn temperature(&mut self, temperature: f32) {
        let max = self.max();
        for candidate in &mut self.list {
            candidate.logit = (candidate.logit - max) / temperature;
        }
    }

    /// The one in which `unit`, of [0, 1), falls when each is as wide as it is probable.
    pub(crate) fn at(&self, unit: f64) -> Option<Candidate> {
        let (weights, sum) = self.weights();
        let mut left = unit * sum;
        for (candidate, weight) in self.list.iter().zip(weights) {
            if left < weight {
                return Some(*candidate);
            }
            left -= weight;
        }
        // Rounding can leave a little over.
        self.list.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logs(probabilities: &[f32]) -> Vec<f32> {
        probabilities.iter().map(|p| p.ln()).collect()
    }

    fn tokens(candidates: &Candidates) -> Vec<u32> {
        candidates.list.iter().map(|candidate| candidate.token).collect()
    }

    #[test]
    fn selection_agrees_with_sorting() {
        let mut random = super::super::Random::new(3);
        // Few distinct values, so that ties are decided.
        let logits: Vec<f32> = (0..5000).map(|_| (random.next_unit() * 700.0).floor() as f32).collect();
        let mut sorted = Candidates::all(&logits).list;
        sorted.sort_by(order);
        for k in [1, 2, 40, 999, 1250, 4999, 5000, 9999] {
            assert_eq!(Candidates::top_k(&logits, k).list, sorted[..k.min(5000)], "{k}");
            let mut some = Candidates::all(&logits);
            some.best(k / 2);
            assert_eq!(some.best(k), &sorted[..k.min(5000)], "{k}");
        }
    }

    #[test]
    fn stages_by_hand() {
        // Probabilities 0.1, 0.5, 0.1, 0.3.
        let all = Candidates::all(&logs(&[0.1, 0.5, 0.1, 0.3]));
        let after = |stage: &dyn Fn(&mut Candidates)| {
            let mut candidates = all.clone();
            stage(&mut candidates);
            tokens(&candidates)
        };
        assert_eq!(after(&|c| c.top_p(0.49)), [1]);
        assert_eq!(after(&|c| c.top_p(0.75)), [1, 3]);
        assert_eq!(after(&|c| c.top_p(0.85)), [1, 3, 0]);
        assert_eq!(after(&|c| c.top_p(1.0)), [0, 1, 2, 3]);
        assert_eq!(after(&|c| c.min_p(0.55)), [1, 3]);
        assert_eq!(after(&|c| c.min_p(0.15)), [0, 1, 2, 3]);
        assert_eq!(after(&|c| c.keep_best(2)), [1, 3]);
        // Entropy 1.168 nats. Surprises 2.303, 0.693, 2.303, 1.204: closest is token 3, then 1, then 0 and 2.
        assert_eq!(after(&|c| c.typical(0.2)), [3]);
        assert_eq!(after(&|c| c.typical(0.5)), [1, 3]);
        assert_eq!(after(&|c| c.typical(0.85)), [0, 1, 3]);
    }

    #[test]
    fn top_p_of_a_flat_distribution_sorts_no_more_than_it_needs() {
        let mut flat = Candidates::all(&vec![0.0; 100_000]);
        flat.top_p(0.01);
        assert_eq!(flat.len(), 1000);
        assert!(flat.n_sorted < 5000);
    }

    #[test]
    fn units_fall_where_the_probabilities_say() {
        let candidates = Candidates::all(&logs(&[0.25, 0.5, 0.25]));
        let at = |unit| candidates.at(unit).unwrap().token;
        assert_eq!([at(0.0), at(0.24), at(0.26), at(0.74), at(0.76), at(1.0 - f64::EPSILON)], [0, 0, 1, 1, 2, 2]);
    }
}
