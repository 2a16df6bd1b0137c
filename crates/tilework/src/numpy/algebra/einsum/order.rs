//! Which two operands to contract next.

use super::subscripts::Label;
use std::collections::BTreeMap;

/// Sizes of labels.
pub(super) type Sizes = BTreeMap<Label, usize>;

/// With more operands than this, the first two are taken: looking at all pairs again and again would take longer than it saves.
const MAX_SEARCHED: usize = 64;

/// The pair that leaves least behind, compared with what it takes away; of equals the cheapest. Pairs that share no label come last.
pub(super) fn next_pair(terms: &[&[Label]], output: &[Label], sizes: &Sizes) -> (usize, usize) {
    let mut best = ((true, f64::INFINITY, f64::INFINITY), (0, 1));
    if terms.len() > MAX_SEARCHED {
        return best.1;
    }
    for i in 0..terms.len() {
        for j in i + 1..terms.len() {
            let rank = rank(terms, (i, j), output, sizes);
            if rank < best.0 {
                best = (rank, (i, j));
            }
        }
    }
    best.1
}

/// Whether the pair shares nothing, how many elements there are more afterwards, and the number of products.
fn rank(terms: &[&[Label]], (i, j): (usize, usize), output: &[Label], sizes: &Sizes) -> (bool, f64, f64) {
    let (a, b) = (terms[i], terms[j]);
    let union: Vec<Label> = a.iter().copied().chain(b.iter().copied().filter(|label| !a.contains(label))).collect();
    let count = |labels: &mut dyn Iterator<Item = &Label>| -> f64 {
        labels.map(|label| sizes.get(label).map_or(1.0, |&size| size as f64)).product()
    };
    let result = count(&mut union.iter().filter(|label| is_kept(**label, terms, (i, j), output)));
    let taken = count(&mut a.iter()) + count(&mut b.iter());
    (union.len() == a.len() + b.len(), result - taken, count(&mut union.iter()))
}

/// Whether a label is still needed once these two are contracted.
pub(super) fn is_kept(label: Label, terms: &[&[Label]], (i, j): (usize, usize), output: &[Label]) -> bool {
    let is_other = |(at, labels): (usize, &&[Label])| at != i && at != j && labels.contains(&label);
    output.contains(&label) || terms.iter().enumerate().any(is_other)
}
