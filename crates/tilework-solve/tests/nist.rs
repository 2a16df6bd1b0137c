//! NIST's 27 nonlinear regressions, from both starts, against the certified answers.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::Path;
use tilework_solve::formats::nist::Regression;
use tilework_solve::problems::nist::{Fit, cautious, fit, is_plateau, mend, options};
use tilework_solve::{SolveOptions, Summary};

/// The 27 files; none, and a word about it, where they are not.
fn regressions() -> Vec<Regression> {
    let Some(folder) = std::env::var_os("TILEWORK_TEST_DATA") else {
        eprintln!("NOT TESTED: TILEWORK_TEST_DATA is not set");
        return Vec::new();
    };
    let mut paths: Vec<_> =
        std::fs::read_dir(Path::new(&folder).join("nist")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert_eq!(paths.len(), 27);
    let read = |path: &std::path::PathBuf| {
        let mut regression = Regression::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
        if mend(&mut regression) {
            eprintln!("{} is damaged: its certified parameters are not those that NIST publishes", regression.name);
        }
        regression
    };
    paths.iter().map(read).collect()
}

#[test]
fn certified_sums_of_squares_are_those_of_the_models() {
    for regression in regressions() {
        let fit = fit(&regression, &regression.certified).unwrap();
        let sum = 2.0 * fit.problem.cost();
        // Lanczos1 is exact but for rounding, of which its sum consists.
        let error = (sum / regression.sum_of_squares - 1.0).abs();
        assert!(error < 1e-9 || regression.name == "Lanczos1", "{}: {sum:e}, off by {error:e}", regression.name);
    }
}

fn solved(regression: &Regression, start: &[f64], options: SolveOptions<'_>) -> (Fit, Summary) {
    let mut fit = fit(regression, start).unwrap();
    let summary = fit.problem.solve(&options).unwrap();
    (fit, summary)
}

#[test]
fn certified_digits_are_found_from_both_starts() {
    let regressions = regressions();
    if regressions.is_empty() {
        return;
    }
    let mut n_good = [0, 0];
    for regression in &regressions {
        for (number, start) in regression.starts.iter().enumerate() {
            let (mut best, mut summary) = solved(regression, start, options());
            if is_plateau(&summary) {
                let (again, second) = solved(regression, start, cautious(options()));
                if second.final_cost < summary.final_cost {
                    (best, summary) = (again, second);
                }
            }
            let digits = regression.correct_digits(best.problem.values(best.parameters));
            n_good[number] += usize::from(digits >= 8.0);
            let (steps, reason) = (summary.n_iterations(), summary.reason);
            eprintln!("{:9} start {}: {digits:5.1} digits, {steps} steps, {reason:?}", regression.name, number + 1);
        }
    }
    eprintln!("at least 8 digits: {n_good:?}");
    assert!(n_good == [27, 27], "{n_good:?}");
}
