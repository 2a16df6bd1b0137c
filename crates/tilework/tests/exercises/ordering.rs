//! Sorting, searching and sets.

use crate::Exercise;
use crate::expect::{floats, ints, is, now, truths};
use tilework::{Bounds, KeepAxes, Side};

pub(crate) const EXERCISES: &[Exercise] = &[
    (53, "The rows of a table sorted by its second column.", |d| {
        let table = ints(d, [1, 30, 2, 10, 3, 20]).reshape([3, 2]);
        is(&table.get(&table.index(1, 1).argsort(0)), [3, 2], [2, 10, 3, 20, 1, 30]);
    }),
    (54, "The three largest, largest first.", |d| {
        is(&ints(d, [4, 9, 1, 7, 8]).top_k(3, 0), [3], [9, 8, 7]);
    }),
    (55, "The place of each runner, by time.", |d| {
        is(&(floats(d, [12.5, 11.0, 13.0]).argsort(0).argsort(0) + 1), [3], [2, 1, 3]);
    }),
    (56, "People in order of family, then of age.", |d| {
        let (family, age) = (ints(d, [2, 1, 2, 1]), ints(d, [30, 40, 20, 10]));
        is(&d.lexsort(&[&age, &family], 0), [4], [3, 1, 2, 0]);
    }),
    (57, "The value that occurs most often.", |d| {
        let unique = now(ints(d, [7, 3, 7, 5, 3, 7]).unique());
        is(&unique.values, [3], [3, 5, 7]);
        is(&unique.values.take(&unique.counts.argmax(0), 0), [], [7]);
    }),
    (58, "Members of both clubs, of either, of the first alone, and of exactly one.", |d| {
        let (a, b) = (ints(d, [5, 1, 3, 3]), ints(d, [3, 4, 5]));
        is(&now(a.intersect1d(&b)), [2], [3, 5]);
        is(&now(a.union1d(&b)), [4], [1, 3, 4, 5]);
        is(&now(a.setdiff1d(&b)), [1], [1]);
        is(&now(a.setxor1d(&b)), [2], [1, 4]);
    }),
    (59, "Which visitors are on the list.", |d| {
        is(&ints(d, [4, 8, 15, 16]).isin(&ints(d, [16, 8])), [4], [0, 1, 0, 1]);
    }),
    (60, "Where new numbers go in a sorted row, behind equal ones.", |d| {
        let sorted = ints(d, [10, 20, 20, 30]);
        is(&sorted.searchsorted(&ints(d, [5, 20, 40]), Side::Right), [3], [0, 3, 4]);
    }),
    (61, "The third smallest element.", |d| {
        is(&ints(d, [9, 2, 7, 4, 5]).partition(&[2], Some(0)).index(0, 2), [], [5]);
    }),
    (62, "The distinct rows of a table of small numbers.", |d| {
        let table = ints(d, [1, 2, 0, 1, 1, 2, 0, 1]).reshape([4, 2]);
        let codes = d.ravel_multi_index(&[&table.index(1, 0), &table.index(1, 1)], [3, 3], Bounds::Nearest);
        let columns = now(codes.unique()).values.unravel_index([3, 3]).unwrap();
        is(&d.stack(&[&columns[0], &columns[1]], 1), [2, 2], [0, 1, 1, 2]);
    }),
    (63, "The rows without any zero.", |d| {
        let x = ints(d, [1, 2, 0, 3, 4, 5]).reshape([3, 2]);
        is(&now(x.compress(&x.all([1]), 0)), [2, 2], [1, 2, 4, 5]);
    }),
    (64, "The peaks of a row: higher than both neighbors.", |d| {
        let x = ints(d, [1, 3, 2, 5, 6, 4]);
        let (left, middle, right) = (x.slice(0, ..-2), x.slice(0, 1..-1), x.slice(0, 2..));
        is(&(now(middle.gt(&left).and(middle.gt(&right)).flatnonzero()) + 1), [2], [1, 4]);
    }),
    (65, "Row and column of every hit.", |d| {
        let hits = truths(d, [false, true, true, false]).reshape([2, 2]);
        is(&now(hits.argwhere()), [2, 2], [0, 1, 1, 0]);
        is(&hits.count_nonzero([1], KeepAxes::No), [2], [1, 1]);
    }),
    (66, "The length of the longest run of equal numbers.", |d| {
        // Runs begin where a number differs from the one before; the next beginning ends them.
        let x = ints(d, [1, 1, 4, 4, 4, 1]);
        let starts = now(x.slice(0, 1..).ne(x.slice(0, ..-1)).flatnonzero()) + 1;
        let bounds = d.concat(&[&ints(d, [0]), &starts, &ints(d, [6])], 0);
        is(&bounds.diff(1, 0).max([]), [], [3]);
    }),
];
