//! The options that every problem has.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};
use tilework_solve::gpu::KernelOf;
use tilework_solve::{Linear, Loss, Method, SolveOptions};

use crate::device_choice::json_argument;
use crate::failure::{Failure, Outcome};

/// Where to compute, and how precisely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Machine {
    /// In double precision.
    Cpu,
    Gpu(Digits),
}

/// Precisions by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digits {
    F32,
    Df64,
    F64,
}

impl Digits {
    const ALL: [(&str, Digits); 3] = [("f32", Digits::F32), ("df64", Digits::Df64), ("f64", Digits::F64)];
}

impl Machine {
    /// The name of its precision.
    pub(super) fn precision(self) -> &'static str {
        match self {
            Machine::Cpu | Machine::Gpu(Digits::F64) => "f64",
            Machine::Gpu(Digits::F32) => "f32",
            Machine::Gpu(Digits::Df64) => "df64",
        }
    }
}

/// What the command line says about how to solve; what it leaves open is up to the problem.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) method: Option<Method>,
    pub(super) linear: Option<Linear>,
    pub(super) loss: Loss,
    pub(super) iterations: Option<usize>,
    pub(super) tolerance: Option<f64>,
    pub(super) threads: usize,
    pub(super) machine: Machine,
    /// Kernels to be shown instead of a solution.
    pub(super) shown: Option<KernelOf>,
    pub(super) is_json: bool,
}

/// `command` with the options.
pub(super) fn with_settings(command: Command) -> Command {
    let methods = PossibleValuesParser::new(Method::ALL.iter().map(|(name, _)| *name));
    let linears = PossibleValuesParser::new(Linear::ALL.iter().map(|(name, _)| *name));
    let machines = PossibleValuesParser::new(["cpu", "gpu"]);
    command
        .arg(option("method", "METHOD", "The way to a minimum; what suits the problem if left out").value_parser(methods))
        .arg(option("linear", "SOLVER", "How linear systems are solved; by the problem's shape if left out").value_parser(linears))
        .arg(option(
            "loss",
            "LOSS[:DELTA]",
            "How much residuals count: squared, huber, soft-l1, cauchy, arctan, tukey, geman-mcclure, welsch; DELTA is where it \
             begins to differ from squares",
        ))
        .arg(option("iterations", "N", "At most so many steps").value_parser(value_parser!(usize)))
        .arg(option("tolerance", "T", "Stop when a step lowers the cost by less than this part of it").value_parser(value_parser!(f64)))
        .arg(option("threads", "N", "Threads to use; all if left out").value_parser(value_parser!(usize)))
        .arg(option("device", "DEVICE", "Where to compute").value_parser(machines).default_value("cpu"))
        .arg(
            option("precision", "PRECISION", "f32, df64 (two singles) or f64; f64 on the CPU, df64 on a GPU if left out")
                .value_parser(PossibleValuesParser::new(Digits::ALL.map(|(name, _)| name))),
        )
        .arg(
            option("show-wgsl", "KERNELS", "Print the kernels of every group instead of solving: cost, residuals, gradient or jacobian")
                .value_parser(PossibleValuesParser::new(KernelOf::ALL.iter().map(|(name, _)| *name)))
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("gradient"),
        )
        .arg(json_argument())
}

pub(super) fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

impl Settings {
    pub(super) fn read(matches: &ArgMatches) -> Outcome<Settings> {
        let chosen = |name: &str| matches.get_one::<String>(name).map(String::as_str);
        let find = |name: &str| Method::ALL.iter().find(|(known, _)| *known == name).map(|(_, method)| *method);
        let find_linear = |name: &str| Linear::ALL.iter().find(|(known, _)| *known == name).map(|(_, linear)| *linear);
        let find_kernel =
            |name: &str| KernelOf::ALL.iter().find(|(known, _)| *known == name).map(|(_, kernel)| *kernel);
        let tolerance = matches.get_one::<f64>("tolerance").copied();
        if tolerance.is_some_and(|tolerance| tolerance.is_nan() || tolerance < 0.0) {
            return Err(Failure::usage("a tolerance is a number from 0", "`--tolerance 1e-8`"));
        }
        Ok(Settings {
            method: chosen("method").and_then(find),
            linear: chosen("linear").and_then(find_linear),
            loss: loss(chosen("loss").unwrap_or("squared"))?,
            iterations: matches.get_one("iterations").copied(),
            tolerance,
            threads: matches.get_one("threads").copied().unwrap_or(0),
            machine: machine(chosen("device"), chosen("precision"))?,
            shown: chosen("show-wgsl").and_then(find_kernel),
            is_json: matches.get_flag("json"),
        })
    }

    /// `defaults` with what the command line says instead.
    pub(super) fn over(&self, defaults: SolveOptions<'static>) -> SolveOptions<'static> {
        SolveOptions {
            method: self.method.unwrap_or(defaults.method),
            // What suits a problem on the CPU may not exist on a GPU.
            linear: self.linear.unwrap_or(if self.machine == Machine::Cpu { defaults.linear } else { Linear::Auto }),
            max_iterations: self.iterations.unwrap_or(defaults.max_iterations),
            function_tolerance: self.tolerance.unwrap_or(defaults.function_tolerance),
            n_threads: if self.threads == 0 { defaults.n_threads } else { self.threads },
            ..defaults
        }
    }
}

fn machine(device: Option<&str>, precision: Option<&str>) -> Outcome<Machine> {
    let digits =
        precision.and_then(|name| Digits::ALL.iter().find(|(known, _)| *known == name)).map(|&(_, digits)| digits);
    match (device, digits) {
        (Some("gpu"), digits) => Ok(Machine::Gpu(digits.unwrap_or(Digits::Df64))),
        (_, None | Some(Digits::F64)) => Ok(Machine::Cpu),
        _ => Err(Failure::usage("the CPU computes in f64", "`--device gpu` has other precisions")),
    }
}

/// `name` or `name:delta`.
fn loss(text: &str) -> Outcome<Loss> {
    let (name, delta) = text.split_once(':').unwrap_or((text, "1"));
    let bad = |what: String| Failure::usage(what, "`--loss huber:1.5`");
    let delta: f64 = delta.parse().map_err(|_| bad(format!("`{delta}` is no number, in the loss `{text}`")))?;
    Loss::by_name(name, delta).map_err(|error| bad(error.message().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_have_names_and_numbers() {
        assert_eq!(loss("squared").ok(), Some(Loss::Squared));
        assert_eq!(loss("huber:1.5").ok(), Some(Loss::Huber { delta: 1.5 }));
        assert_eq!(loss("cauchy").ok(), Some(Loss::Cauchy { delta: 1.0 }));
        for wrong in ["hubber", "huber:x", "huber:0", ":"] {
            assert!(loss(wrong).is_err(), "{wrong}");
        }
    }
}
