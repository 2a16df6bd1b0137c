//! Options as JavaScript gives them, and reports as it reads them.

use js_sys::Reflect;
use tilework::{Error, Result};
use tilework_gpu::{Gpu, probe_double_float};
use tilework_solve::gpu::{Eft, Precision};
use tilework_solve::problems::mesh::Energy;
use tilework_solve::{Clock, Iteration, Linear, Method, Reason, SolveOptions};
use wasm_bindgen::prelude::*;

use crate::{json, performance_now};

/// The one of `all` that is called `name`.
pub(super) fn by_name<T: Copy>(what: &str, all: &[(&str, T)], name: &str) -> Result<T> {
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let found = all.iter().find(|(known, _)| *known == name).map(|(_, found)| *found);
    found.ok_or_else(|| Error::argument(what, format!("there is no {what} `{name}`; there are {}", names.join(", "))))
}

/// The energy of meshes called `name`.
pub(super) fn energy(name: &str) -> Result<Energy> {
    let all: Vec<(&str, Energy)> = Energy::ALL.iter().map(|&(name, energy, _)| (name, energy)).collect();
    by_name("energy", &all, name)
}

/// Precisions of a GPU. "mixed" is what a GPU solver does anyway: large linear systems are solved in single precision.
const PRECISIONS: &[(&str, Precision)] = &[
    ("f32", Precision::F32),
    ("df64", Precision::Df64(Eft::Integer)),
    ("f64", Precision::F64),
    ("mixed", Precision::Df64(Eft::Integer)),
];

/// The precision called `name`, and in words. Which double-floats are right on `gpu` is asked once.
pub(super) async fn precision(name: &str, gpu: Option<&Gpu>) -> Result<(Precision, String)> {
    match (by_name("precision", PRECISIONS, name)?, gpu) {
        (Precision::Df64(_), Some(gpu)) => {
            let found = probe_double_float(gpu).await?;
            Ok((found.precision(), format!("df64, {found}")))
        }
        (precision, Some(_)) => Ok((precision, name.to_owned())),
        (precision, None) => Ok((precision, "f64".to_owned())),
    }
}

/// How to solve; what is missing has its default.
pub(super) fn solve_options(given: &JsValue) -> Result<SolveOptions<'static>> {
    let value =
        |name: &str| Reflect::get(given, &name.into()).ok().filter(|value| !value.is_undefined() && !value.is_null());
    let number = |name: &str, usual: f64| match value(name) {
        None => Ok(usual),
        Some(value) => value
            .as_f64()
            .filter(|number| *number >= 0.0)
            .ok_or_else(|| Error::argument("solve", format!("{name} is no number of at least 0"))),
    };
    let text =
        |name: &str, usual: &str| value(name).and_then(|value| value.as_string()).unwrap_or_else(|| usual.to_owned());
    let usual = SolveOptions::default();
    Ok(SolveOptions {
        method: by_name("method", Method::ALL, &text("method", "lm"))?,
        linear: by_name("linear solver", Linear::ALL, &text("linear", "auto"))?,
        function_tolerance: number("functionTolerance", usual.function_tolerance)?,
        gradient_tolerance: number("gradientTolerance", usual.gradient_tolerance)?,
        parameter_tolerance: number("parameterTolerance", usual.parameter_tolerance)?,
        initial_radius: number("initialRadius", usual.initial_radius)?,
        clock: Clock::new(|| performance_now() / 1e3),
        ..usual
    })
}

pub(super) fn iteration_json(iteration: &Iteration) -> String {
    let numbers = [
        ("cost", iteration.cost),
        ("decrease", iteration.decrease),
        ("gradientMax", iteration.gradient_max),
        ("stepNorm", iteration.step_norm),
        ("radius", iteration.radius),
        ("seconds", iteration.seconds),
    ];
    let numbers = numbers.map(|(name, number)| (name, number_json(number)));
    let rest = [("number", iteration.number.to_string()), ("accepted", iteration.is_accepted.to_string())];
    json::object(numbers.into_iter().chain(rest))
}

/// A number of a report. The sum of nothing is −0, which nobody expects.
pub(super) fn number_json(number: f64) -> String {
    json::number(number + 0.0)
}

pub(super) fn reason_json(reason: Option<Reason>) -> String {
    let Some(reason) = reason else { return "null".to_owned() };
    let texts = [("name", reason.name()), ("explanation", reason.explanation())];
    let texts = texts.map(|(name, text)| (name, json::text(text)));
    json::object(texts.into_iter().chain([("converged", reason.is_converged().to_string())]))
}
