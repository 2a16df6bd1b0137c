//! Merging neighbors, best first.
//!
//! A text is a chain of symbols. As long as some pair of neighbors can be merged, the best one is; ties go to the left. Candidates wait
//! in a priority queue, and one whose symbols have changed since is dropped when its turn comes, so a text of n symbols takes
//! O(n log n) (Sennrich et al. 2016; the queue as in SentencePiece).

use std::collections::BinaryHeap;

/// What pairs may be merged.
pub(super) trait Pairs {
    /// A symbol of the chain.
    type Symbol: Copy + PartialEq;
    /// How good a pair is; the greatest is merged first.
    type Merit: Ord;

    /// Merit and result of a pair, `None` if it stays.
    fn merged(&self, left: Self::Symbol, right: Self::Symbol) -> Option<(Self::Merit, Self::Symbol)>;
}

struct Candidate<P: Pairs> {
    merit: P::Merit,
    left: usize,
    right: usize,
    /// What left and right were when this was found.
    pair: (P::Symbol, P::Symbol),
    merged: P::Symbol,
}

impl<P: Pairs> Ord for Candidate<P> {
    fn cmp(&self, other: &Candidate<P>) -> std::cmp::Ordering {
        self.merit.cmp(&other.merit).then_with(|| other.left.cmp(&self.left))
    }
}

impl<P: Pairs> PartialOrd for Candidate<P> {
    fn partial_cmp(&self, other: &Candidate<P>) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<P: Pairs> PartialEq for Candidate<P> {
    fn eq(&self, other: &Candidate<P>) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<P: Pairs> Eq for Candidate<P> {}

/// A symbol and its neighbors; `None` once it is part of its left neighbor.
struct Link<S> {
    symbol: Option<S>,
    previous: Option<usize>,
    next: Option<usize>,
}

/// The symbols that are left when nothing can be merged.
pub(super) fn merge<P: Pairs>(pairs: &P, symbols: impl Iterator<Item = P::Symbol>) -> Vec<P::Symbol> {
    let mut chain: Vec<Link<P::Symbol>> = Vec::new();
    for (at, symbol) in symbols.enumerate() {
        if let Some(last) = chain.last_mut() {
            last.next = Some(at);
        }
        chain.push(Link { symbol: Some(symbol), previous: at.checked_sub(1), next: None });
    }
    let mut queue: BinaryHeap<Candidate<P>> = BinaryHeap::new();
    queue.extend((1..chain.len()).filter_map(|right| candidate(pairs, &chain, right - 1, right)));
    while let Some(Candidate { left, right, pair, merged, .. }) = queue.pop() {
        if chain[left].symbol != Some(pair.0) || chain[right].symbol != Some(pair.1) || chain[left].next != Some(right)
        {
            continue;
        }
        let after = chain[right].next;
        chain[right].symbol = None;
        chain[left].symbol = Some(merged);
        chain[left].next = after;
        if let Some(after) = after {
            chain[after].previous = Some(left);
            queue.extend(candidate(pairs, &chain, left, after));
        }
        if let Some(before) = chain[left].previous {
            queue.extend(candidate(pairs, &chain, before, left));
        }
    }
    chain.into_iter().filter_map(|link| link.symbol).collect()
}

fn candidate<P: Pairs>(pairs: &P, chain: &[Link<P::Symbol>], left: usize, right: usize) -> Option<Candidate<P>> {
    let pair = (chain[left].symbol?, chain[right].symbol?);
    let (merit, merged) = pairs.merged(pair.0, pair.1)?;
    Some(Candidate { merit, left, right, pair, merged })
}
