//! Random numbers, files, gradients, functions of functions, and mistakes.

use crate::Exercise;
use crate::common::linear::read;
use crate::expect::{floats, ints, is, near, now, number};
use std::collections::BTreeSet;
use tilework::io::{Compression, NumberFormat, TextOptions, WriteOptions};
use tilework::{DType, ErrorKind};

pub(crate) const EXERCISES: &[Exercise] = &[
    (90, "The same seed gives the same dice, another seed others.", |d| {
        let rolls = |seed| read(&d.random(seed).integers(20, 1, 7));
        assert_eq!(rolls(1), rolls(1));
        assert_ne!(rolls(1), rolls(2));
        assert!(rolls(1).iter().all(|roll| (1.0..=6.0).contains(roll)));
    }),
    (91, "π by throwing a hundred thousand darts at a square.", |d| {
        let darts = d.random(7).uniform([2, 100_000]);
        let pi = 4.0 * number(&darts.square().sum([0]).le(1.0).to_f32().mean([]));
        // Four standard deviations of that estimate.
        assert!((pi - std::f64::consts::PI).abs() < 0.021, "{pi}");
    }),
    (92, "Six numbers out of 49, none twice.", |d| {
        let drawn = read(&d.random(3).choice_distinct(&(d.arange(49) + 1), 6, 0));
        let distinct: BTreeSet<i64> = drawn.iter().map(|&x| x as i64).collect();
        assert!(distinct.len() == 6 && distinct.iter().all(|x| (1..=49).contains(x)), "{drawn:?}");
    }),
    (93, "Rows of a table shuffled, each with its label.", |d| {
        let table = d.stack(&[&d.arange(6), &(d.arange(6) * 10)], 1);
        let shuffled = d.random(5).shuffle(&table, 0);
        assert_ne!(read(&shuffled), read(&table));
        is(&(shuffled.index(1, 1) - shuffled.index(1, 0) * 10), [6], [0; 6]);
        is(&shuffled.index(1, 0).sort(0), [6], [0, 1, 2, 3, 4, 5]);
    }),
    (94, "A table read from text with a comment, and its second column's sum.", |d| {
        let options = TextOptions { delimiter: Some(','), ..TextOptions::default() };
        let table = d.load_txt("# x, y\n1, 2.5\n3, 4.5\n", &options).unwrap();
        is(&table, [2, 2], [1.0, 2.5, 3.0, 4.5]);
        is(&table.index(1, 1).sum([]), [], [7]);
        let options = WriteOptions { format: NumberFormat::Fixed(1), ..WriteOptions::default() };
        assert_eq!(now(table.to_txt(&options)), "1.0 2.5\n3.0 4.5\n");
    }),
    (95, "Arrays kept in files of NumPy's formats, and back.", |d| {
        let x = d.arange(6).reshape([2, 3]);
        let file = now(x.to_npy());
        assert_eq!(&file[..6], b"\x93NUMPY");
        is(&d.load_npy(&file).unwrap(), [2, 3], [0, 1, 2, 3, 4, 5]);
        let archive = now(d.to_npz(&[("x", &x)], Compression::Deflate));
        assert_eq!(d.load_npz(&archive).unwrap()["x"].dtype(), DType::I32);
    }),
    (96, "The slope of x³ at 2, and the slope of the slope.", |d| {
        let cube = |x: &tilework::Array| x * x * x;
        is(&d.grad(cube, &d.scalar(2.0)).unwrap(), [], [12]);
        is(&d.grad(|x| d.grad(cube, x).unwrap(), &d.scalar(2.0)).unwrap(), [], [12]);
    }),
    (97, "The square root of 2 by Newton's method.", |d| {
        let mut x = d.scalar(1.0);
        for _ in 0..5 {
            let f = |x: &tilework::Array| x.square() - 2.0;
            x = &x - f(&x) / d.grad(f, &x).unwrap();
        }
        near(&x, [], [2.0f64.sqrt()], 2e-7);
    }),
    (98, "How x and y change with radius and angle.", |d| {
        let to_plane = |p: &tilework::Array| {
            let (r, angle) = (p.index(0, 0), p.index(0, 1));
            d.stack(&[&(&r * angle.cos()), &(&r * angle.sin())], 0)
        };
        near(&d.jacobian(to_plane, &floats(d, [2.0, 0.0])).unwrap(), [2, 2], [1, 0, 0, 2], 1e-6);
    }),
    (99, "A function of one row, for all rows at once.", |d| {
        let x = ints(d, [3, 1, 2, 9, 7, 8]).reshape([2, 3]);
        let spread = d.vmap(|rows| rows[0].max([]) - rows[0].min([]), &[&x], 0).unwrap();
        is(&spread, [2], [2, 2]);
    }),
    (100, "A mistake is carried along, and names the shapes when asked.", |d| {
        let wrong = (d.ones([2, 3]) + d.ones([4])).sqrt().sum([]);
        let error = wrong.check().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Shape);
        assert!(error.to_string().contains("[2, 3]") && error.to_string().contains("[4]"), "{error}");
    }),
];
