//! Making arrays.

use crate::Exercise;
use crate::expect::{floats, ints, is, near};
use tilework::{Arange, DType, Meshes, Pad, PadMode, Range, Spacing};

pub(crate) const EXERCISES: &[Exercise] = &[
    (1, "The faces of a die, as whole numbers.", |d| {
        let faces = d.arange_of(Arange { start: 1.0, stop: 7.0, ..Arange::default() });
        assert_eq!(faces.dtype(), DType::I32);
        is(&faces, [6], [1, 2, 3, 4, 5, 6]);
    }),
    (2, "The marks of a thermometer from 36 to 38 degrees, every half degree.", |d| {
        let marks = d.arange_of(Arange { start: 36.0, stop: 38.5, step: 0.5, ..Arange::default() });
        assert_eq!(marks.dtype(), DType::F32);
        is(&marks, [5], [36.0, 36.5, 37.0, 37.5, 38.0]);
    }),
    (3, "The multiplication table up to 4.", |d| {
        let n = d.arange(4) + 1;
        is(&(n.expand_dims(1) * &n), [4, 4], [1, 2, 3, 4, 2, 4, 6, 8, 3, 6, 9, 12, 4, 8, 12, 16]);
    }),
    (4, "A board of 3 by 4 fields, black and white in turn.", |d| {
        is(&(d.indices([3, 4]).sum([0]) % 2), [3, 4], [0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1]);
    }),
    (5, "A picture frame: ones at the border, zeros inside.", |d| {
        let frame = d.ones([3, 4]).set((1..-1, 1..-1), 0.0);
        is(&frame, [3, 4], [1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1]);
    }),
    (6, "A passepartout: a border of nines around a picture.", |d| {
        let mode = PadMode::Constant(d.full_of((), 9.0, DType::I32));
        let framed = (d.arange(2) + 1).reshape([1, 2]).pad(&Pad { widths: vec![(1, 1)], mode });
        is(&framed, [3, 4], [9, 9, 9, 9, 9, 1, 2, 9, 9, 9, 9, 9]);
    }),
    (7, "The pitches of the note A over four octaves, from 55 Hz up.", |d| {
        let pitches = d.geomspace(55.0, 880.0, Spacing { n: 5, ..Spacing::default() });
        near(&pitches, [5], [55, 110, 220, 440, 880], 1e-4);
    }),
    (8, "The coordinates of all points of a grid of 3 by 2.", |d| {
        let grid = d.meshgrid(&[&d.arange(3), &ints(d, [10, 20])], Meshes::Cartesian).unwrap();
        is(&grid[0], [2, 3], [0, 1, 2, 0, 1, 2]);
        is(&grid[1], [2, 3], [10, 10, 10, 20, 20, 20]);
    }),
    (9, "How far each pixel of a 3 by 3 picture is from the center, squared.", |d| {
        let squares = d.from_function([3, 3], DType::I32, |at| (&at[0] - 1).square() + (&at[1] - 1).square());
        is(&squares, [3, 3], [2, 1, 2, 1, 0, 1, 2, 1, 2]);
    }),
    (10, "Two square matrices along the diagonal of a larger one.", |d| {
        let (a, b) = (d.ones([1, 1]), d.full([2, 2], 5.0));
        let joined = d.block(&[vec![a, d.zeros([1, 2])], vec![d.zeros([2, 1]), b]]);
        is(&joined, [3, 3], [1, 0, 0, 0, 5, 5, 0, 5, 5]);
    }),
    (11, "The symmetric table of distances between four towns, from its six numbers.", |d| {
        let [from, to] = d.triu_indices(4, 1, None).unwrap();
        let half = d.zeros([4, 4]).set((&from, &to), floats(d, [3.0, 5.0, 7.0, 4.0, 6.0, 2.0]));
        let table = &half + &half.t();
        is(&table, [4, 4], [0, 3, 5, 7, 3, 0, 4, 6, 5, 4, 0, 2, 7, 6, 2, 0]);
    }),
    (12, "The matrix whose diagonals are constant, from its first row.", |d| {
        let n = d.arange(3);
        let toeplitz = ints(d, [7, 8, 9]).get(&(&n.expand_dims(1) - &n).abs());
        is(&toeplitz, [3, 3], [7, 8, 9, 8, 7, 8, 9, 8, 7]);
    }),
    (13, "All windows of three neighbors of a row.", |d| {
        let starts = d.arange(4).expand_dims(1);
        let windows = ints(d, [1, 2, 4, 8, 16, 32]).get(&(starts + d.arange(3)));
        is(&windows, [4, 3], [1, 2, 4, 2, 4, 8, 4, 8, 16, 8, 16, 32]);
    }),
    (14, "A picture twice as high and wide, each pixel now four.", |d| {
        let large = d.arange(4).reshape([2, 2]).repeat(2, Some(0)).repeat(2, Some(1));
        is(&large, [4, 4], [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3]);
    }),
    (15, "A row with two zeros between each pair of neighbors.", |d| {
        let x = ints(d, [1, 2, 3]);
        let spread = d.full_of(7, 0.0, DType::I32).set((Range::ALL.step(3),), &x);
        is(&spread, [7], [1, 0, 0, 2, 0, 0, 3]);
    }),
];
