//! The 27 nonlinear regressions of NIST's Statistical Reference Datasets.

mod certified;

use crate::formats::nist::Regression;
use crate::graph::Scalar;
use crate::{Family, Linear, Params, Problem, Reason, SolveOptions, Summary};
use std::f64::consts::{PI, TAU};
use tilework_core::{Error, Result};

/// A regression as a problem.
#[derive(Debug)]
pub struct Fit {
    /// One residual per observation: the response without what the model says.
    pub problem: Problem,
    /// One block with all parameters.
    pub parameters: Params,
}

/// A model's response to predictors `x` with parameters `b`.
type Model = for<'g> fn(b: &[Scalar<'g>], x: &[Scalar<'g>]) -> Scalar<'g>;

struct Entry {
    name: &'static str,
    n_parameters: usize,
    model: Model,
}

/// Puts the answers that NIST publishes in the place of those in the file, where it has others; says whether it had.
pub fn mend(regression: &mut Regression) -> bool {
    let published = certified::CERTIFIED.iter().find(|(name, _)| *name == regression.name).map(|(_, answers)| *answers);
    let is_other = published.is_some_and(|answers| answers != regression.certified);
    if let Some(answers) = published.filter(|_| is_other) {
        regression.certified = answers.to_vec();
    }
    is_other
}

/// The regression as a problem that begins at `start`, the file's first or second (0 or 1) or any other.
pub fn fit(regression: &Regression, start: &[f64]) -> Result<Fit> {
    let entry = MODELS.iter().find(|entry| entry.name == regression.name).ok_or_else(|| {
        let names: Vec<&str> = MODELS.iter().map(|entry| entry.name).collect();
        let message = format!("there is no model for `{}`; there are {}", regression.name, names.join(", "));
        Error::argument("nist", message)
    })?;
    let n_predictors = if entry.name == "Nelson" { 2 } else { 1 };
    let has = [regression.certified.len(), start.len(), regression.data.first().map_or(0, Vec::len)];
    let wanted = [entry.n_parameters, entry.n_parameters, 1 + n_predictors];
    if has != wanted {
        let message = format!("{}: {has:?} parameters, start and columns; should be {wanted:?}", entry.name);
        return Err(Error::shape("nist", message));
    }
    let mut problem = Problem::new();
    let parameters = problem.add_params(entry.n_parameters, start)?;
    let all_first = vec![0; regression.data.len()];
    let responses: Vec<f64> = regression.data.iter().map(|row| row[0]).collect();
    let predictors: Vec<f64> = regression.data.iter().flat_map(|row| row[1..].iter().copied()).collect();
    let family = Family {
        name: entry.name,
        params: &[(parameters, &all_first)],
        data: &[(1, &responses), (n_predictors, &predictors)],
        ..Family::default()
    };
    problem.add_residuals(family, |instance| {
        let response = instance.datum(0)[0];
        // Nelson's model is of the logarithm.
        let response = if entry.name == "Nelson" { response.log() } else { response };
        vec![response - (entry.model)(instance.param(0), instance.datum(1))]
    })?;
    Ok(Fit { problem, parameters })
}

/// How to solve them to the last digit: NIST certifies eleven, and a tolerance that suits engineers would stop at six.
pub fn options() -> SolveOptions<'static> {
    SolveOptions {
        linear: Linear::DenseQr,
        max_iterations: 2000,
        function_tolerance: 0.0,
        gradient_tolerance: 0.0,
        parameter_tolerance: 1e-14,
        n_threads: 1,
        ..SolveOptions::default()
    }
}

/// Options of a second attempt after the first found a plateau ([`is_plateau`]): the same, with a first step that is short instead of bold.
pub fn cautious(options: SolveOptions<'_>) -> SolveOptions<'_> {
    SolveOptions { initial_radius: 1e-4, ..options }
}

/// Whether a solver with [`options`] ended where the gradient is not small but gone: no minimum of noisy data is like that, only a place
/// where a parameter has no effect any more, such as the rate of an exponential that has long decayed.
pub fn is_plateau(summary: &Summary) -> bool {
    summary.reason == Reason::Gradient
}

const MODELS: &[Entry] = &[
    Entry { name: "Bennett5", n_parameters: 3, model: |b, x| b[0] * (b[1] + x[0]).pow(-1.0 / b[2]) },
    Entry { name: "BoxBOD", n_parameters: 2, model: saturation },
    Entry { name: "Chwirut1", n_parameters: 3, model: chwirut },
    Entry { name: "Chwirut2", n_parameters: 3, model: chwirut },
    Entry { name: "DanWood", n_parameters: 2, model: |b, x| b[0] * x[0].pow(b[1]) },
    Entry { name: "ENSO", n_parameters: 9, model: enso },
    Entry {
        name: "Eckerle4",
        n_parameters: 3,
        model: |b, x| b[0] / b[1] * (((x[0] - b[2]) / b[1]).square() * -0.5).exp(),
    },
    Entry { name: "Gauss1", n_parameters: 8, model: gauss },
    Entry { name: "Gauss2", n_parameters: 8, model: gauss },
    Entry { name: "Gauss3", n_parameters: 8, model: gauss },
    Entry { name: "Hahn1", n_parameters: 7, model: cubic_over_cubic },
    Entry {
        name: "Kirby2",
        n_parameters: 5,
        model: |b, x| polynomial(&b[..3], x[0]) / (polynomial(&b[3..], x[0]) * x[0] + 1.0),
    },
    Entry { name: "Lanczos1", n_parameters: 6, model: lanczos },
    Entry { name: "Lanczos2", n_parameters: 6, model: lanczos },
    Entry { name: "Lanczos3", n_parameters: 6, model: lanczos },
    Entry {
        name: "MGH09",
        n_parameters: 4,
        model: |b, x| b[0] * (x[0].square() + x[0] * b[1]) / (x[0].square() + x[0] * b[2] + b[3]),
    },
    Entry { name: "MGH10", n_parameters: 3, model: |b, x| b[0] * (b[1] / (x[0] + b[2])).exp() },
    Entry {
        name: "MGH17",
        n_parameters: 5,
        model: |b, x| b[0] + b[1] * (-x[0] * b[3]).exp() + b[2] * (-x[0] * b[4]).exp(),
    },
    Entry { name: "Misra1a", n_parameters: 2, model: saturation },
    Entry { name: "Misra1b", n_parameters: 2, model: |b, x| b[0] * (1.0 - (b[1] * x[0] * 0.5 + 1.0).square().recip()) },
    Entry { name: "Misra1c", n_parameters: 2, model: |b, x| b[0] * (1.0 - (b[1] * x[0] * 2.0 + 1.0).rsqrt()) },
    Entry { name: "Misra1d", n_parameters: 2, model: |b, x| b[0] * b[1] * x[0] / (b[1] * x[0] + 1.0) },
    Entry { name: "Nelson", n_parameters: 3, model: |b, x| b[0] - b[1] * x[0] * (-b[2] * x[1]).exp() },
    Entry { name: "Rat42", n_parameters: 3, model: |b, x| b[0] / ((b[1] - b[2] * x[0]).exp() + 1.0) },
    Entry { name: "Rat43", n_parameters: 4, model: |b, x| b[0] / ((b[1] - b[2] * x[0]).exp() + 1.0).pow(1.0 / b[3]) },
    Entry { name: "Roszman1", n_parameters: 4, model: |b, x| b[0] - b[1] * x[0] - (b[2] / (x[0] - b[3])).atan() / PI },
    Entry { name: "Thurber", n_parameters: 7, model: cubic_over_cubic },
];

fn polynomial<'g>(coefficients: &[Scalar<'g>], x: Scalar<'g>) -> Scalar<'g> {
    let mut falling = coefficients.iter().rev().copied();
    let highest = falling.next().unwrap_or_else(|| x.zero());
    falling.fold(highest, |sum, coefficient| sum * x + coefficient)
}

fn cubic_over_cubic<'g>(b: &[Scalar<'g>], x: &[Scalar<'g>]) -> Scalar<'g> {
    polynomial(&b[..4], x[0]) / (polynomial(&b[4..], x[0]) * x[0] + 1.0)
}

fn saturation<'g>(b: &[Scalar<'g>], x: &[Scalar<'g>]) -> Scalar<'g> {
    // 1 − e^−z without its cancellation at small z.
    -b[0] * (-b[1] * x[0]).expm1()
}

fn chwirut<'g>(b: &[Scalar<'g>], x: &[Scalar<'g>]) -> Scalar<'g> {
    (-b[0] * x[0]).exp() / (b[1] + b[2] * x[0])
}

fn gauss<'g>(b: &[Scalar<'g>], x: &[Scalar<'g>]) -> Scalar<'g> {
    let bell = |k: usize| b[k] * (-((x[0] - b[k + 1]) / b[k + 2]).square()).exp();
    b[0] * (-b[1] * x[0]).exp() + bell(2) + bell(5)
}

fn lanczos<'g>(b: &[Scalar<'g>], x: &[Scalar<'g>]) -> Scalar<'g> {
    let term = |k: usize| b[k] * (-b[k + 1] * x[0]).exp();
    term(0) + term(2) + term(4)
}

fn enso<'g>(b: &[Scalar<'g>], x: &[Scalar<'g>]) -> Scalar<'g> {
    let wave = |angle: Scalar<'g>, k: usize| b[k] * angle.cos() + b[k + 1] * angle.sin();
    let turns = |period: Scalar<'g>| x[0] * TAU / period;
    b[0] + wave(x[0] * (TAU / 12.0), 1) + wave(turns(b[3]), 4) + wave(turns(b[6]), 7)
}
