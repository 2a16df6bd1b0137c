//! One hundred exercises as a NumPy user would set them, each solved with the library and compared with the known answer, on the CPU
//! and on a GPU. They are also a book of recipes: every entry says its task in a line.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]
#![allow(clippy::reversed_empty_ranges, reason = "negative bounds count from the end")]

#[path = "exercises/algebra.rs"]
mod algebra;
mod common;
#[path = "exercises/expect.rs"]
mod expect;
#[path = "exercises/indexing.rs"]
mod indexing;
#[path = "exercises/making.rs"]
mod making;
#[path = "exercises/measuring.rs"]
mod measuring;
#[path = "exercises/ordering.rs"]
mod ordering;
#[path = "exercises/signals.rs"]
mod signals;
#[path = "exercises/wider.rs"]
mod wider;

use std::panic::{AssertUnwindSafe, catch_unwind};
use tilework::Device;

/// Its number, its task, and the solution, which panics if the answer is wrong.
type Exercise = (usize, &'static str, fn(&Device));

fn exercises(d: &Device) {
    let subjects: [&[Exercise]; 7] = [
        making::EXERCISES,
        indexing::EXERCISES,
        measuring::EXERCISES,
        ordering::EXERCISES,
        algebra::EXERCISES,
        signals::EXERCISES,
        wider::EXERCISES,
    ];
    let all = subjects.concat();
    assert!(all.iter().map(|exercise| exercise.0).eq(1..=100), "numbers go from 1 to 100");
    // All of them are tried, so that one run shows everything that is wrong.
    let is_wrong = |&(_, _, solve): &Exercise| catch_unwind(AssertUnwindSafe(|| solve(d))).is_err();
    let wrong: Vec<Exercise> = all.into_iter().filter(is_wrong).collect();
    assert!(
        wrong.is_empty(),
        "on {}: {:#?}",
        d.name(),
        wrong.iter().map(|wrong| (wrong.0, wrong.1)).collect::<Vec<_>>()
    );
}

#[test]
fn exercises_on_the_cpu() {
    exercises(&Device::cpu());
}

#[test]
fn exercises_on_the_gpu() {
    if let Some(gpu) = common::gpu() {
        exercises(&gpu);
    }
}
