//! Picking, assigning and moving elements.

use crate::Exercise;
use crate::expect::{floats, ints, is, now, truths};
use tilework::{Bounds, DType, Ends, Index, Range};

pub(crate) const EXERCISES: &[Exercise] = &[
    (16, "Every second element, from the last to the first.", |d| {
        is(&d.arange(7).get((Range::ALL.step(-2),)), [4], [6, 4, 2, 0]);
    }),
    (17, "The four corners of a picture.", |d| {
        let corners = d.arange(12).reshape([3, 4]).get((ints(d, [0, -1]).expand_dims(1), ints(d, [0, -1])));
        is(&corners, [2, 2], [0, 3, 8, 11]);
    }),
    (18, "The last column of every matrix of a stack, whatever comes before it.", |d| {
        is(&d.arange(12).reshape([2, 3, 2]).get((Index::Ellipsis, -1)), [2, 3], [1, 3, 5, 7, 9, 11]);
    }),
    (19, "Negative readings become zero.", |d| {
        let x = floats(d, [1.5, -2.0, 0.5, -0.25]);
        is(&x.set(&x.lt(0.0), 0.0), [4], [1.5, 0.0, 0.5, 0.0]);
    }),
    (20, "The elements above the mean.", |d| {
        let x = floats(d, [1.0, 9.0, 2.0, 8.0]);
        is(&now(x.get_later(&x.gt(x.mean([])))), [2], [9, 8]);
    }),
    (21, "Points for players; a player who scores twice gets both.", |d| {
        let scores = ints(d, [10, 20, 30]).add_at(&ints(d, [0, 2, 0]), ints(d, [1, 5, 2]));
        is(&scores, [3], [13, 20, 35]);
    }),
    (22, "The last word of each sentence, by the sentences' lengths.", |d| {
        let (words, lengths) = (d.arange(12).reshape([3, 4]), ints(d, [2, 4, 1]));
        is(&words.take_along_axis(&(lengths - 1).expand_dims(1), Some(1)), [3, 1], [1, 7, 8]);
    }),
    (23, "Class labels as rows with a single one.", |d| {
        let one_hot = ints(d, [2, 0, 1]).expand_dims(1).eq(d.arange(3)).cast(DType::F32);
        is(&one_hot, [3, 3], [0, 0, 1, 1, 0, 0, 0, 1, 0]);
    }),
    (24, "The diagonal from the upper right to the lower left.", |d| {
        is(&d.arange(9).reshape([3, 3]).fliplr().diag(0), [3], [2, 4, 6]);
    }),
    (25, "Row and column of the largest element.", |d| {
        let x = ints(d, [3, 1, 4, 1, 5, 9]).reshape([2, 3]);
        let at = x.argmax_flat().unravel_index([2, 3]).unwrap();
        is(&at[0], [], [1]);
        is(&at[1], [], [2]);
    }),
    (26, "A table without its second and fourth column.", |d| {
        is(&d.arange(8).reshape([2, 4]).delete(&[1, 3], Some(1)), [2, 2], [0, 2, 4, 6]);
    }),
    (27, "Postage by weight: 1 up to 20 grams, 2 up to 50, else 5.", |d| {
        let grams = floats(d, [10.0, 20.0, 49.0, 51.0]);
        let (light, medium) = (grams.le(20.0), grams.le(50.0));
        let postage = d.select_first(&[&light, &medium], &[&d.scalar(1.0), &d.scalar(2.0)], 5.0);
        is(&postage, [4], [1, 1, 2, 5]);
    }),
    (28, "For each day the dish from the menu of the cook on duty.", |d| {
        let cooks = ints(d, [0, 1, 1, 0]);
        let menus = [ints(d, [1, 2, 3, 4]), ints(d, [10, 20, 30, 40])];
        is(&cooks.choose(&[&menus[0], &menus[1]], Bounds::Nearest), [4], [1, 20, 30, 4]);
    }),
    (29, "The days of a week that starts on Sunday instead of Monday.", |d| {
        is(&(d.arange(7) + 1).roll([1], [0]), [7], [7, 1, 2, 3, 4, 5, 6]);
    }),
    (30, "A picture turned by a quarter, against the clock.", |d| {
        is(&d.arange(6).reshape([2, 3]).rot90(1, [0, 1]), [3, 2], [2, 5, 1, 4, 0, 3]);
    }),
    (31, "Every third seat of a round table of eight is taken, five times.", |d| {
        let seats = d.full_of(8, 0.0, DType::I32).put(&(d.arange(5) * 3), 1, Bounds::Wrap);
        is(&seats, [8], [1, 1, 0, 1, 1, 0, 1, 0]);
    }),
    (32, "A recording without the silence at its ends.", |d| {
        is(&now(ints(d, [0, 0, 3, 0, 4, 0]).trim_zeros(Ends::Both)), [3], [3, 0, 4]);
    }),
    (33, "A deck of nine cards dealt to four, as evenly as it goes.", |d| {
        let hands = d.arange(9).array_split(4, 0).unwrap();
        assert_eq!(hands.iter().map(tilework::Array::size).collect::<Vec<_>>(), [3, 2, 2, 2]);
        is(&hands[3], [2], [7, 8]);
    }),
    (34, "Eight switches in a byte, the first as the highest bit, and back.", |d| {
        let switches = truths(d, [true, false, false, false, false, true, false, true]);
        let byte = switches.packbits(None, tilework::BitOrder::Big);
        is(&byte, [1], [0b1000_0101]);
        is(&byte.unpackbits(None, tilework::BitOrder::Big), [8], [1, 0, 0, 0, 0, 1, 0, 1]);
    }),
];
