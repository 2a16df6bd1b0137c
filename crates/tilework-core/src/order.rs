//! Sorting lists that are short or sorted once: one routine for all of them.
//!
//! The standard library's sort is compiled anew for every type and comparison, several kilobytes each time; a module for browsers
//! that sorts a dozen different lists would be a tenth sorting routines. Here positions are sorted by a comparison that is called
//! through a pointer, and the elements follow.

use std::cmp::Ordering;

/// The positions of `n` elements in ascending order; equals keep their order.
pub fn sorted_positions(n: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..n).collect();
    positions.sort_by(|&a, &b| compare(a, b));
    positions
}

/// Sorts `items`; equals keep their order.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let positions = sorted_positions(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    rearrange(&positions, &mut |a, b| items.swap(a, b));
}

/// Sorts `items` by what `key` tells of each; equals keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Swaps elements until the one that was at `from[k]` is at `k`.
fn rearrange(from: &[usize], swap: &mut dyn FnMut(usize, usize)) {
    for k in 0..from.len() {
        // Where it is now: earlier swaps have moved it if it was before `k`.
        let mut place = from[k];
        while place < k {
            place = from[place];
        }
        if place != k {
            swap(k, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(items in prop::collection::vec((0u8..6, 0u8..200), 0..40)) {
            let (mut got, mut want) = (items.clone(), items);
            sort_by_key(&mut got, |item| item.0);
            want.sort_by_key(|item| item.0);
            prop_assert_eq!(got, want);
        }
    }

    #[test]
    fn the_comparison_may_go_down() {
        let mut items = [3.0f64, -1.0, 7.5, 0.0];
        sort_by(&mut items, |a, b| b.total_cmp(a));
        assert_eq!(items, [7.5, 3.0, 0.0, -1.0]);
    }
}
