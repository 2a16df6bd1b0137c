//! The examples run, on the CPU and on a GPU, and find what is known.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]
#![allow(clippy::duplicate_mod, reason = "several examples draw")]
#![allow(dead_code, reason = "examples have a main of their own")]

mod common;
#[path = "../examples/edges.rs"]
mod edges;
#[path = "../examples/fft_filter.rs"]
mod fft_filter;
#[path = "../examples/heat.rs"]
mod heat;
#[path = "../examples/kmeans.rs"]
mod kmeans;
#[path = "../examples/life.rs"]
mod life;
#[path = "../examples/mandelbrot.rs"]
mod mandelbrot;
#[path = "../examples/pca.rs"]
mod pca;
#[path = "../examples/regression.rs"]
mod regression;

use common::devices;
use common::linear::read;
use pollster::block_on;

#[test]
fn kmeans_finds_the_centers() {
    for d in devices() {
        let found = read(&block_on(kmeans::run(&d)).unwrap());
        for [x, y] in kmeans::CENTERS.map(|center| center.map(f64::from)) {
            // The mean of 100 points of deviation 0.5 deviates by 0.05.
            let nearest = found.chunks(2).map(|at| (at[0] - x).hypot(at[1] - y)).fold(f64::INFINITY, f64::min);
            assert!(nearest < 0.1, "{found:?}");
        }
    }
}

#[test]
fn pca_finds_the_direction() {
    for d in devices() {
        let [axes, shares] = block_on(pca::run(&d)).unwrap();
        let axis = &read(&axes)[..3];
        let cosine: f64 = axis.iter().zip(pca::DIRECTION).map(|(a, b)| a * f64::from(b)).sum();
        // Noise of a tenth of the length over 500 points turns the axis by about 0.1·√(2 / 500).
        assert!(cosine.abs() > 1.0 - 2e-5, "{axis:?}");
        // Of 9 + 3·0.09, 9 + 0.09 are in that direction.
        assert!((read(&shares)[0] - 9.09 / 9.27).abs() < 0.01);
    }
}

#[test]
fn heat_in_the_middle_is_a_quarter() {
    for d in devices() {
        let middle = block_on(heat::run(&d)).unwrap();
        assert!((middle - 25.0).abs() < 1e-4, "{middle}");
    }
}

#[test]
fn the_filter_keeps_two_frequencies() {
    for d in devices() {
        let (kept_hz, [before, after]) = block_on(fft_filter::run(&d)).unwrap();
        assert_eq!(kept_hz, [12.0, 50.0]);
        // What remains of the noise are two of 513 frequencies.
        assert!((before - 0.5).abs() < 0.05 && after < before / 30.0, "{before} {after}");
    }
}

#[test]
fn a_glider_glides() {
    for d in devices() {
        let boards = block_on(life::run(&d)).unwrap();
        let start = &boards[0];
        assert_eq!(read(&boards[4]), read(&start.roll([1, 1], [0, 1])));
        assert_ne!(read(&boards[1]), read(start));
        // On a board of 8 by 8 it is back after 32 generations, and nowhere else before.
        let mut board = start.clone();
        for generation in 1..=32 {
            board = life::next(&board);
            assert_eq!(read(&board) == read(start), generation == 32);
        }
    }
}

#[test]
fn the_mandelbrot_set_is_that_of_a_plain_loop() {
    for d in devices() {
        let n_steps = block_on(mandelbrot::run(&d)).unwrap();
        let steps = read(&n_steps);
        // The same, point by point; along the border of the set, the last bit of a float decides.
        let point = |i: usize| ((i % 80) as f64 / 79.0 * 2.8 - 2.1, (20.0 - (i / 80) as f64) * 0.06);
        let n_same = (0..steps.len()).filter(|&i| steps[i] == steps_of(point(i))).count();
        assert!(n_same >= steps.len() - 30, "{n_same} of {}", steps.len());
        // The set is its own mirror image.
        assert!(steps == read(&n_steps.flipud()));
    }
}

/// How many of 60 steps the point c stays within a distance of 2.
fn steps_of((re, im): (f64, f64)) -> f64 {
    let (mut x, mut y, mut n_steps) = (0.0, 0.0, 0.0);
    for _ in 0..60 {
        (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        n_steps += f64::from(u8::from(f64::hypot(x, y) <= 2.0));
    }
    n_steps
}

#[test]
fn descent_finds_the_least_squares() {
    for d in devices() {
        let [found, exact] = block_on(regression::run(&d)).unwrap();
        common::assert_close(&found, &exact, 1e-6);
        common::assert_close(&found, &[2.0, -3.0, 0.5], 0.03);
    }
}

#[test]
fn edges_lie_on_the_circle() {
    for d in devices() {
        let radius = block_on(edges::run(&d)).unwrap();
        assert!((radius - edges::RADIUS).abs() < 0.1, "{radius}");
    }
}
